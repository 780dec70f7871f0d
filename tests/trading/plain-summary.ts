// Domain §6.1 written down plainly, every figure by its own walk over all trades: what the carried figures are held against.
import { type MarketHours, tradingDates, tradingSessionAt } from '#trading/calendar.ts'
import { divHalfUp, ratio, type Scaled, scaled, toNumber } from '#trading/decimal.ts'
import type { Trade } from '#trading/record.ts'
import { byExit, type StatsOptions, type StatsSummary } from '#trading/statistics/summary.ts'

type DailyOptions = StatsOptions

/** Everything domain §6.1 defines over closed trades, in any order. */
export function plainSummary(trades: readonly Trade[], options: StatsOptions): StatsSummary {
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

/** Largest fall from a peak, and largest fall as a share of its peak (independent maxima); the peak starts at capital. */
function drawdowns(
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
  const from = tradingSessionAt(first.entry_at, hours).trading_date
  const to = trades.reduce((a, t) => (t.exit_trading_date > a ? t.exit_trading_date : a), from)
  const nets = new Map<string, Scaled>()
  for (const t of trades) nets.set(t.exit_trading_date, (nets.get(t.exit_trading_date) ?? 0n) + scaled(t.net))
  // A trade booked on a day the calendar calls closed still has its day.
  const days = new Set([...tradingDates(from, to, options.closed_days), ...nets.keys()])
  return [...days].sort().map((day) => nets.get(day) ?? 0n)
}

/** (mean − rf/252) ÷ sample sd × √252 of daily net ÷ capital; null below 2 days or without variation. */
function sharpe(trades: readonly Trade[], options: DailyOptions): number | null {
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
function underwaterDays(trades: readonly Trade[], options: DailyOptions): number {
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
    median_holding_minutes: up.length % 2 === 1 ? b : toNumber(divHalfUp(scaled(a) + scaled(b), 2n)),
    max_holding_minutes: up.at(-1) as number,
  }
}
