// The quick ways of folding say exactly what the slow ones say: instants, taxes, records given more than once.

import { expect, test } from 'vitest'
import { fc } from '#tests/support/property.ts'
import { msOf } from '#trading/calendar.ts'
import { futuresTax } from '#trading/costs.ts'
import { divHalfUp } from '#trading/decimal.ts'
import { fold } from '#trading/fold.ts'
import { futuresTerms, record } from './records.ts'

test('every instant that can be written is read as Date.parse reads it', () => {
  const day = 86_400_000
  for (let ms = Date.UTC(1969, 11, 25); ms < Date.UTC(2101, 0, 5); ms += day - 1) {
    const text = new Date(ms).toISOString()
    if (msOf(text) !== ms) expect.fail(`${text} is read as ${msOf(text)}`)
  }
})
test('what is no such instant is what Date.parse makes of it', () => {
  const near = fc
    .tuple(fc.nat(23), fc.constantFrom('0', '9', ':', '-', ' ', 'T', 'Z', 'x', '３'))
    .map(([at, c]) => {
      const text = '2026-02-28T23:59:59.999Z'
      return text.slice(0, at) + c + text.slice(at + 1)
    })
  const other = fc.constantFrom(
    '2026-02-30T00:00:00.000Z',
    '2026-11-20T24:00:00.000Z',
    '2026-11-20',
    '',
    'soon',
  )
  fc.assert(
    fc.property(fc.oneof(near, other), (text) => {
      expect(msOf(text)).toBe(Date.parse(text))
    }),
  )
})
test('the tax of a contract is the rounded fraction, at any price, size and rate', () => {
  fc.assert(
    fc.property(
      fc.bigInt(0n, 99_999_990_000n),
      fc.constantFrom(0.5, 10, 50, 200, 1000, 4000, 10_000, 123_456.7891),
      fc.constantFrom(0, 0.00002, 0.000025, 0.00000001, 0.0123_4567),
      (price, point_value, rate) => {
        const exact = divHalfUp(
          price * BigInt(Math.round(point_value * 1e4)) * BigInt(Math.round(rate * 1e8)),
          10n ** 16n,
        )
        const least = rate === 0 ? 0n : 1n
        expect(futuresTax(price, point_value, rate)).toBe((exact < least ? least : exact) * 10_000n)
      },
    ),
    { numRuns: 500 },
  )
})
test('a record given twice counts once, also under two numbers', () => {
  const facts = [record(1, 'buy', 1, 22_500), record(2, 'sell', 1, 22_600)]
  const terms = futuresTerms('MXF')
  const twice = [...facts, { ...(facts[0] as (typeof facts)[0]), chain_seq: 3 }]
  expect(fold([...facts, ...facts], terms)).toEqual(fold(facts, terms))
  expect(fold(twice, terms).trades).toEqual(fold([twice[1]!, twice[2]!], terms).trades)
  expect(fold(twice, terms).derived.size).toBe(2)
})
