// /demo-strategylist: the strategy list with sample data, without login.
import { createFileRoute } from '@tanstack/react-router'
import { StrategyListDemoPage } from '#features/strategy/sample/StrategyListDemoPage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_open/demo-strategylist/')({
  staticData: { title: '策略列表示範', skeleton: 'list' },
  validateSearch: texts('view'),
  component: StrategyListDemoPage,
})
