// /strategies: the list, its filters in the address.
import { createFileRoute } from '@tanstack/react-router'
import { StrategyListPage } from '#features/strategy/StrategyListPage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_shell/strategies/')({
  staticData: { title: '策略列表', skeleton: 'list', permission: 'strategy:view' },
  validateSearch: texts('kind', 'status', 'tag', 'search', 'sort', 'page', 'view', 'manual', 'source'),
  component: StrategyListPage,
})
