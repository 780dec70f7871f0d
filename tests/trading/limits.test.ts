// What is at most and at least paid on a day, for the warning of the sheet (domain §3.3's table, and futures).
import { describe, expect, test } from 'vitest'
import { limitsOf } from '#trading/limits.ts'
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
