// The sheet's warning of a price beyond the day's limits: which limit, by the tick of its own height, and none within.
import { expect, test } from 'vitest'
import { beyondLimits } from '#features/strategy/manual/limits.ts'
import type { FoldTerms } from '#trading/terms.ts'

const of = { asset: 'stock', symbol: '2330', trading_date: '2026-11-20' } as const
const says = (price: number, reference: number | null) =>
  beyondLimits(price, reference, of, { asset: 'stock' } as FoldTerms)

test('beyond limit up and limit down it says the limit and what it was reckoned from', () => {
  expect(says(1_195, 1_085)).toBe('高於漲停 1,190（以參考價 1,085 推算），請確認價格。')
  expect(says(976, 1_085)).toBe('低於跌停 977（以參考價 1,085 推算），請確認價格。')
})

test('nothing at a limit, within them, without a price or a reference', () => {
  expect([says(1_190, 1_085), says(977, 1_085), says(1_085, 1_085), says(0, 1_085), says(9, null)]).toEqual([
    null,
    null,
    null,
    null,
    null,
  ])
})
