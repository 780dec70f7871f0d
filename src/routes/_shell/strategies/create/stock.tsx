// /strategies/create/stock: the form of a stock strategy, then the webhook to connect.
import { createFileRoute } from '@tanstack/react-router'
import { texts } from '#features/shell/search.ts'
import { StrategyStockCreatePage } from '#features/strategy/StrategyStockCreatePage.tsx'

export const Route = createFileRoute('/_shell/strategies/create/stock')({
  staticData: { title: '新增股票策略', skeleton: 'form', permission: 'strategy:create' },
  validateSearch: texts('connect'),
  component: StrategyStockCreatePage,
})
