/* One strategy's row of 設定, opened: how I am told of it, and the ways to it. */
import type { Strategy } from '#contract/strategy.ts'
import { ReadFailure } from '#screen/Elsewhere.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { StrategyNotify } from '#screen/StrategyNotify.tsx'
import { Button } from '#ui/Button.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { Waiting } from '../Waiting.tsx'
import { useListedStrategy } from './use-strategies.ts'

/** `id` null: closed. One that no list holds is asked for by itself. */
export function StrategySheet({
  id,
  strategies,
  onClose,
}: {
  id: string | null
  strategies: readonly Strategy[]
  onClose: () => void
}) {
  const { go } = useGo()
  const { strategy: found, asked } = useListedStrategy(id, strategies)
  return (
    <Sheet
      open={id !== null}
      onClose={onClose}
      title={found?.name ?? '策略的通知'}
      foot={
        found && (
          <>
            <Button {...go(`/strategies/${found.id}`)}>打開策略</Button>
            <Button {...go(`/signal-notification?tab=why&id=${found.id}`)}>為什麼沒收到</Button>
          </>
        )
      }
    >
      {found ? (
        <StrategyNotify strategy={found} />
      ) : asked.isLoading ? (
        <Waiting label="策略的通知載入中" />
      ) : (
        id !== null && (
          <ReadFailure
            error={asked.error}
            what="這個策略"
            busy={asked.isFetching}
            onRetry={() => void asked.refetch()}
          >
            {asked.error ? failureSentence(asked.error) : '連線後再看一次。'}
          </ReadFailure>
        )
      )}
    </Sheet>
  )
}
