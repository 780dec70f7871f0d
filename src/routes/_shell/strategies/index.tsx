// /strategies: the list, its filters in the address.
import { createFileRoute } from '@tanstack/react-router'
import { requirePermission } from '#features/shell/guard.ts'
import { StrategyListPage } from '#features/strategy/StrategyListPage.tsx'

export const Route = createFileRoute('/_shell/strategies/')({
  staticData: { title: '策略列表', skeleton: 'list' },
  beforeLoad: ({ location }) => requirePermission(location, 'strategy:view'),
  component: StrategyListPage,
})
