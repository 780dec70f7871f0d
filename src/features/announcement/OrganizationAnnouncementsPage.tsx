// /organizations/{organizationId}/announcements: what one organization announced.
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

/** `organization_id` as it stands in the address. */
export function OrganizationAnnouncementsPage({ organization_id }: { organization_id: string }) {
  return (
    <div className="page" data-organization={organization_id}>
      <PageHead title="組織公告" />
      <EmptyState card title="尚無資料" />
    </div>
  )
}
