// The sheet's warning of a price beyond the day's limits: which limit, by the tick of its own height, none within, and why there is none.
import { expect, test } from 'vitest'
import { beyondLimits } from '#features/strategy/manual/actions.ts'
import type { LimitFacts } from '#trading/foresee.ts'
import type { FoldTerms } from '#trading/terms.ts'

const NOTHING: LimitFacts = { unlimited: [], listing: null }
const says = (price: number, reference: number | null, facts = NOTHING, symbol = '2330') =>
  beyondLimits(
    price,
    reference,
    { asset: 'stock', symbol, trading_date: '2026-11-20' },
    { asset: 'stock' } as FoldTerms,
    facts,
  )

// domain §7.6: price, tick warning
test('beyond limit up and limit down it says the limit and what it was reckoned from', () => {
  expect(says(1_195, 1_085)).toBe('高於漲停 1,190（以參考價 1,085 推算），請確認價格。')
  expect(says(976, 1_085)).toBe('低於跌停 977（以參考價 1,085 推算），請確認價格。')
})

test('where there is no limit it says why, and asks all the same', () => {
  const listed = (market: 'twse' | 'tpex' | 'emerging') => ({
    unlimited: [],
    listing: { market, listed_on: '2026-11-19' },
  })
  expect(says(1_195, 1_085, listed('twse'))).toBe(
    '高於一般的漲停 1,190（以參考價 1,085 推算）；上市前五日沒有漲跌幅限制，請確認價格。',
  )
  expect(says(976, 1_085, listed('tpex'))).toBe(
    '低於一般的跌停 977（以參考價 1,085 推算）；上櫃前五日沒有漲跌幅限制，請確認價格。',
  )
  expect(says(976, 1_085, listed('emerging'))).toContain('；興櫃沒有漲跌幅限制，')
  const unlimited = [{ from: '2026-11-01', symbols: ['00646'] }]
  expect(says(60, 50, { unlimited, listing: null }, '00646')).toContain('；國外成分 ETF 沒有漲跌幅限制，')
  expect(says(60, 50, { unlimited, listing: null }, '0056')).toBe(
    '高於漲停 55.00（以參考價 50.00 推算），請確認價格。',
  )
})

test('nothing at a limit, within them, without a price or a reference', () => {
  const none = [says(1_190, 1_085), says(977, 1_085), says(1_085, 1_085), says(0, 1_085), says(9, null)]
  expect(none).toEqual(none.map(() => null))
})
