// /organizations/create: a new organization.
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function OrganizationCreatePage() {
  return (
    <div className="page">
      <PageHead title="建立組織" />
      <EmptyState card title="尚無資料" />
    </div>
  )
}
