/* /signals: every signal of the current identity, across strategies. */
import { Connection } from '#screen/Connection.tsx'
import { useGo } from '#screen/go.ts'
import { manualHref } from '#screen/manual.ts'
import { Pull } from '#screen/Pull.tsx'
import { useMay } from '#screen/profile.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { useStrategyNames } from './names.ts'
import { SignalBoard } from './SignalBoard.tsx'

export function SignalsPage() {
  const names = useStrategyNames()
  const { go } = useGo()
  const may_create = useMay('strategy:create')
  const sends = useMay('strategy:edit')
  return (
    <div className="page">
      <Pull />
      <PageHead title="全部訊號" overFilters>
        <div className="mob row gap4">
          <Connection short />
          {sends && <IconButton icon="send" label="手動訊號" size={22} large {...go(manualHref())} />}
        </div>
        {sends && (
          <span className="desk">
            <Button icon="send" {...go(manualHref())}>
              手動訊號
            </Button>
          </span>
        )}
      </PageHead>
      <SignalBoard
        names={names}
        empty={
          <EmptyState
            card
            title="還沒有訊號"
            action={
              <Button kind={may_create ? 'filled' : 'outline'} {...go('/strategies')}>
                {may_create ? '看我的策略' : '看策略列表'}
              </Button>
            }
          >
            {may_create
              ? '把策略的 Webhook 網址貼到訊號來源，第一筆會在一秒內出現在這裡。'
              : '分享給你的策略送出第一筆，就會在一秒內出現在這裡。'}
          </EmptyState>
        }
      />
    </div>
  )
}
