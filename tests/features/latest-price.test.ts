// The price that the examples of the cost reckon with: the newest signal's that counts, not a void's, a correction's or a voided one's.
import { expect, test } from 'vitest'
import type { SignalRecord } from '#contract/signal.ts'
import { latestPrice } from '#features/strategy/form/products.ts'

const record = (symbol: string, price_used: number | null, source = 'manual', status = 'ok') =>
  ({ symbol, source, price: price_used, derived: { price_used, status } }) as unknown as SignalRecord

test('a voided signal and what voided or corrected it are no prices; a corrected one has its new price', () => {
  const items = [
    record('2330', null, 'void'),
    record('2330', 2_305, 'correction'),
    record('2330', 2_305, 'manual', 'voided'),
    record('0050', 60),
    record('2330', null, 'webhook', 'pending_price'),
    record('2330', 2_290, 'webhook'),
  ]
  expect([latestPrice(items, '2330'), latestPrice(items, '0050'), latestPrice(items, '2454')]).toEqual([
    2_290,
    60,
    null,
  ])
})
