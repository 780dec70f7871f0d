// The figures of a strategy in full (wire.md §7). Ratios are fractions; null has its reason.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { amount, at, day, id, seen } from './fields.ts'
import { stats_summary } from './summary.ts'

export type { StatsSummary } from './summary.ts'

const figure = z.number()
const maybe = z.nullable(z.number())

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
