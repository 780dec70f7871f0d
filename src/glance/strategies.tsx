import { StrategyListPage } from '#features/strategy/StrategyListPage.tsx'
import { drawPage } from './page.tsx'

drawPage(() => <StrategyListPage />, 'strategy:view')
