// What a message was read as: the same words on the connect page, in the log, in the mapping's preview and in what a replay would change.
import { expect, it } from 'vitest'
import type { Delivery } from '#contract/webhook.ts'
import { readAs, tradedAs } from '#text/webhook.ts'

type Normal = NonNullable<Delivery['normal']>
const read = (over: Partial<Normal>): Normal => ({
  symbol_raw: 'MXF1!',
  symbol: 'MXF',
  contract: 'C1',
  action: 'long_entry',
  quantity: 1,
  target_position: null,
  reported_prev: null,
  price: 46_525,
  occurred_at: null,
  external_id: null,
  timeframe: null,
  note: null,
  extras: {},
  ...over,
})

it('names product, month and unit as the rows do', () => {
  expect(readAs(read({}))).toBe('多單進場 1 口 小台 近月 @46,525')
  expect(readAs(read({ contract: '202612', price: null }))).toBe('多單進場 1 口 小台 12月')
})
it('a wished position has its sign', () => {
  expect(readAs(read({ action: 'target', target_position: -2 }))).toBe('目標部位 −2 小台 近月 @46,525')
  expect(readAs(read({ action: 'target', target_position: 0, price: null }))).toBe('目標部位 0 小台 近月')
})
it('stock is counted in 張 and 股, as everywhere else', () => {
  const stock = { symbol_raw: '2330', symbol: '2330', contract: null, price: 2_290 }
  expect(readAs(read({ ...stock, quantity: 1_000 }))).toBe('多單進場 1 張 2330 @2,290')
  expect(readAs(read({ ...stock, quantity: 3_500 }))).toBe('多單進場 3 張 500 股 2330 @2,290')
  const wished = { ...stock, action: 'target' as const, target_position: 2_000, price: null }
  expect(readAs(read(wished))).toBe('目標部位 2 張 2330')
})
it('what nobody knows stays as it came', () => {
  expect(tradedAs(read({ symbol: null, symbol_raw: 'NIFTY' }))).toBe('NIFTY')
  expect(readAs(null)).toBeNull()
  const nothing = { symbol: null, symbol_raw: null, action: null, quantity: null, price: null }
  expect(readAs(read(nothing))).toBeNull()
})
