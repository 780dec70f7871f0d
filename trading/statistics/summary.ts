// The figures of wire §7 from running sums (domain §6): exact, ratios half up to 10 decimals, never NaN.
import { divHalfUp, ratio, type Scaled, scaled, toNumber } from '../decimal.ts'
import { type DailyOptions, dailyNets, sharpe, underwaterDays } from './daily.ts'
import { exact, type Path, pathOf, type Running, type Sum } from './running.ts'

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
