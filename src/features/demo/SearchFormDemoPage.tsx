// /search-form-demo: the filter form, without login.
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function SearchFormDemoPage() {
  return (
    <div className="page">
      <PageHead title="篩選表單" />
      <EmptyState card title="尚無資料" />
    </div>
  )
}
