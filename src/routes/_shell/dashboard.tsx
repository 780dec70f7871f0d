// /dashboard: the day at a glance, and the feed; an open record stands in ?signal=.
import { createFileRoute } from '@tanstack/react-router'
import { DashboardPage } from '#features/dashboard/DashboardPage.tsx'
import { SignalFeed } from '#features/signal/SignalBoard.tsx'
import { prefetchWith } from '#screen/prefetch.ts'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_shell/dashboard')({
  staticData: { title: '首頁', skeleton: 'dashboard' },
  validateSearch: texts('source', 'signal'),
  loader: () => prefetchWith(async () => (await import('#data/nouns/board.ts')).dashboardQueries.mine),
  component: () => <DashboardPage Feed={SignalFeed} />,
})
