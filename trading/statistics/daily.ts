// Figures that look at every trading date between the first entry and the last exit, also the quiet ones.
import { type MarketHours, tradingDates, tradingSessionAt } from '../calendar.ts'
import { type Scaled, scaled } from '../decimal.ts'
import type { Running } from './running.ts'
import { exact } from './running.ts'

export interface DailyOptions {
  initial_capital: number | null
  closed_days?: ReadonlySet<string>
  market?: 'futures' | 'stock'
  has_night?: boolean
  /** Of the product; absent: the market's. */
  sessions?: MarketHours['sessions']
  /** Yearly risk-free rate for the Sharpe ratio, default 0. */
  risk_free?: number
}

/** Net profit of every trading date in the range, scaled; empty without trades. */
export function dailyNets({ days, first_entry }: Running, options: DailyOptions): Scaled[] {
  const last = days.at(-1)
  if (!last || first_entry === null) return []
  const hours: MarketHours = {
    has_night: options.has_night ?? true,
    closed_days: options.closed_days ?? new Set(),
    market: options.market ?? 'futures',
    sessions: options.sessions,
  }
  const from = tradingSessionAt(first_entry, hours).trading_date
  const to = last[0] > from ? last[0] : from
  const nets: Scaled[] = []
  let next = 0
  for (const date of tradingDates(from, to, options.closed_days)) {
    // A trade booked on a day the calendar calls closed, or before the range, still has its day.
    for (; next < days.length && (days[next]?.[0] as string) < date; next++)
      nets.push(exact(days[next]?.[1] as number))
    if (days[next]?.[0] === date) nets.push(exact(days[next++]?.[1] as number))
    else nets.push(0n)
  }
  for (; next < days.length; next++) nets.push(exact(days[next]?.[1] as number))
  return nets
}

/** (mean − rf/252) ÷ sample sd × √252 of daily net ÷ capital; null below 2 days or without variation. */
export function sharpe(daily: readonly Scaled[], options: DailyOptions): number | null {
  const capital = options.initial_capital
  if (capital === null || capital <= 0) return null
  const n = BigInt(daily.length)
  if (n < 2n) return null
  const total = daily.reduce((a, b) => a + b, 0n)
  const squares = daily.reduce((a, b) => a + b * b, 0n)
  // Exact, so that equal days have no variation at all; floating point enters only with the root.
  const spread = n * squares - total * total
  if (spread === 0n) return null
  const mean = Number(total) / Number(n) / 10_000 / capital
  const sd = Math.sqrt(Number(spread) / (Number(n) * Number(n - 1n))) / 10_000 / capital
  const value = ((mean - (options.risk_free ?? 0) / 252) / sd) * Math.sqrt(252)
  return Number(value.toFixed(10))
}

/** Longest run of trading dates whose closing equity lies below an earlier peak. */
export function underwaterDays(daily: readonly Scaled[], options: DailyOptions): number {
  let equity = scaled(options.initial_capital ?? 0)
  let peak = equity
  let [run, best] = [0, 0]
  for (const net of daily) {
    equity += net
    run = equity < peak ? run + 1 : 0
    if (equity > peak) peak = equity
    if (run > best) best = run
  }
  return best
}
