// /dashboard: the day at a glance.
import { createFileRoute } from '@tanstack/react-router'
import { dashboardQueries } from '#data/dashboard.ts'
import { DashboardPage } from '#features/dashboard/DashboardPage.tsx'
import { prefetch } from '#features/shell/prefetch.ts'
import { texts } from '#features/shell/search.ts'

export const Route = createFileRoute('/_shell/dashboard')({
  staticData: { title: '首頁', skeleton: 'dashboard' },
  validateSearch: texts('source'),
  loader: () => prefetch(dashboardQueries.mine),
  component: DashboardPage,
})
