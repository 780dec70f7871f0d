// Equity after each trade, its drawdown, and the small curve of a list card.
import { scaled, toNumber } from '../decimal.ts'
import type { Trade } from '../record.ts'
import { pathOf, type Running, runningOf } from './running.ts'
import { exact } from './sum.ts'

export interface CurvePoint {
  at: string
  trading_date: string
  equity: number
  drawdown: number
}

/** Trades by exit, entries and ids breaking ties, so that any input order gives the same figures. */
export function byExit(trades: readonly Trade[]): Trade[] {
  const keyed = trades.map((t) => ({ t, exit: Date.parse(t.exit_at), entry: Date.parse(t.entry_at) }))
  keyed.sort(
    (a, b) =>
      a.exit - b.exit ||
      order(a.t.exit_signal_id, b.t.exit_signal_id) ||
      a.entry - b.entry ||
      order(a.t.id, b.t.id),
  )
  return keyed.map(({ t }) => t)
}

/** A point per trade, at most `limit`: thinned evenly, always with the deepest and the last point. */
export function equityCurve(
  trades: readonly Trade[],
  initial_capital: number | null,
  limit = 2000,
): CurvePoint[] {
  let equity = initial_capital === null ? 0n : scaled(initial_capital)
  let peak = equity
  const points = byExit(trades).map((trade): CurvePoint => {
    equity += scaled(trade.net)
    if (equity > peak) peak = equity
    return {
      at: trade.exit_at,
      trading_date: trade.exit_trading_date,
      equity: toNumber(equity),
      drawdown: toNumber(peak - equity),
    }
  })
  if (points.length <= limit) return points
  let deepest = 0
  points.forEach((p, i) => {
    if (p.drawdown > (points[deepest] as CurvePoint).drawdown) deepest = i
  })
  const kept = new Set([deepest, points.length - 1])
  for (let i = 0; i < limit - 2; i++) kept.add(Math.floor((i * points.length) / (limit - 2)))
  return points.filter((_, i) => kept.has(i))
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

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
