// /demo-strategylist: the strategy list with sample data, without login.
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function StrategyListDemoPage() {
  return (
    <div className="page">
      <PageHead title="策略列表示範" />
      <EmptyState card title="尚無資料" />
    </div>
  )
}
