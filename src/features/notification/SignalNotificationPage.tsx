// /signal-notification: the inbox, and where what is told.
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function SignalNotificationPage() {
  return (
    <div className="page">
      <PageHead title="訊號通知" />
      <EmptyState card title="尚無資料" />
    </div>
  )
}
