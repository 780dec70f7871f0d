/* One strategy's row of 設定, opened: how I am told of it, and the ways to it. */
import { useQuery } from '@tanstack/react-query'
import type { Strategy } from '#contract/strategy.ts'
import { layStrategy, strategyQueries } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { useOutbox } from '#screen/outbox.ts'
import { StrategyNotify } from '#screen/StrategyNotify.tsx'
import { Button } from '#ui/Button.tsx'
import { FailState } from '#ui/FailState.tsx'
import { Sheet } from '#ui/Sheet.tsx'

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
  const ctx = useCtx()
  const outbox = useOutbox()
  const { go } = useGo()
  const listed = strategies.find((one) => one.id === id)
  const asked = useQuery({ ...strategyQueries.one(ctx, id ?? ''), enabled: id !== null && !listed })
  const found =
    listed ?? (asked.data && id !== null ? layStrategy(asked.data, outbox, asked.dataUpdatedAt) : undefined)
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
      ) : (
        asked.error && (
          <FailState title="讀不到這個策略" busy={asked.isFetching} onRetry={() => void asked.refetch()}>
            {failureSentence(asked.error)}
          </FailState>
        )
      )}
    </Sheet>
  )
}
