// /strategies/create/futures: the form of a futures strategy, then the webhook to connect.
import { createFileRoute } from '@tanstack/react-router'
import { StrategyNewPage } from '#features/strategy/StrategyNewPage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_shell/strategies/create/futures')({
  staticData: { title: '新增期貨策略', skeleton: 'form', permission: 'strategy:create' },
  validateSearch: texts('connect'),
  component: function Create() {
    return <StrategyNewPage kind="futures" />
  },
})
