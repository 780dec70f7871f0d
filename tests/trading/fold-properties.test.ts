// Properties of folding: it depends on the set of records only, record by record gives the same, money adds up.

import { expect, test } from 'vitest'
import { fc } from '#tests/support/property.ts'
import { sized } from '#tests/support/tier.ts'
import { scaled, toNumber } from '#trading/decimal.ts'
import { EMPTY_STATE, type FoldState, fold, foldOn, positionsOf } from '#trading/fold.ts'
import type { DerivedWithFlags, Facts, Trade } from '#trading/record.ts'
import type { FoldTerms } from '#trading/terms.ts'
import { build, disorders, draft, termsArb } from './histories.ts'
import { futuresTerms, record } from './records.ts'

test('folding depends on the set of records, not on their order', () => {
  fc.assert(
    fc.property(
      termsArb,
      fc.array(draft, { maxLength: 25 }),
      fc.infiniteStream(fc.nat()),
      (terms, drafts, keys) => {
        const facts = build(drafts, terms)
        const shuffled = facts
          .map((f) => [keys.next().value as number, f] as const)
          .sort((a, b) => a[0] - b[0])
          .map(([, f]) => f)
        const [a, b] = [fold(facts, terms), fold([...shuffled, ...facts.slice(0, 2)], terms)]
        expect(b.state).toEqual(a.state)
        expect(b.trades).toEqual(a.trades)
        expect(new Map([...b.derived].sort())).toEqual(new Map([...a.derived].sort()))
      },
    ),
    { numRuns: sized(150, 400) },
  )
})

/** Record by record with foldOn, folding everything where it asks for that; how often it did not. */
function stepwise(facts: readonly Facts[], terms: FoldTerms) {
  let state: FoldState = EMPTY_STATE
  let derived = new Map<string, DerivedWithFlags>()
  let trades: Trade[] = []
  let appended = 0
  facts.forEach((f, i) => {
    const frozen = JSON.stringify(state)
    const on = foldOn(state, f, terms)
    expect(JSON.stringify(state)).toBe(frozen)
    if (on.kind === 'appended') {
      appended += 1
      derived.set(f.id, on.derived)
      trades = [...trades, ...on.new_trades]
      // Through JSON, as a server keeps it.
      state = JSON.parse(JSON.stringify(on.state)) as FoldState
    } else {
      const whole = fold(facts.slice(0, i + 1), terms)
      derived = whole.derived
      trades = whole.trades
      state = whole.state
    }
  })
  return { state, derived, trades, appended }
}

test('foldOn gives what fold gives', () => {
  fc.assert(
    fc.property(termsArb, fc.array(draft, { maxLength: 25 }), disorders, (terms, drafts, disorder) => {
      const facts = build(drafts, terms, disorder)
      const [one, all] = [stepwise(facts, terms), fold(facts, terms)]
      expect(one.state).toEqual(all.state)
      expect(one.trades).toEqual(all.trades)
      expect(new Map([...one.derived].sort())).toEqual(new Map([...all.derived].sort()))
      expect(positionsOf(one.state, terms)).toEqual(all.positions)
    }),
    { numRuns: sized(200, 600) },
  )
})
test('records that arrive in order are appended, never refolded, unless they bear a price out', () => {
  fc.assert(
    fc.property(termsArb, fc.array(draft, { maxLength: 25 }), (terms, drafts) => {
      const facts = build(drafts, terms, 'none')
      // But for those that bear an earlier price out: it was in doubt until they came, and counts from then on.
      const suspects = (count: number) =>
        [...fold(facts.slice(0, count), terms).derived.values()].filter(({ flags }) =>
          flags.includes('price_suspect'),
        ).length
      const bearing = facts.filter((_, i) => suspects(i + 1) < suspects(i))
      expect(stepwise(facts, terms).appended).toBe(facts.length - bearing.length)
    }),
  )
})

test('what can change the past asks for a refold', () => {
  const terms = futuresTerms('MXF')
  const base = record(1, 'buy', 3, 46500)
  const chained = record(2, 'target', null, 46510, { target_position: 0, reported_prev: 1 })
  const { state } = fold([base, chained], terms)
  const next = (rest: Partial<Facts>) => foldOn(state, record(3, 'buy', 1, 46500, rest), terms).kind
  expect(next({})).toBe('appended')
  expect(next({ occurred_at: chained.occurred_at, action: 'long_entry' })).toBe('appended')
  expect(next({ occurred_at: chained.occurred_at, action: 'long_entry', reported_prev: 3 })).toBe('refold')
  expect(next({ occurred_at: base.occurred_at })).toBe('refold')
  expect(next({ chain_seq: 2 })).toBe('refold')
  expect(next({ source: 'void', refers_to: base.id })).toBe('refold')
  expect(next({ source: 'correction', refers_to: base.id })).toBe('refold')
  expect(next({ source: 'system', refers_to: base.id })).toBe('refold')
})
test('the state does not grow with the record', () => {
  const terms = futuresTerms('MXF')
  const facts = Array.from({ length: 4000 }, (_, i) =>
    record(i + 1, i % 2 ? 'sell' : 'buy', 1, 46500 + (i % 7)),
  )
  const size = (n: number) => JSON.stringify({ ...fold(facts.slice(0, n), terms).state, realised: '' }).length
  expect(size(4000) - size(10)).toBeLessThan(16)
})

test('positions, trades, fees and taxes add up', () => {
  fc.assert(
    fc.property(termsArb, fc.array(draft, { maxLength: 40 }), (terms, drafts) => {
      const facts = build(
        // Prices of one market: none is missing, none in doubt.
        drafts.map((d) => ({ ...d, price: 430 + (Math.round((d.price ?? 45) * 10) % 700) / 10 })),
        terms,
      )
      const { derived, trades, state, positions } = fold(facts, terms)
      const total = (values: readonly (number | null)[]) =>
        toNumber(values.reduce((s, v) => s + scaled(v ?? 0), 0n))
      const all = [...derived.values()]
      expect(total(all.map((d) => d.realised_pnl))).toBe(total(trades.map((t) => t.net)))
      expect(Number(state.realised)).toBe(total(trades.map((t) => t.net)))
      const lots = state.open.flatMap((o) => o.lots)
      expect(
        all.filter((d) => d.status !== 'ok' && d.status !== 'voided' && d.status !== 'corrected'),
      ).toEqual([])
      expect(total(all.map((d) => d.fee))).toBe(
        total([...trades.map((t) => t.fee), ...lots.map((l) => l.fee_left)]),
      )
      expect(total(all.map((d) => d.tax))).toBe(
        total([...trades.map((t) => t.tax), ...lots.map((l) => l.tax_left)]),
      )
      for (const t of trades) expect(t.net).toBe(total([t.gross, -t.fee, -t.tax, -t.slippage]))
      for (const p of positions) expect(Math.abs(p.quantity)).toBeLessThanOrEqual(terms.max_position)
    }),
    { numRuns: sized(150, 400) },
  )
})
