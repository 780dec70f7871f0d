// /strategies/create/stock: the form of a stock strategy, then the webhook to connect.
import { useGo } from '#screen/go.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function StrategyStockCreatePage() {
  const { go } = useGo()
  return (
    <div className="page">
      <PageHead title="新增股票策略" />
      <EmptyState
        card
        title="尚無資料"
        action={<Button {...go('/strategies/create/futures')}>新增期貨策略</Button>}
      >
        這裡目前只收期貨策略的訊號。
      </EmptyState>
    </div>
  )
}
