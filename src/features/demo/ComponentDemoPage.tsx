// /component-demo: every shared part in every state.
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function ComponentDemoPage() {
  return (
    <div className="page">
      <PageHead title="元件展示" />
      <EmptyState card title="尚無資料" />
    </div>
  )
}
