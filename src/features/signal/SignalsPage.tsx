/* /signals: every signal of the current identity, across strategies. */
import { useCtx } from '#screen/data.tsx'
import { useGo } from '#screen/go.ts'
import { ListActions, useCreate } from '#screen/ListActions.tsx'
import { Pull } from '#screen/Pull.tsx'
import { useMay, useProfile } from '#screen/profile.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { SignalBoard, useStrategyNames } from './SignalBoard.tsx'
import { SignalDrawer } from './SignalDrawer.tsx'

export function SignalsPage() {
  const { names, none } = useStrategyNames()
  const may_create = useMay('strategy:create')
  const sends = useMay('strategy:edit') && !none
  return (
    <div className="page">
      <Pull />
      <PageHead title="全部訊號" overFilters>
        <ListActions sends={sends} />
      </PageHead>
      <SignalBoard
        Drawer={SignalDrawer}
        names={names}
        empty={<Empty none={none} may_create={may_create} />}
      />
    </div>
  )
}

/** `none` there is no strategy for which anything could have come. */
function Empty({ none, may_create }: { none: boolean; may_create: boolean }) {
  const { go } = useGo()
  const { create } = useCreate()
  const { profile } = useProfile()
  const shared = useCtx() === 'personal' && (profile?.organizations.length ?? 0) > 0
  const unmade = none && may_create
  const verb = unmade ? '建立策略' : may_create ? '看我的策略' : '看策略列表'
  return (
    <EmptyState
      card
      title="還沒有訊號"
      action={
        <Button
          kind={may_create ? 'filled' : 'outline'}
          {...(unmade ? { href: '/strategies/create', onClick: create } : go('/strategies'))}
        >
          {verb}
        </Button>
      }
    >
      {shared && none
        ? '這裡放你自己的訊號；組織分享給你的，切換到那個組織就看得到。'
        : may_create
          ? `${unmade ? '先建立一個策略，把它' : '把策略'}的 Webhook 網址貼到訊號來源，第一筆會在一秒內出現在這裡。`
          : '分享給你的策略送出第一筆，就會在一秒內出現在這裡。'}
    </EmptyState>
  )
}
