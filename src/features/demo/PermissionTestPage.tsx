// /tests/permission: the current identity against every permission.
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function PermissionTestPage() {
  return (
    <div className="page">
      <PageHead title="權限測試" />
      <EmptyState card title="尚無資料" />
    </div>
  )
}
