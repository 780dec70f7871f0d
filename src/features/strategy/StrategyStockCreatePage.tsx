// /strategies/create/stock: the form of a stock strategy, then the webhook to connect.
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function StrategyStockCreatePage() {
  return (
    <div className="page">
      <PageHead title="新增股票策略" />
      <EmptyState card title="尚無資料" />
    </div>
  )
}
