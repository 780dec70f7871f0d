// Equity after each trade, its drawdown, and the small curve of a list card.
import { ratio, type Scaled, scaled, toNumber } from '../decimal.ts'
import type { Trade } from '../record.ts'

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

/** Largest fall from a peak, and largest fall as a share of its peak (independent maxima); the peak starts at capital. */
export function drawdowns(
  nets: readonly Scaled[],
  initial_capital: number | null,
): { max: Scaled; pct: number | null } {
  let equity = initial_capital === null ? 0n : scaled(initial_capital)
  let peak = equity
  let max = 0n
  let worst: [Scaled, Scaled] = [0n, 1n]
  const known = initial_capital !== null && peak > 0n
  for (const net of nets) {
    equity += net
    if (equity > peak) peak = equity
    const fall = peak - equity
    if (fall > max) max = fall
    if (known && fall * worst[1] > worst[0] * peak) worst = [fall, peak]
  }
  return { max, pct: known ? ratio(...worst) : null }
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
  const values = [
    initial_capital ?? 0,
    ...equityCurve(trades, initial_capital, 1_000_000).map((p) => p.equity),
  ]
  const last = values.length - 1
  return Array.from({ length: 30 }, (_, i) => values[Math.round((i * last) / 29)] as number)
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
