// A position left open in a month that is over is closed by the settlement price somebody fills in (wire.md §14). What is left
// open stands with the strategy: this call is a file of its own so that the first screen need not carry it.
import * as z from 'zod/mini'
import { PRICE_MAX } from '#trading/record.ts'
import { endpoint } from './endpoint.ts'
import { id, num, text } from './fields.ts'
import { CONTRACT_MONTH } from './kinds/futures.ts'
import { signal_record } from './signal.ts'

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
