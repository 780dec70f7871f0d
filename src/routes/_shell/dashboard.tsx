// /dashboard: the day at a glance.
import { createFileRoute } from '@tanstack/react-router'
import { dashboardQueries } from '#data/dashboard.ts'
import { DashboardPage } from '#features/dashboard/DashboardPage.tsx'
import { prefetch } from '#features/shell/prefetch.ts'

export const Route = createFileRoute('/_shell/dashboard')({
  staticData: { title: '首頁', skeleton: 'dashboard' },
  loader: () => prefetch(dashboardQueries.mine),
  component: DashboardPage,
})
