// The figures of a strategy in full (wire.md §7). Ratios are fractions; null has its reason.
import * as z from 'zod/mini'
import type { StockSort } from '#trading/stock-statistics.ts'
import { endpoint } from './endpoint.ts'
import { amount, at, day, id, seen, text } from './fields.ts'

// The figures of a strategy in short (wire.md §7 StatsSummary). Ratios are fractions; null has its reason.

const figure = z.number()
const maybe = z.nullable(z.number())

export const stats_summary = z.object({
  trade_count: figure,
  win_count: figure,
  loss_count: figure,
  even_count: figure,
  win_rate: maybe,
  gross_profit: figure,
  gross_loss: figure,
  net_profit: figure,
  total_gross: figure,
  total_fee: figure,
  total_tax: figure,
  total_slippage: figure,
  profit_factor: maybe,
  profit_factor_reason: z.nullable(z.enum(['no_loss', 'no_trades'])),
  avg_win: maybe,
  avg_loss: maybe,
  payoff_ratio: maybe,
  expectancy: maybe,
  expectancy_r: maybe,
  largest_win: maybe,
  largest_loss: maybe,
  max_drawdown: figure,
  max_drawdown_pct: maybe,
  recovery_factor: maybe,
  max_consecutive_wins: figure,
  max_consecutive_losses: figure,
  avg_holding_minutes: maybe,
  median_holding_minutes: maybe,
  max_holding_minutes: maybe,
  sharpe: maybe,
  total_return: maybe,
  underwater_days: figure,
  excluded_count: figure,
  small_sample: z.boolean(),
})
export type StatsSummary = z.infer<typeof stats_summary>

const trade = z.object({
  id: z.string(),
  round_trip_id: z.string(),
  symbol: z.string(),
  contract: z.nullable(z.string()),
  side: z.enum(['long', 'short']),
  quantity: figure,
  entry_signal_id: id(),
  entry_at: at(),
  entry_price: amount(),
  exit_signal_id: id(),
  exit_at: at(),
  exit_price: amount(),
  exit_trading_date: day(),
  gross: amount(),
  fee: amount(),
  tax: amount(),
  slippage: amount(),
  net: amount(),
  return_pct: maybe,
  holding_minutes: figure,
  day_trade: z.boolean(),
  max_run_up: maybe,
  max_drawdown: maybe,
})

const period_row = { net: amount(), pct: maybe, trades: figure }

const statistics = z.object({
  basis: z.enum(['full', 'visible']),
  from: z.nullable(day()),
  to: z.nullable(day()),
  chain_seq: figure,
  /** Equity the period began with. */
  initial_capital: maybe,
  /** Trading date on which the curve begins: the first entry of all, or the first day of a period that came after it. */
  begun_on: z.nullable(day()),
  summary: stats_summary,
  long: stats_summary,
  short: stats_summary,
  day: stats_summary,
  night: stats_summary,
  curve: z.array(z.object({ at: at(), trading_date: day(), equity: amount(), drawdown: amount() })),
  monthly: z.array(z.object({ month: z.string(), ...period_row })),
  yearly: z.array(z.object({ year: z.string(), ...period_row })),
  /** Trading dates on which something closed, ascending; absent in answers kept from before there were any. */
  daily: z.optional(
    z.array(z.object({ day: day(), net: amount(), long: amount(), short: amount(), trades: figure })),
  ),
  /** How many trades ended where, [from, to) in NT$, from the worst to the best; absent as above. */
  distribution: z.optional(z.array(z.object({ from: amount(), to: amount(), long: figure, short: figure }))),
  /** The newest 200, newest first; `trades_before` asks for older ones. */
  trades: z.array(trade),
  trades_before: z.nullable(z.string()),
})
export type Statistics = z.infer<typeof statistics>

export const getStatistics = endpoint({
  name: 'strategy.statistics',
  method: 'GET',
  path: '/strategies/:id/statistics',
  who: 'strategy:view',
  scope: 'strategies:read',
  when_offline: 'fail',
  about: '一個策略的統計、權益曲線、月報酬與交易；from、to 依平倉的交易日',
  input: z.object({
    id: id(),
    from: z.optional(day()),
    to: z.optional(day()),
    /** `trades_before` of the answer before. */
    before: z.optional(z.string().check(z.maxLength(100), seen())),
  }),
  output: statistics,
})

// The figures of a stock strategy for each of its stocks (wire.md §7). Ratios are fractions; money in NT$; null has its reason.

const stock_figures = {
  signal_count: figure,
  entry_count: figure,
  trade_count: figure,
  win_count: figure,
  win_rate: maybe,
  net_pnl: amount(),
  gross_profit: amount(),
  gross_loss: amount(),
  profit_factor: maybe,
  profit_factor_reason: z.nullable(z.enum(['no_loss', 'no_trades'])),
  avg_return_pct: maybe,
  best_return_pct: maybe,
  worst_return_pct: maybe,
  avg_holding_days: maybe,
  day_trade_count: figure,
  unrealised_pnl: z.nullable(amount()),
  last_signal_at: z.nullable(at()),
}

/** Here and not with the sums: a start has no use for those (docs/decisions/first-visit.md). */
export const STOCK_SORTS = [
  'symbol',
  'net_pnl',
  'win_rate',
  'trade_count',
  'signal_count',
  'unrealised_pnl',
  'last_signal_at',
] as const satisfies readonly StockSort[]

const stock_row = z.object({
  symbol: z.string(),
  name: z.string(),
  ...stock_figures,
  open_shares: figure,
  avg_cost: z.nullable(amount()),
  last_price: z.nullable(amount()),
  last_price_at: z.nullable(at()),
})

export const getStockStatistics = endpoint({
  name: 'strategy.stock-statistics',
  method: 'GET',
  path: '/strategies/:id/stock-statistics',
  who: 'strategy:view',
  scope: 'strategies:read',
  when_offline: 'fail',
  about: '股票策略的每一檔：訊號、交易、損益、持有與參考價，另有全部的合計；from、to 依平倉的交易日',
  input: z.object({
    id: id(),
    symbol: z.optional(text(1, 20)),
    from: z.optional(day()),
    to: z.optional(day()),
    sort: z._default(z.enum(STOCK_SORTS), 'net_pnl'),
  }),
  output: z.object({
    /** `visible`: signals and trades since the caller's access began. */
    basis: z.enum(['full', 'visible']),
    from: z.nullable(day()),
    to: z.nullable(day()),
    chain_seq: figure,
    rows: z.array(stock_row),
    total: z.object(stock_figures),
  }),
})
