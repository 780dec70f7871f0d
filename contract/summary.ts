// The figures of a strategy in short (wire.md §7 StatsSummary). Ratios are fractions; null has its reason.
import * as z from 'zod/mini'

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
