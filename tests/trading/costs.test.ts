// Golden cases F1–F6 and S1–S5 of domain §§5.4, 5.5, each also folded from signals; parts of costs add up.

import { expect, test } from 'vitest'
import { fc } from '#tests/support/property.ts'
import { stockCosts } from '#trading/costs.ts'
import { toNumber } from '#trading/decimal.ts'
import { splitter } from '#trading/fold/step.ts'
import { fold } from '#trading/fold.ts'
import { stockType } from '#trading/products.ts'
import type { Trade } from '#trading/record.ts'
import type { StockTerms } from '#trading/terms.ts'
import { futuresTerms, record, stockTerms } from './records.ts'

/** What a position that is closed at once comes to. */
function piece(
  code: string,
  fee_per_side: number,
  of: { side: 'long' | 'short'; quantity: number; entry_price: number; exit_price: number },
  slippage_ticks = 0,
): Trade {
  const { trades } = fold(
    [
      record(1, `${of.side}_entry`, of.quantity, of.entry_price, { symbol: code }),
      record(2, `${of.side}_exit`, of.quantity, of.exit_price, { symbol: code }),
    ],
    { ...futuresTerms(code, { fee_per_side }), slippage_ticks },
  )
  return trades[0]!
}
const row = (t: Trade) => [t.gross, t.fee, t.tax, t.net]
const sum = (trades: readonly Trade[]) =>
  trades.map(row).reduce((a, b) => a.map((x, i) => x + b[i]!), [0, 0, 0, 0])

test('F1 TX', () => {
  expect(row(piece('TXF', 50, { side: 'long', quantity: 1, entry_price: 22500, exit_price: 22650 }))).toEqual(
    [30000, 100, 181, 29719],
  )
})
test('F2 two lots short, one added, three covered', () => {
  const terms = futuresTerms('MXF', { fee_per_side: 25 })
  const { trades } = fold(
    [
      record(1, 'short_entry', 2, 23000),
      record(2, 'short_entry', 1, 23100),
      record(3, 'short_exit', 3, 22900),
    ],
    terms,
  )
  expect(trades.map(row)).toEqual([
    [10000, 100, 92, 9808],
    [10000, 50, 46, 9904],
  ])
  expect(sum(trades)).toEqual([20000, 150, 138, 19712])
})
test('F3 TMF reduced and closed', () => {
  const { trades } = fold(
    [
      record(1, 'long_entry', 5, 42010, { symbol: 'TMF' }),
      record(2, 'long_exit', 2, 42080, { symbol: 'TMF' }),
      record(3, 'long_exit', 3, 41950, { symbol: 'TMF' }),
    ],
    futuresTerms('TMF', { fee_per_side: 10 }),
  )
  expect(trades.map((t) => t.net)).toEqual([1328, -1908])
  expect(sum(trades)).toEqual([-400, 100, 80, -580])
})
test('F4 reversal', () => {
  const { trades, derived } = fold(
    [record(1, 'buy', 1, 22800), record(2, 'sell', 2, 22700), record(3, 'buy', 1, 22610)],
    futuresTerms('MXF', { fee_per_side: 25 }),
  )
  expect([...derived.values()].map((d) => d.effect)).toEqual(['open', 'reverse', 'close'])
  expect(trades.map((t) => t.net)).toEqual([-5096, 4404])
  expect(sum(trades)).toEqual([-500, 100, 92, -692])
})
test('F5 stock future, F6 TE short', () => {
  expect(row(piece('CDF', 30, { side: 'long', quantity: 1, entry_price: 1085, exit_price: 1100 }))).toEqual([
    30000, 60, 87, 29853,
  ])
  expect(
    row(piece('EXF', 60, { side: 'short', quantity: 1, entry_price: 1205.35, exit_price: 1198.7 })),
  ).toEqual([26600, 120, 192, 26288])
})
test('half up, not to even; at least one dollar', () => {
  const tax = (price: number) =>
    piece('MXF', 0, { side: 'long', quantity: 1, entry_price: price, exit_price: price }).tax
  expect([tax(22_500), tax(100)]).toEqual([23 + 23, 1 + 1])
})
test('slippage is ticks × tick value × lots × 2', () => {
  const of = { side: 'long', quantity: 3, entry_price: 22500, exit_price: 22500 } as const
  expect(piece('MXF', 0, of, 2).slippage).toBe(600)
})

const terms = (commission_discount: number): StockTerms => ({
  commission_rate: 0.001425,
  commission_discount,
  min_fee: 20,
  odd_lot_min_fee: 1,
  allow_day_trade: true,
})
// domain §5.5: S1 2330 1 張, S2 0050 3 張, S3 2330 37 股, S4 2603 day trade sold first
test.each([
  ['S1', '2330', 'long', 1000, 1000, 1050, 0.28, false, [50000, 399, 418, 3150, 46033, 0.046015]],
  ['S2', '0050', 'long', 3000, 58.35, 59.1, 0.6, false, [2250, 149, 151, 177, 1773, 0.01012]],
  ['S3', '2330', 'long', 37, 1085, 1120, 0.28, false, [1295, 16, 16, 124, 1139, 0.028361]],
  // S4's 169 / 171 are fees of the buy and of the sell: the sell comes first.
  ['S4', '2603', 'short', 2000, 215.5, 212, 0.28, true, [7000, 171, 169, 646, 6014, 0.013954]],
] as const)(
  'domain §5.5: %s',
  (_, symbol, side, quantity, entry_price, exit_price, discount, day_trade, wanted) => {
    const c = stockCosts(
      {
        side,
        quantity,
        entry_price,
        exit_price,
        type: stockType(symbol),
        on: '2026-11-20',
        day_trade,
        slippage_ticks: 0,
      },
      terms(discount),
    )
    expect([...[c.gross, c.fee_entry, c.fee_exit, c.tax, c.net].map(toNumber), c.return_pct]).toEqual(wanted)
  },
)
// domain §3.4: fee with discount and minimum, of board lots and of odd lots
// domain §5.5: S5 2884, one buy sold in two parts
test('S5 one buy sold in two parts splits its fee 11 + 11', () => {
  const s = { symbol: '2884', asset: 'stock', contract: null, unit: 'board_lot' } as const
  const { trades, derived } = fold(
    [
      record(1, 'buy', 2000, 28.35, { ...s, occurred_at: '2026-11-17T02:00:00.000Z' }),
      record(2, 'sell', 1000, 29, { ...s, occurred_at: '2026-11-18T02:00:00.000Z' }),
      record(3, 'sell', 1000, 28.1, { ...s, occurred_at: '2026-11-19T02:00:00.000Z' }),
    ],
    stockTerms({ commission_discount: 0.28 }),
  )
  expect(trades.map(row)).toEqual([
    [650, 31, 87, 532],
    [-250, 31, 84, -365],
  ])
  expect([...derived.values()].map((d) => [d.fee, d.tax, d.realised_pnl])).toEqual([
    [22, 0, null],
    [20, 87, 532],
    [20, 84, -365],
  ])
})
// domain §5.5: S4 folded from signals
test('S4 folded: sold first, bought back the same day, taxed at the close at 0.15 %', () => {
  const s = { symbol: '2603', asset: 'stock', contract: null, unit: 'board_lot' } as const
  const short = record(1, 'short_entry', 2000, 215.5, { ...s, occurred_at: '2026-11-20T01:30:00.000Z' })
  const cover = (occurred_at: string) => record(2, 'short_exit', null, 212, { ...s, occurred_at })
  const t = stockTerms({ commission_discount: 0.28 }, { direction: 'both' })
  expect(fold([short, cover('2026-11-20T04:00:00.000Z')], t).trades[0]).toMatchObject({
    net: 6014,
    tax: 646,
    day_trade: true,
    return_pct: 0.013954,
  })
  expect(fold([short, cover('2026-11-23T02:00:00.000Z')], t).trades[0]).toMatchObject({
    tax: 1293,
    day_trade: false,
  })
})
test('a short sale bought back in three parts is taxed as much as in one', () => {
  const s = { symbol: '2603', asset: 'stock', contract: null, unit: 'share' } as const
  const day = (n: number) => ({ ...s, occurred_at: `2026-11-20T02:0${n}:00.000Z` })
  const facts = [
    record(1, 'short_entry', 2000, 215.5, day(1)),
    record(2, 'short_exit', 700, 212, day(2)),
    record(3, 'short_exit', 700, 212, day(3)),
    record(4, 'short_exit', 600, 212, day(4)),
  ]
  const { trades } = fold(facts, stockTerms({ commission_discount: 0.28 }, { direction: 'both' }))
  expect(trades.map((t) => t.tax)).toEqual([226, 226, 194])
})
// domain §5.5: a day trade bought first needs the permission of the strategy
test('a day trade bought first needs the permission of the strategy', () => {
  const s = { symbol: '2330', asset: 'stock', contract: null, unit: 'board_lot' } as const
  const facts = [
    record(1, 'buy', 1000, 1000, { ...s, occurred_at: '2026-11-20T02:00:00.000Z' }),
    record(2, 'sell', 1000, 1050, { ...s, occurred_at: '2026-11-20T03:00:00.000Z' }),
  ]
  expect(fold(facts, stockTerms({ allow_day_trade: true })).trades[0]).toMatchObject({
    tax: 1575,
    day_trade: true,
  })
  expect(fold(facts, stockTerms({ allow_day_trade: false })).trades[0]).toMatchObject({
    tax: 3150,
    day_trade: false,
  })
})

// domain §3.4: fee and tax are floored, parts of a total add up to it
test('parts of a total add up to it, each at least its floor', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 30 }),
      (dollars, parts) => {
        const total = BigInt(dollars) * 10_000n
        const of = parts.reduce((a, b) => a + b, 0)
        const give = splitter(total, of)
        const given = parts.map((part) => give(part) as bigint)
        expect(given.reduce((a, b) => a + b, 0n)).toBe(total)
        for (const share of given) expect(share >= 0n && share % 10_000n === 0n).toBe(true)
      },
    ),
  )
})
