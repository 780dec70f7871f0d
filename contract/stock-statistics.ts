// The figures of a stock strategy for each of its stocks (wire.md §7). Ratios are fractions; money in NT$; null has its reason.
import * as z from 'zod/mini'
import { STOCK_SORTS } from '#trading/stock-statistics.ts'
import { endpoint } from './endpoint.ts'
import { amount, at, day, id, text } from './fields.ts'

const figure = z.number()
const maybe = z.nullable(z.number())

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
