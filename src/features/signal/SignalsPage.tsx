/* /signals: every signal of the current identity, across strategies. */
import { Connection } from '#screen/Connection.tsx'
import { useGo } from '#screen/go.ts'
import { Pull } from '#screen/Pull.tsx'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { useStrategyNames } from './names.ts'
import { SignalBoard } from './SignalBoard.tsx'

export function SignalsPage() {
  const names = useStrategyNames()
  const { go } = useGo()
  return (
    <div className="page">
      <Pull />
      <PageHead title="全部訊號" overFilters>
        <span className="mob">
          <Connection short />
        </span>
      </PageHead>
      <SignalBoard
        names={names}
        empty={
          <EmptyState
            card
            title="還沒有訊號"
            action={
              <Button kind="filled" {...go('/strategies')}>
                看我的策略
              </Button>
            }
          >
            把策略的 Webhook 網址貼到訊號來源，第一筆會在一秒內出現在這裡。
          </EmptyState>
        }
      />
    </div>
  )
}
