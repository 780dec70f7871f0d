// /strategies/{strategyId}: one strategy; the tab stands in ?tab=, an open record in ?signal=.
import { createFileRoute } from '@tanstack/react-router'
import { SignalList } from '#features/signal/SignalList.tsx'
import { StrategyDetailPage } from '#features/strategy/StrategyDetailPage.tsx'
import { prefetchWith } from '#screen/prefetch.ts'
import { anyTexts } from '#screen/search.ts'

export const Route = createFileRoute('/_shell/strategies/$strategyId/')({
  staticData: { title: '策略', skeleton: 'detail', permission: 'strategy:view' },
  validateSearch: anyTexts,
  loader: ({ params }) =>
    prefetchWith(async () => {
      const { strategyQueries } = await import('#data/nouns/strategy.ts')
      return (ctx) => strategyQueries.one(ctx, params.strategyId)
    }),
  component: function Detail() {
    const { strategyId } = Route.useParams()
    return <StrategyDetailPage strategy_id={strategyId} signals={<SignalList strategy_id={strategyId} />} />
  },
})
