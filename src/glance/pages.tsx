// The first pages, as their routes have them. Each is built into a file of its own (vite.config.ts), under its name here.
import { DashboardPage } from '#features/dashboard/DashboardPage.tsx'
import { MyOrganizationsPage } from '#features/organization/MyOrganizationsPage.tsx'
import { SignalFeed } from '#features/signal/SignalBoard.tsx'
import { SignalList } from '#features/signal/SignalList.tsx'
import { SignalsPage } from '#features/signal/SignalsPage.tsx'
import { StrategyDetailPage } from '#features/strategy/StrategyDetailPage.tsx'
import { StrategyListPage } from '#features/strategy/StrategyListPage.tsx'
import { drawPage } from './page.tsx'

export const dashboard = () => drawPage(() => <DashboardPage Feed={SignalFeed} />)

export const signals = () => drawPage(() => <SignalsPage />, 'strategy:view')

export const strategies = () => drawPage(() => <StrategyListPage />, 'strategy:view')

export function strategy() {
  const id = location.pathname.split('/')[2] ?? ''
  drawPage(
    () => <StrategyDetailPage strategy_id={id} signals={<SignalList strategy_id={id} />} />,
    'strategy:view',
  )
}

export const organizations = () => drawPage(() => <MyOrganizationsPage />, 'my-organizations:view')
