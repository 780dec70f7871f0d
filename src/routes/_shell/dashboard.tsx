// /dashboard: the day at a glance.
import { createFileRoute } from '@tanstack/react-router'
import { DashboardPage } from '#features/dashboard/DashboardPage.tsx'

export const Route = createFileRoute('/_shell/dashboard')({
  staticData: { title: '首頁', skeleton: 'dashboard' },
  component: DashboardPage,
})
