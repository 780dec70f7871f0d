/* What about the positions asks for an answer: a month that is over, a report that does not fit. */

import type { Strategy } from '#contract/strategy.ts'
import { ExpiryCard } from './ExpiryCard.tsx'
import { GapCard } from './GapCard.tsx'
import { gapsShown } from './gap.ts'

/** `recorded` the strategy without what waits on this device. */
export function PositionsAsked({ recorded }: { recorded: Strategy }) {
  return (
    <>
      {recorded.expiries?.map((expiry) => (
        <ExpiryCard key={`${expiry.symbol} ${expiry.contract}`} strategy={recorded} expiry={expiry} />
      ))}
      {gapsShown(recorded.position_gaps).map((gap) => (
        <GapCard key={gap.signal_id} strategy={recorded} gap={gap} />
      ))}
    </>
  )
}
