// /strategies: the list, its filters in the address.
import { createFileRoute } from '@tanstack/react-router'
import { texts } from '#features/shell/search.ts'
import { StrategyListPage } from '#features/strategy/StrategyListPage.tsx'

export const Route = createFileRoute('/_shell/strategies/')({
  staticData: { title: '策略列表', skeleton: 'list', permission: 'strategy:view' },
  validateSearch: texts('kind', 'status', 'tag', 'search', 'sort', 'page', 'view', 'manual', 'source'),
  component: StrategyListPage,
})
