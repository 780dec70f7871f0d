// What is at most and at least paid on a day, for the warning of the sheet (domain §3.3's table, and futures).
import { describe, expect, test } from 'vitest'
import { type LimitFacts, limitsOf, noLimit } from '#trading/foresee.ts'
import { findProduct } from '#trading/products.ts'
import type { FoldTerms } from '#trading/terms.ts'

const on = '2026-11-20'
const stock = { asset: 'stock' } as FoldTerms
const of = (symbol: string, ref: number) => limitsOf(ref, { symbol, on, terms: stock })
const futures = (code: string, ref: number) =>
  limitsOf(ref, {
    symbol: code,
    on,
    terms: { asset: 'futures', futures: { ...findProduct(code), fee_per_side: 50 } } as FoldTerms,
  })

describe('漲停 / 跌停', () => {
  // domain §3.2: limits ±10 %, leveraged ETFs times their multiple
  test.each([
    ['2330', 9.05, 9.95, 8.15],
    ['2330', 46.2, 50.8, 41.6],
    ['2330', 98, 107.5, 88.2],
    ['2330', 455, 500, 409.5],
    ['2330', 925, 1015, 833],
    ['2330', 1085, 1190, 977],
    ['2330', 2320, 2550, 2090],
    ['0050', 58.35, 64.15, 52.55],
    // twice the index
    ['00631L', 58.35, 70, 46.68],
  ])('%s at %d: %d and %d', (symbol, ref, up, down) => expect(of(symbol, ref)).toEqual({ up, down }))

  test('futures by their own tick: 23,155 is 25,470 at most and 20,840 at least', () => {
    expect(futures('TXF', 23_155)).toEqual({ up: 25_470, down: 20_840 })
    expect(futures('EXF', 1_234.5)).toEqual({ up: 1_357.95, down: 1_111.05 })
    expect(futures('FXF', 2_111.2)).toEqual({ up: 2_322.2, down: 1_900.2 })
  })

  test('none where none are known', () => {
    expect([of('00679B', 30), of('030001', 1.5), of('2330', 0)]).toEqual([null, null, null])
  })
})

describe('why there are none', () => {
  const listing = (market: 'twse' | 'tpex' | 'emerging', listed_on?: string): LimitFacts => ({
    unlimited: [],
    listing: { market, ...(listed_on !== undefined && { listed_on }) },
  })

  // domain §3.2: no limit in the first five days of a listing, nor on 興櫃
  test('domain §3.2 the first five trading days of a listing, by the days that are closed', () => {
    // a Thursday; the Monday after it is closed
    const closed = new Set(['2026-11-23'])
    const on = (day: string) => noLimit('9998', day, listing('twse', '2026-11-19'), closed)
    expect(on('2026-11-18')).toBeNull()
    const free = ['2026-11-19', '2026-11-20', '2026-11-24', '2026-11-25', '2026-11-26']
    expect(free.map(on)).toEqual(free.map(() => 'new_twse'))
    expect(on('2026-11-27')).toBeNull()
    expect(on('2027-11-19')).toBeNull()
    // without the closed day the fifth is a day earlier, and what is entered on a weekend is of the Monday
    const usual = (day: string) => noLimit('9998', day, listing('tpex', '2026-11-16'))
    expect([usual('2026-11-20'), usual('2026-11-21'), usual('2026-11-23')]).toEqual(['new_tpex', null, null])
  })

  test('domain §3.2 a new fund and a new preferred share have limits; 興櫃 has none on any day', () => {
    expect(noLimit('00999', '2026-11-19', listing('twse', '2026-11-19'))).toBeNull()
    expect(noLimit('2881D', '2026-11-19', listing('twse', '2026-11-19'))).toBeNull()
    expect(noLimit('7777', '2026-11-19', listing('emerging'))).toBe('emerging')
    expect(noLimit('9998', '2026-11-19', listing('twse'))).toBeNull()
    expect(noLimit('9998', '2026-11-19', { unlimited: [], listing: null })).toBeNull()
  })

  // domain §3.2: no limit for ETFs of foreign shares, by the operator's dated list
  test('domain §3.2 ETFs of foreign shares: those of the row that counts on the day, and no others', () => {
    const unlimited = [
      { from: '2026-06-01', symbols: ['00646', '00662'] },
      { from: '2026-11-20', symbols: ['00662'] },
    ]
    const at = (day: string, symbol = '00646') => noLimit(symbol, day, { unlimited, listing: null })
    expect([at('2026-05-31'), at('2026-06-01'), at('2026-11-19'), at('2026-11-20')]).toEqual([
      null,
      'foreign_etf',
      'foreign_etf',
      null,
    ])
    expect([at('2026-11-20', '00662'), at('2026-11-20', '0050')]).toEqual(['foreign_etf', null])
  })
})
