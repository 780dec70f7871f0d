// /strategies/{strategyId}: one strategy; the tab stands in ?tab=, an open record in ?signal=.
import { createFileRoute } from '@tanstack/react-router'
import { lazy } from 'react'
import { askedEarly } from '#data/device/store.ts'
import { StrategyDetailPage } from '#features/strategy/StrategyDetailPage.tsx'
import { prefetchWith } from '#screen/prefetch.ts'
import { anyTexts } from '#screen/search.ts'

// who opens the figures need not wait for the list
const SignalList = lazy(() =>
  import('#features/signal/SignalList.tsx').then(({ SignalList }) => ({ default: SignalList })),
)

export const Route = createFileRoute('/_shell/strategies/$strategyId/')({
  staticData: { title: '策略', skeleton: 'detail', permission: 'strategy:view' },
  validateSearch: anyTexts,
  loader({ params: { strategyId: id } }) {
    prefetchWith(async () => {
      const { strategyQueries } = await import('#data/nouns/strategy.ts')
      return (ctx) => strategyQueries.one(ctx, id)
    })
    // what src/early.ts has asked is taken before the page is drawn, which shows it
    if (!askedEarly(`/strategies/${id}/statistics`)) return
    prefetchWith(async () => {
      const { statisticsQueries } = await import('#data/nouns/statistics.ts')
      return (ctx) => statisticsQueries.ofServer(ctx, id, null)
    })
    prefetchWith(async () => {
      const { marketQueries } = await import('#data/nouns/market.ts')
      return marketQueries.calendar
    })
  },
  component: function Detail() {
    const { strategyId } = Route.useParams()
    return <StrategyDetailPage strategy_id={strategyId} signals={<SignalList strategy_id={strategyId} />} />
  },
})
