// /strategies/create: which kind of strategy.
import { createFileRoute } from '@tanstack/react-router'
import { requirePermission } from '#features/shell/guard.ts'
import { StrategyCreatePage } from '#features/strategy/StrategyCreatePage.tsx'

export const Route = createFileRoute('/_shell/strategies/create/')({
  staticData: { title: '新增策略', skeleton: 'form' },
  beforeLoad: ({ location }) => requirePermission(location, 'strategy:create'),
  component: StrategyCreatePage,
})
