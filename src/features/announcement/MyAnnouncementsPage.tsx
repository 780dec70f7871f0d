// /my-announcements: what the platform and my organizations announced.
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function MyAnnouncementsPage() {
  return (
    <div className="page">
      <PageHead title="公告" />
      <EmptyState card title="尚無資料" />
    </div>
  )
}
