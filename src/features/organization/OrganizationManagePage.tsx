// /organizations/manage: members, invitations, groups and settings, for admins; the tab stands in ?tab=.
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function OrganizationManagePage() {
  return (
    <div className="page">
      <PageHead title="組織管理" />
      <EmptyState card title="尚無資料" />
    </div>
  )
}
