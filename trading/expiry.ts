// Positions left open in a month that is over: found and proposed for closing, never closed by themselves (domain §5.3, rule 9).
import { contractEnd, isOver, msOf } from './calendar.ts'
import { type OpenKey, positionOf } from './fold/state.ts'
import { averageOf } from './fold/step.ts'

/** A position whose contract no longer trades. */
export interface Expired {
  symbol: string
  /** The month that ended, YYYYMM[Wn|Fn]; a position on a near or next month has the one its last record named. */
  contract: string
  /** Signed, lots. */
  quantity: number
  avg_price: number | null
  /** 13:30 of the last trading day. */
  ended_at: string
  /** Entries after the end: a close at the end cannot close them. */
  entered_after: string[]
}

/**
 * Open positions of a fold whose month is over at `now`. A position on a near or next month is the strategy's own and rolls on
 * (ruling A28); only where the last thing its sender named was a month, and that month ended without a further word, is it left
 * behind with it.
 */
export function expiredOf(
  open: readonly OpenKey[],
  now: string,
  closed_days: ReadonlySet<string>,
): Expired[] {
  return open.flatMap((one) => {
    // States written before months were kept have none.
    const month = one.month ?? null
    const ended_at = contractEnd(month, closed_days)
    if (month === null || ended_at === null || !isOver(month, now, closed_days)) return []
    const entered_after = one.lots
      .filter(({ at }) => msOf(at) >= msOf(ended_at))
      .map(({ signal_id }) => signal_id)
    const quantity = positionOf(one)
    return [
      { symbol: one.symbol, contract: month, quantity, avg_price: averageOf(one), ended_at, entered_after },
    ]
  })
}
