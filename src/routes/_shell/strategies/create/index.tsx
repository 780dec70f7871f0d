// /strategies/create: which kind of strategy.
import { createFileRoute } from '@tanstack/react-router'
import { StrategyCreatePage } from '#features/strategy/StrategyCreatePage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_shell/strategies/create/')({
  staticData: { title: '新增策略', skeleton: 'form', permission: 'strategy:create' },
  validateSearch: texts(),
  component: StrategyCreatePage,
})
