// The figures of wire §7 from running sums (domain §6): exact, ratios half up to 10 decimals, never NaN.
import { type MarketHours, tradingDates, tradingSessionAt } from '../calendar.ts'
import { divHalfUp, ratio, type Scaled, scaled, toNumber } from '../decimal.ts'
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
  runOn,
  type Sum,
  shortenRows,
  sumOf,
  type TradeSums,
} from './running.ts'

// The figures of each side and each trading session, carried on with the trades like those of the whole.

const PARTS = ['long', 'short', 'day', 'night'] as const
type StatisticsPart = (typeof PARTS)[number]

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

// Figures that look at every trading date between the first entry and the last exit, also the quiet ones.

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

// Equity after each trade, its drawdown, and the small curve of a list card.

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
 * `sorted` by exit, with what was carried on with them.
 */
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

/** 30 equity values evenly spread over the trades, from the capital to the last equity; its cost does not grow with the trades. */
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

/** wire §7. */
export interface StatsSummary {
  trade_count: number
  win_count: number
  loss_count: number
  even_count: number
  win_rate: number | null
  gross_profit: number
  gross_loss: number
  net_profit: number
  total_gross: number
  total_fee: number
  total_tax: number
  total_slippage: number
  profit_factor: number | null
  profit_factor_reason: 'no_loss' | 'no_trades' | null
  avg_win: number | null
  avg_loss: number | null
  payoff_ratio: number | null
  expectancy: number | null
  expectancy_r: number | null
  largest_win: number | null
  largest_loss: number | null
  max_drawdown: number
  max_drawdown_pct: number | null
  recovery_factor: number | null
  max_consecutive_wins: number
  max_consecutive_losses: number
  avg_holding_minutes: number | null
  median_holding_minutes: number | null
  max_holding_minutes: number | null
  sharpe: number | null
  total_return: number | null
  underwater_days: number
  excluded_count: number
  small_sample: boolean
}

export interface StatsOptions extends DailyOptions {
  /** Closed pieces that have no trade because a price is missing (FoldState.excluded_count). */
  excluded_count?: number
}

/** Everything domain §6.1 defines. Costs time by days and by distinct holding times, not by trades. */
export function summaryOf(running: Running, options: StatsOptions): StatsSummary {
  const path = pathOf(running)
  const { count, win_count, loss_count } = running
  const [N, W, L] = [BigInt(count), BigInt(win_count), BigInt(loss_count)]
  const [GP, GL] = [exact(running.gross_profit), exact(running.gross_loss)]
  const net = GP - GL
  const capital = options.initial_capital
  const deepest = exact(path.deepest)
  const daily = dailyNets(running, options)
  return {
    trade_count: count,
    win_count,
    loss_count,
    even_count: count - win_count - loss_count,
    win_rate: ratio(W, N),
    gross_profit: toNumber(GP),
    gross_loss: toNumber(GL),
    net_profit: toNumber(net),
    total_gross: shown(running.gross),
    total_fee: shown(running.fee),
    total_tax: shown(running.tax),
    total_slippage: shown(running.slippage),
    profit_factor: ratio(GP, GL),
    profit_factor_reason: count === 0 ? 'no_trades' : GL === 0n && GP > 0n ? 'no_loss' : null,
    avg_win: mean(GP, W),
    avg_loss: mean(GL, L),
    payoff_ratio: W === 0n ? null : ratio(GP * L, GL * W),
    expectancy: mean(net, N),
    expectancy_r: ratio(net * L, GL * N),
    largest_win: running.largest_win === null ? null : shown(running.largest_win),
    largest_loss: running.largest_loss === null ? null : shown(running.largest_loss),
    max_drawdown: toNumber(deepest),
    max_drawdown_pct: deepestShare(path, capital),
    recovery_factor: ratio(net, deepest),
    max_consecutive_wins: path.most_wins,
    max_consecutive_losses: path.most_losses,
    ...holdings(running),
    sharpe: sharpe(daily, options),
    total_return: capital === null || capital === 0 ? null : ratio(net, scaled(capital)),
    underwater_days: underwaterDays(daily, options),
    excluded_count: options.excluded_count ?? 0,
    small_sample: count < 30,
  }
}

function shown(sum: Sum): number {
  return toNumber(exact(sum))
}

function mean(total: Scaled, count: bigint): number | null {
  return count === 0n ? null : toNumber(divHalfUp(total, count))
}

/** Largest fall as a share of the peak it fell from; the first peak is the capital. */
function deepestShare(path: Path, capital: number | null): number | null {
  const base = capital === null ? 0n : scaled(capital)
  if (base <= 0n) return null
  let worst: [Scaled, Scaled] = [0n, 1n]
  for (const [before, by] of path.falls) {
    const [peak, fall] = [base + exact(before), exact(by)]
    if (fall * worst[1] > worst[0] * peak) worst = [fall, peak]
  }
  return ratio(...worst)
}

function holdings({
  minutes,
  minutes_sum,
  count,
}: Running): Pick<StatsSummary, 'avg_holding_minutes' | 'median_holding_minutes' | 'max_holding_minutes'> {
  const longest = minutes.at(-1)?.[1].exact.at(-1)
  if (!longest) return { avg_holding_minutes: null, median_holding_minutes: null, max_holding_minutes: null }
  const half = Math.floor(count / 2)
  const upper = nth(minutes, half)
  return {
    avg_holding_minutes: mean(exact(minutes_sum), BigInt(count)),
    median_holding_minutes: count % 2 === 1 ? upper : between(nth(minutes, half - 1), upper),
    max_holding_minutes: longest[0],
  }
}

/** The middle of two holding times, half up to 4 decimals. */
function between(a: number, b: number): number {
  return toNumber(divHalfUp(scaled(a) + scaled(b), 2n))
}

/** The holding time at an index of all holding times in ascending order. */
function nth(minutes: Running['minutes'], index: number): number {
  let left = index
  for (const [, { count, exact }] of minutes) {
    if (left >= count) {
      left -= count
      continue
    }
    for (const [held, times] of exact) {
      if (left < times) return held
      left -= times
    }
  }
  throw new RangeError(`no trade ${index}`)
}

/** Trades by side and by the trading session of their exit that was really open; exits outside of any are neither day nor night. */
export function partition(
  trades: readonly Trade[],
  hours: MarketHours,
): Record<'long' | 'short' | 'day' | 'night', Trade[]> {
  const sessions = trades.map((t) => tradingSessionAt(t.exit_at, { ...hours, contract: t.contract }).session)
  return {
    long: trades.filter((t) => t.side === 'long'),
    short: trades.filter((t) => t.side === 'short'),
    day: trades.filter((_, i) => sessions[i] === 'day'),
    night: trades.filter((_, i) => sessions[i] === 'night'),
  }
}
