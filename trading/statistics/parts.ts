// The figures of each side and each trading session, carried on with the trades like those of the whole.
import { type MarketHours, tradingSessionAt } from '../calendar.ts'
import type { Trade } from '../record.ts'
import { byExit } from './curve.ts'
import { comparePlaces, placeOf, type Running, runningOf, runOn, shortenRows } from './running.ts'

const PARTS = ['long', 'short', 'day', 'night'] as const
export type StatisticsPart = (typeof PARTS)[number]

/** Changed in place. */
export interface Parts {
  /** All trades in the order of exits. */
  readonly sorted: Trade[]
  readonly of: Readonly<Record<StatisticsPart, Running>>
}

/** Trades between two pauses. */
const SLICE = 512

/** All trades of a strategy, in any order. */
export function* partsInSlices(trades: readonly Trade[], hours: MarketHours): Generator<undefined, Parts> {
  const parts: Parts = {
    sorted: byExit(trades),
    of: { long: runningOf([]), short: runningOf([]), day: runningOf([]), night: runningOf([]) },
  }
  yield
  for (const [i, trade] of parts.sorted.entries()) {
    for (const part of partsOf(trade, hours)) runOn(parts.of[part], trade)
    if (i % SLICE === SLICE - 1) yield
  }
  for (const part of PARTS) shortenRows(parts.of[part])
  return parts
}

/** Takes in one more; false when it did not close last of all, and then nothing is changed: they are made anew. */
export function partsOn({ sorted, of }: Parts, trade: Trade, hours: MarketHours): boolean {
  const last = sorted.at(-1)
  if (last && comparePlaces(placeOf(last), placeOf(trade)) > 0) return false
  for (const part of partsOf(trade, hours)) {
    runOn(of[part], trade)
    shortenRows(of[part])
  }
  sorted.push(trade)
  return true
}

/** The side of a trade, and the trading session of its exit that was really open; exits outside of any are neither day nor night. */
function partsOf({ side, exit_at, contract }: Trade, hours: MarketHours): StatisticsPart[] {
  const { session } = tradingSessionAt(exit_at, { ...hours, contract })
  return session === 'day' || session === 'night' ? [side, session] : [side]
}
