// Arbitrary terms and histories of a strategy for the properties of folding: same instants, same seconds, late arrivals.
import { fc } from '#tests/support/property.ts'
import { ACTIONS, type Facts } from '#trading/record.ts'
import type { FoldTerms } from '#trading/terms.ts'
import { futuresTerms, idOf, record, stockTerms } from './records.ts'

export const termsArb: fc.Arbitrary<FoldTerms> = fc
  .record({
    stock: fc.boolean(),
    month: fc.boolean(),
    direction: fc.constantFrom('both' as const, 'long' as const, 'short' as const),
    allow_pyramiding: fc.boolean(),
    allow_reversal: fc.boolean(),
    slippage_ticks: fc.constantFrom(0, 2),
    allow_day_trade: fc.boolean(),
  })
  .map(({ stock, month, allow_day_trade, ...rest }) =>
    stock
      ? stockTerms({ allow_day_trade }, { ...rest, max_position: 7000 })
      : futuresTerms('MXF', { contract_rule: month ? 'month' : 'near' }, { ...rest, max_position: 7 }),
  )

const between = (min: number, max: number) => fc.integer({ min, max }).map((n) => n / 10)
/** Mostly of one market; the others are beyond its fence, and near each other: a next one may bear one out. */
const prices = fc.oneof(
  { arbitrary: between(4_300, 5_000), weight: 6 },
  { arbitrary: between(1_000, 1_100), weight: 2 },
  { arbitrary: between(43_000, 50_000), weight: 1 },
  { arbitrary: between(100, 900_000), weight: 1 },
)

/** What a history is built from. */
export const draft = fc.record({
  action: fc.constantFrom(...ACTIONS),
  quantity: fc.option(fc.integer({ min: 1, max: 4 })),
  target: fc.integer({ min: -4, max: 4 }),
  prev: fc.option(fc.integer({ min: -4, max: 4 }), { freq: 2 }),
  price: fc.option(prices, { freq: 8 }),
  tick: fc.integer({ min: 0, max: 40 }),
  other: fc.boolean(),
  kind: fc.constantFrom('signal', 'signal', 'signal', 'signal', 'void', 'correction'),
  back: fc.integer({ min: 1, max: 5 }),
})
export type Draft = typeof draft extends fc.Arbitrary<infer T> ? T : never

/** How far records overtake each other: by anything, by a second or two, by some of many, not at all (then none points at another, either). */
export type Disorder = 'any' | 'near' | 'some' | 'none'
export const disorders = fc.constantFrom<Disorder[]>('any', 'near', 'some', 'none')

/** The records of a strategy in chain order. Minutes and seconds collide on purpose. */
export function build(drafts: readonly Draft[], terms: FoldTerms, disorder: Disorder = 'any'): Facts[] {
  const stock = terms.asset === 'stock'
  const size = stock ? 777 : 1
  return drafts.map((d, i) => {
    const n = i + 1
    const ms = {
      any: d.tick * 500,
      near: i * 300 - (d.tick >> 3) * 400,
      some: i * 2_000 - (d.tick > 28 ? (d.tick - 28) * 700 : 0),
      none: i * 1500 + d.tick * 20,
    }[disorder]
    const pointer = d.kind !== 'signal' && disorder !== 'none' && i >= d.back
    return record(n, d.action, d.quantity === null ? null : d.quantity * size, d.price, {
      source: pointer ? (d.kind as 'void' | 'correction') : 'webhook',
      refers_to: pointer ? idOf(n - d.back) : null,
      asset: terms.asset,
      symbol: stock ? (d.other ? '0050' : '2330') : 'MXF',
      contract: stock ? null : d.other ? '202612' : 'C1',
      unit: stock ? 'share' : 'lot',
      target_position: d.action === 'target' ? d.target * size : null,
      reported_prev: d.prev === null ? null : d.prev * size,
      occurred_at: new Date(Date.UTC(2026, 10, 20, 2) + ms).toISOString(),
      received_at: new Date(Date.UTC(2026, 10, 20, 3) + i * 10).toISOString(),
    })
  })
}
