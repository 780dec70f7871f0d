// Signals that a person enters: the two calls (wire.md §6, operations.md). Both may wait in the outbox.
import * as z from 'zod/mini'
import { MANUAL_ACTIONS } from '#trading/manual.ts'
import { PRICE_MAX, UNITS } from '#trading/record.ts'
import { endpoint } from './endpoint.ts'
import { at, id, int, num, text } from './fields.ts'
import { signal_record } from './signal-shape.ts'

const entry = {
  strategy_id: id(),
  /** Of the record it becomes: made on the device when the person pressed, unique for ever (rulings A17, A24). */
  id: id(),
  action: z.enum(MANUAL_ACTIONS, '請選擇動作'),
  price: num(0.0001, PRICE_MAX),
  /** Null: all that is held (exits, close_all, reverse). */
  quantity: z.nullable(int(1, 9_999_999)),
  occurred_at: at(),
  note: z.optional(text(0, 200)),
  /** Absent: whoever follows is alarmed unless it happened over an hour ago. */
  notify: z.optional(z.boolean()),
  /** It waited on the device past its time, and the person said 仍要送出. */
  confirmed_late: z.optional(z.boolean()),
}
const call = {
  method: 'POST',
  who: 'strategy:edit',
  scope: 'signals:write',
  when_offline: 'queue',
  output: signal_record,
} as const

export const sendManualFutures = endpoint({
  ...call,
  name: 'signal.manual-futures',
  path: '/strategies/:strategy_id/manual-signals/futures',
  about: '期貨策略的手動訊號；同一個 id 只會成為一筆紀錄',
  input: z.object({
    ...entry,
    product_code: text(1, 20, '請選擇商品'),
    contract: z.optional(
      z.nullable(
        z.string().check(z.regex(/^(C[12]|20\d{2}(0[1-9]|1[0-2])([WF][1-5])?)$/, '合約月份的格式不正確')),
      ),
    ),
  }),
})

export const sendManualStock = endpoint({
  ...call,
  name: 'signal.manual-stock',
  path: '/strategies/:strategy_id/manual-signals/stock',
  about: '股票策略的手動訊號，數量以張或股計；同一個 id 只會成為一筆紀錄',
  input: z.object({
    ...entry,
    symbol: text(1, 20, '請選擇股票'),
    unit: z.optional(z.enum(UNITS)),
  }),
})
