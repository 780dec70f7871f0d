// /signal-notification: the inbox, and where what is told. There are no notifications yet; the signals themselves are elsewhere.
import { useGo } from '#screen/go.ts'
import { NAV } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function SignalNotificationPage() {
  const { go } = useGo()
  return (
    <div className="page">
      <PageHead title={NAV.notifications} />
      <EmptyState card title="尚無資料" action={<Button {...go('/signals')}>看全部訊號</Button>}>
        沒有給你的通知。每一筆訊號都在「全部訊號」，收到就會出現。
      </EmptyState>
    </div>
  )
}
