// Positions left open in a month that is over: named with the strategy, closed by the settlement price somebody fills in (wire.md §14).
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { amount, at, id, num, text } from './fields.ts'
import { PRICE_MAX, signal_record } from './signal.ts'
import { CONTRACT_MONTH } from './strategy-settings.ts'

/** What is proposed: to close all of it at `ended_at`, for a price that is asked for. */
export const expiry = z.object({
  symbol: z.string(),
  symbol_name: z.string(),
  contract: z.string(),
  /** Signed, lots. */
  quantity: z.number(),
  avg_price: z.nullable(amount()),
  /** 13:30 of the last trading day. */
  ended_at: at(),
})
export type Expiry = z.infer<typeof expiry>

export const settleExpiry = endpoint({
  name: 'strategy.settle-expiry',
  method: 'POST',
  path: '/strategies/:id/expiries/:contract',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: '以最後結算價平掉到期月份留下的部位：另記一筆系統紀錄，時間是最後交易日 13:30',
  input: z.object({
    id: id(),
    contract: z.string().check(z.trim(), z.regex(CONTRACT_MONTH, '合約月份寫成 YYYYMM，週契約加 W1 或 F1')),
    /** Needed where several products of one strategy are open in the same month. */
    symbol: z.optional(text(1, 20)),
    settlement_price: num(0.0001, PRICE_MAX),
  }),
  output: signal_record,
})
