/* 部位: what is held and what it is worth, what asks for an answer about it, and how it came to be. */

import type { Strategy } from '#contract/strategy.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { serverNow } from '#text/now.ts'
import { ExpiryCard } from './ExpiryCard.tsx'
import { GapCard } from './GapCard.tsx'
import { gapsShown } from './gap.ts'
import { HistoryCard } from './HistoryCard.tsx'
import { PositionList } from './PositionList.tsx'

/** `strategy` with what waits on this device laid over it, `recorded` without. */
export type PositionsTabProps = { strategy: Strategy; recorded: Strategy }

export function PositionsTab({ strategy, recorded }: PositionsTabProps) {
  const { on: masked } = usePrivacy()
  const now = serverNow()
  return (
    <div className="stack">
      {recorded.expiries?.map((expiry) => (
        <ExpiryCard key={`${expiry.symbol} ${expiry.contract}`} strategy={recorded} expiry={expiry} />
      ))}
      {gapsShown(recorded.position_gaps).map((gap) => (
        <GapCard key={gap.signal_id} strategy={recorded} gap={gap} />
      ))}
      <PositionList strategy={strategy} recorded={recorded} now={now} masked={masked} />
      {recorded.signal_count > 0 && <HistoryCard strategy={recorded} now={now} />}
    </div>
  )
}
