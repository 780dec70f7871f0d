// The figures of a strategy (wire.md §7), in short and in full. Ratios are fractions; null has its reason.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { amount, at, day, id } from './fields.ts'

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

export const trade = z.object({
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

export const statistics = z.object({
  basis: z.enum(['full', 'visible']),
  from: z.nullable(day()),
  to: z.nullable(day()),
  chain_seq: figure,
  /** Equity the period began with. */
  initial_capital: maybe,
  summary: stats_summary,
  long: stats_summary,
  short: stats_summary,
  day: stats_summary,
  night: stats_summary,
  curve: z.array(z.object({ at: at(), trading_date: day(), equity: amount(), drawdown: amount() })),
  monthly: z.array(z.object({ month: z.string(), ...period_row })),
  yearly: z.array(z.object({ year: z.string(), ...period_row })),
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
    before: z.optional(z.string().check(z.maxLength(100))),
  }),
  output: statistics,
})
