/* /signals: every signal of the current identity, across strategies. */
import { Connection } from '#screen/Connection.tsx'
import { useGo } from '#screen/go.ts'
import { manualHref } from '#screen/manual.ts'
import { Pull } from '#screen/Pull.tsx'
import { useMay } from '#screen/profile.ts'
import { useCreate } from '#screen/verify-first.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { useNoStrategies, useStrategyNames } from './names.ts'
import { SignalBoard } from './SignalBoard.tsx'

export function SignalsPage() {
  const names = useStrategyNames()
  const { go } = useGo()
  const may_create = useMay('strategy:create')
  const none = useNoStrategies()
  const sends = useMay('strategy:edit') && !none
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
        empty={none && may_create ? <Unmade /> : <Unsent may_create={may_create} />}
      />
    </div>
  )
}

/** Nothing could have come: there is no strategy that it would come for. */
function Unmade() {
  const { create } = useCreate()
  return (
    <EmptyState
      card
      title="還沒有訊號"
      action={
        <Button kind="filled" href="/strategies/create" onClick={create}>
          建立策略
        </Button>
      }
    >
      先建立一個策略，把它的網址貼到訊號來源，第一筆會在一秒內出現在這裡。
    </EmptyState>
  )
}

function Unsent({ may_create }: { may_create: boolean }) {
  const { go } = useGo()
  return (
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
  )
}
