// Figures that look at every trading date between the first entry and the last exit, also the quiet ones.
import { type MarketHours, sessionAt, tradingDates } from '../calendar.ts'
import { type Scaled, scaled } from '../decimal.ts'
import type { Trade } from '../record.ts'

interface DailyOptions {
  initial_capital: number | null
  closed_days?: ReadonlySet<string>
  market?: 'futures' | 'stock'
  has_night?: boolean
  risk_free?: number
}

/** Net profit of every trading date in the range, scaled; trades already sorted by exit. */
function dailyNets(trades: readonly Trade[], options: DailyOptions): Scaled[] {
  let first = trades[0] as Trade
  let begin = Date.parse(first.entry_at)
  for (const t of trades) {
    const at = Date.parse(t.entry_at)
    if (at < begin) [first, begin] = [t, at]
  }
  const hours: MarketHours = {
    has_night: options.has_night ?? true,
    closed_days: options.closed_days ?? new Set(),
    market: options.market ?? 'futures',
  }
  const from = sessionAt(first.entry_at, hours).trading_date
  const to = trades.reduce((a, t) => (t.exit_trading_date > a ? t.exit_trading_date : a), from)
  const nets = new Map<string, Scaled>()
  for (const t of trades) nets.set(t.exit_trading_date, (nets.get(t.exit_trading_date) ?? 0n) + scaled(t.net))
  // A trade booked on a day the calendar calls closed still has its day.
  const days = new Set([...tradingDates(from, to, options.closed_days), ...nets.keys()])
  return [...days].sort().map((day) => nets.get(day) ?? 0n)
}

/** (mean − rf/252) ÷ sample sd × √252 of daily net ÷ capital; null below 2 days or without variation. */
export function sharpe(trades: readonly Trade[], options: DailyOptions): number | null {
  const capital = options.initial_capital
  if (capital === null || capital <= 0 || trades.length === 0) return null
  const daily = dailyNets(trades, options)
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
export function underwaterDays(trades: readonly Trade[], options: DailyOptions): number {
  if (trades.length === 0) return 0
  let equity = scaled(options.initial_capital ?? 0)
  let peak = equity
  let [run, best] = [0, 0]
  for (const net of dailyNets(trades, options)) {
    equity += net
    run = equity < peak ? run + 1 : 0
    if (equity > peak) peak = equity
    if (run > best) best = run
  }
  return best
}
