// /my-organizations: my organizations, invitations, join requests; ?invite=CODE opens one (ruling A8).
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function MyOrganizationsPage() {
  return (
    <div className="page">
      <PageHead title="我的組織" />
      <EmptyState card title="尚無資料" />
    </div>
  )
}
