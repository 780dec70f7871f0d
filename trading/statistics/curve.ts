// Equity after each trade, its drawdown, and the small curve of a list card.
import { type Scaled, scaled, toNumber } from '../decimal.ts'
import type { Trade } from '../record.ts'
import {
  comparePlaces,
  exact,
  minus,
  type Path,
  pathOf,
  placeOf,
  plus,
  type Running,
  runningOf,
  type Sum,
  sumOf,
  type TradeSums,
} from './running.ts'

export interface CurvePoint {
  at: string
  trading_date: string
  equity: number
  drawdown: number
}

/** Trades by exit, entries and ids breaking ties, so that any input order gives the same figures. */
export function byExit(trades: readonly Trade[]): Trade[] {
  const placed = trades.map((trade) => ({ trade, place: placeOf(trade) }))
  placed.sort((a, b) => comparePlaces(a.place, b.place))
  return placed.map(({ trade }) => trade)
}

/**
 * A point per trade, at most `limit`: thinned evenly, always with the last point and with both deepest falls, in money and
 * as a share of the peak, which need not be the same: what is drawn is as deep as what the table says.
 */
export function equityCurve(
  trades: readonly Trade[],
  initial_capital: number | null,
  limit = 2000,
): CurvePoint[] {
  const sorted = byExit(trades)
  return equityCurveOf(sorted, runningOf(sorted), initial_capital, limit)
}

/** The same of trades in the order of exits and what was carried on with them. */
export function equityCurveOf(
  sorted: readonly Trade[],
  running: Running,
  initial_capital: number | null,
  limit: number,
): CurvePoint[] {
  // Walks the sums again if a late trade made that necessary.
  const { falls } = pathOf(running)
  const { rows } = running
  const capital: Sum = initial_capital === null ? 0 : sumOf(initial_capital)
  const wanted = rows.length > limit ? [falls.at(-1)?.[2] ?? 0, steepestOf(falls, capital)] : []
  return thinned(rows.length, wanted, limit).map((i) => {
    const [trade, row] = [sorted[i] as Trade, rows[i] as TradeSums]
    return {
      at: trade.exit_at,
      trading_date: trade.exit_trading_date,
      equity: toNumber(exact(plus(capital, row.total))),
      drawdown: toNumber(exact(minus(row.peak, row.total))),
    }
  })
}

/** Which trade ended the fall that is the largest share of its peak; the first one when there is no capital to fall from. */
function steepestOf(falls: Path['falls'], capital: Sum): number {
  let [steepest, worst]: [number, [fall: Scaled, peak: Scaled]] = [0, [0n, 1n]]
  for (const [peak, fall, at] of falls) {
    const [by, from] = [exact(fall), exact(plus(capital, peak))]
    if (from > 0n && by * worst[1] > worst[0] * from) [steepest, worst] = [at, [by, from]]
  }
  return steepest
}

/** Which of so many points are kept, ascending. */
function thinned(count: number, wanted: readonly number[], limit: number): number[] {
  if (count <= limit) return Array.from({ length: count }, (_, i) => i)
  const kept = new Set([...wanted, count - 1])
  const even = limit - wanted.length - 1
  for (let i = 0; i < even; i++) kept.add(Math.floor((i * count) / even))
  return [...kept].sort((a, b) => a - b)
}

/** 30 equity values evenly spread over the trades, from the capital to the last equity. */
export function miniCurve(trades: readonly Trade[], initial_capital: number | null): number[] {
  return miniCurveOf(runningOf(trades), initial_capital)
}

/** The same from what was carried on: its cost does not grow with the trades. */
export function miniCurveOf(running: Running, initial_capital: number | null): number[] {
  // Walks the sums again if a late trade made that necessary.
  pathOf(running)
  const capital = initial_capital === null ? 0n : scaled(initial_capital)
  const last = running.rows.length
  return Array.from({ length: 30 }, (_, i) => {
    const at = Math.round((i * last) / 29)
    return at === 0 ? (initial_capital ?? 0) : toNumber(capital + exact(running.rows[at - 1]?.total ?? 0))
  })
}
