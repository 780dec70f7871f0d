// /demo-strategylist/icons: every icon with its meaning.
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function IconsDemoPage() {
  return (
    <div className="page">
      <PageHead title="圖示" />
      <EmptyState card title="尚無資料" />
    </div>
  )
}
