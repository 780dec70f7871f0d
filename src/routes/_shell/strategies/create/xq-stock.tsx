// /strategies/create/xq-stock: the form of an XQ strategy, then the webhook or the file.
import { createFileRoute } from '@tanstack/react-router'
import { texts } from '#features/shell/search.ts'
import { StrategyXqStockCreatePage } from '#features/strategy/StrategyXqStockCreatePage.tsx'

export const Route = createFileRoute('/_shell/strategies/create/xq-stock')({
  staticData: { title: '新增 XQ 股票策略', skeleton: 'form', permission: 'strategy:create' },
  validateSearch: texts('connect'),
  component: StrategyXqStockCreatePage,
})
