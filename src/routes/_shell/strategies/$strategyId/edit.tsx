// /strategies/{id}/edit: the same form as creating, filled in.
import { createFileRoute } from '@tanstack/react-router'
import { StrategyEditPage } from '#features/strategy/StrategyEditPage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_shell/strategies/$strategyId/edit')({
  staticData: { title: '編輯策略', skeleton: 'form', permission: 'strategy:edit' },
  validateSearch: texts('section'),
  component: function Edit() {
    const { strategyId } = Route.useParams()
    return <StrategyEditPage strategy_id={strategyId} />
  },
})
