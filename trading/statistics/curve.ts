// Equity after each trade, its drawdown, and the small curve of a list card.
import { type Scaled, scaled, toNumber } from '../decimal.ts'
import type { Trade } from '../record.ts'
import { comparePlaces, pathOf, placeOf, type Running, runningOf } from './running.ts'
import { above, exact, minus, plus, type Sum, sumOf } from './sum.ts'

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
  let equity: Sum = initial_capital === null ? 0 : sumOf(initial_capital)
  let peak = equity
  let [deepest, fall]: [number, Sum] = [0, 0]
  let [steepest, share]: [number, [fall: Scaled, peak: Scaled]] = [0, [0n, 1n]]
  const walked = sorted.map(({ net }, i) => {
    equity = plus(equity, sumOf(net))
    if (above(equity, peak)) peak = equity
    const drawdown = minus(peak, equity)
    if (above(drawdown, fall)) {
      ;[deepest, fall] = [i, drawdown]
      // Peaks only rise, so a larger share is a larger amount, too.
      const [by, from] = [exact(drawdown), exact(peak)]
      if (from > 0n && by * share[1] > share[0] * from) [steepest, share] = [i, [by, from]]
    }
    return { equity, drawdown }
  })
  return thinned(sorted.length, [deepest, steepest], limit).map((i) => {
    const [trade, point] = [sorted[i] as Trade, walked[i] as (typeof walked)[number]]
    return {
      at: trade.exit_at,
      trading_date: trade.exit_trading_date,
      equity: toNumber(exact(point.equity)),
      drawdown: toNumber(exact(point.drawdown)),
    }
  })
}

/** Which of so many points are kept, ascending. */
function thinned(count: number, wanted: readonly number[], limit: number): number[] {
  const every = Array.from({ length: count }, (_, i) => i)
  if (count <= limit) return every
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
