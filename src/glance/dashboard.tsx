import { DashboardPage } from '#features/dashboard/DashboardPage.tsx'
import { SignalFeed } from '#features/signal/SignalBoard.tsx'
import { drawPage } from './page.tsx'

drawPage(() => <DashboardPage Feed={SignalFeed} />)
