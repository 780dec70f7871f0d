// /strategies/create/xq-stock: the form of an XQ strategy, then the webhook to connect.
import { createFileRoute } from '@tanstack/react-router'
import { StrategyNewPage } from '#features/strategy/StrategyNewPage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_shell/strategies/create/xq-stock')({
  staticData: { title: '新增 XQ 股票策略', skeleton: 'form', permission: 'strategy:create' },
  validateSearch: texts('connect'),
  component: function Create() {
    return <StrategyNewPage kind="xq-stock" />
  },
})
