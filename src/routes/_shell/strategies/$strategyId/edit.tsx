// /strategies/{id}/edit: the same form as creating, filled in.
import { createFileRoute } from '@tanstack/react-router'
import { requirePermission } from '#features/shell/guard.ts'
import { StrategyEditPage } from '#features/strategy/StrategyEditPage.tsx'

export const Route = createFileRoute('/_shell/strategies/$strategyId/edit')({
  staticData: { title: '編輯策略', skeleton: 'form' },
  beforeLoad: ({ location }) => requirePermission(location, 'strategy:edit'),
  component: function Edit() {
    const { strategyId } = Route.useParams()
    return <StrategyEditPage strategy_id={strategyId} />
  },
})
