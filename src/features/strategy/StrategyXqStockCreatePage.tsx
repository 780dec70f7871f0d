// /strategies/create/xq-stock: the form of an XQ strategy, then the webhook or the file.
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function StrategyXqStockCreatePage() {
  return (
    <div className="page">
      <PageHead title="新增 XQ 股票策略" />
      <EmptyState card title="尚無資料" />
    </div>
  )
}
