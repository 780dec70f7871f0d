// /organizations/info: the organization as its members see it.
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function OrganizationInfoPage() {
  return (
    <div className="page">
      <PageHead title="組織詳情" />
      <EmptyState card title="尚無資料" />
    </div>
  )
}
