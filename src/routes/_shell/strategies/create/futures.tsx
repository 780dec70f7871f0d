// /strategies/create/futures: the form of a futures strategy, then the webhook to connect.
import { createFileRoute } from '@tanstack/react-router'
import { requirePermission } from '#features/shell/guard.ts'
import { StrategyFuturesCreatePage } from '#features/strategy/StrategyFuturesCreatePage.tsx'

export const Route = createFileRoute('/_shell/strategies/create/futures')({
  staticData: { title: '新增期貨策略', skeleton: 'form' },
  beforeLoad: ({ location }) => requirePermission(location, 'strategy:create'),
  component: StrategyFuturesCreatePage,
})
