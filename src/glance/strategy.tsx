import { SignalList } from '#features/signal/SignalList.tsx'
import { StrategyDetailPage } from '#features/strategy/StrategyDetailPage.tsx'
import { drawPage } from './page.tsx'

const id = location.pathname.split('/')[2] ?? ''
drawPage(
  () => <StrategyDetailPage strategy_id={id} signals={<SignalList strategy_id={id} />} />,
  'strategy:view',
)
