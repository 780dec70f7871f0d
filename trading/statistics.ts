// A strategy's figures from its closed trades (domain §6): exact sums, ratios half up to 10 decimals, never NaN.
import { type MarketHours, sessionAt } from './calendar.ts'
import { divHalfUp, ratio, type Scaled, scaled, toNumber } from './decimal.ts'
import type { Trade } from './record.ts'
import { byExit, drawdowns } from './statistics/curve.ts'
import { sharpe, underwaterDays } from './statistics/daily.ts'

export { type CurvePoint, equityCurve, miniCurve } from './statistics/curve.ts'
export { type MonthRow, monthlyTable, type YearRow, yearlyTable } from './statistics/table.ts'

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

export interface StatsOptions {
  initial_capital: number | null
  closed_days?: ReadonlySet<string>
  /** Closed pieces that have no trade because a price is missing (FoldState.excluded_count). */
  excluded_count?: number
  market?: 'futures' | 'stock'
  has_night?: boolean
  /** Yearly risk-free rate for the Sharpe ratio, default 0. */
  risk_free?: number
}

/** Everything §6.1 defines over closed trades, in any order. */
export function summarise(trades: readonly Trade[], options: StatsOptions): StatsSummary {
  const sorted = byExit(trades)
  const nets = sorted.map((t) => scaled(t.net))
  const wins = nets.filter((n) => n > 0n)
  const losses = nets.filter((n) => n < 0n)
  const [N, W, L] = [BigInt(nets.length), BigInt(wins.length), BigInt(losses.length)]
  const GP = sum(wins)
  const GL = -sum(losses)
  const net = GP - GL
  const capital = options.initial_capital
  const dd = drawdowns(nets, capital)
  const holding = sorted.map((t) => t.holding_minutes)
  return {
    trade_count: nets.length,
    win_count: wins.length,
    loss_count: losses.length,
    even_count: nets.length - wins.length - losses.length,
    win_rate: ratio(W, N),
    gross_profit: toNumber(GP),
    gross_loss: toNumber(GL),
    net_profit: toNumber(net),
    total_gross: toNumber(sum(sorted.map((t) => scaled(t.gross)))),
    total_fee: toNumber(sum(sorted.map((t) => scaled(t.fee)))),
    total_tax: toNumber(sum(sorted.map((t) => scaled(t.tax)))),
    total_slippage: toNumber(sum(sorted.map((t) => scaled(t.slippage)))),
    profit_factor: ratio(GP, GL),
    profit_factor_reason: nets.length === 0 ? 'no_trades' : GL === 0n && GP > 0n ? 'no_loss' : null,
    avg_win: mean(GP, W),
    avg_loss: mean(GL, L),
    payoff_ratio: W === 0n ? null : ratio(GP * L, GL * W),
    expectancy: mean(net, N),
    expectancy_r: ratio(net * L, GL * N),
    largest_win: wins.length === 0 ? null : toNumber(wins.reduce((a, b) => (b > a ? b : a))),
    largest_loss: losses.length === 0 ? null : toNumber(losses.reduce((a, b) => (b < a ? b : a))),
    max_drawdown: toNumber(dd.max),
    max_drawdown_pct: dd.pct,
    recovery_factor: ratio(net, dd.max),
    max_consecutive_wins: longest(nets, (n) => n > 0n),
    max_consecutive_losses: longest(nets, (n) => n < 0n),
    ...holdings(holding),
    sharpe: sharpe(sorted, options),
    total_return: capital === null || capital === 0 ? null : ratio(net, scaled(capital)),
    underwater_days: underwaterDays(sorted, options),
    excluded_count: options.excluded_count ?? 0,
    small_sample: nets.length < 30,
  }
}

/** Trades by side and by the session of their exit; exits outside any session count as day. */
export function partition(
  trades: readonly Trade[],
  hours: MarketHours,
): Record<'long' | 'short' | 'day' | 'night', Trade[]> {
  const night = (t: Trade) => sessionAt(t.exit_at, hours).session === 'night'
  return {
    long: trades.filter((t) => t.side === 'long'),
    short: trades.filter((t) => t.side === 'short'),
    day: trades.filter((t) => !night(t)),
    night: trades.filter(night),
  }
}

function sum(values: readonly Scaled[]): Scaled {
  return values.reduce((a, b) => a + b, 0n)
}

function mean(total: Scaled, count: bigint): number | null {
  return count === 0n ? null : toNumber(divHalfUp(total, count))
}

function longest(nets: readonly Scaled[], hit: (net: Scaled) => boolean): number {
  let [run, best] = [0, 0]
  for (const net of nets) {
    run = hit(net) ? run + 1 : 0
    if (run > best) best = run
  }
  return best
}

function holdings(
  minutes: readonly number[],
): Pick<StatsSummary, 'avg_holding_minutes' | 'median_holding_minutes' | 'max_holding_minutes'> {
  if (minutes.length === 0)
    return { avg_holding_minutes: null, median_holding_minutes: null, max_holding_minutes: null }
  const up = minutes.toSorted((a, b) => a - b)
  const half = Math.floor(up.length / 2)
  const [a = 0, b = 0] = [up[half - 1], up[half]]
  return {
    avg_holding_minutes: mean(sum(up.map((m) => scaled(m))), BigInt(up.length)),
    median_holding_minutes: up.length % 2 === 1 ? b : (a + b) / 2,
    max_holding_minutes: up.at(-1) as number,
  }
}
