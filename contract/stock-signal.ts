// The records of a stock strategy with their sizes in 張 and 股, and what they are worth (StockSignalRecordByStrategyID, wire §6).
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { amount, growing, growing_query, id, text } from './fields.ts'
import { signal_record } from './signal-shape.ts'

const stock_signal_record = z.extend(signal_record, {
  /** Whole 張, and the 股 beside them; null where the record names no size. */
  board_lots: z.nullable(z.number()),
  odd_shares: z.nullable(z.number()),
  /** NT$: price × shares; null without a price or size. */
  amount: z.nullable(amount()),
})

export const listStockSignals = endpoint({
  name: 'signal.stocks-of-strategy',
  method: 'GET',
  path: '/strategies/:id/stock-signals',
  who: 'strategy:view',
  when_offline: 'fail',
  about: '股票策略的訊號，新的在前，附幾張、幾股與金額',
  input: z.object({
    id: id(),
    symbol: z.optional(text(0, 20)),
    ...growing_query,
  }),
  output: growing(stock_signal_record),
})
