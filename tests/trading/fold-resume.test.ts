// Taking a fold up again, in slices or from a stored state, gives what folding all at once gives.

import { expect, test } from 'vitest'
import {
  AT_FIRST,
  type FoldedInSlices,
  type FoldStanding,
  foldBack,
  foldInSlices,
  foldWholeInSlices,
  keptAfter,
} from '#trading/fold/run.ts'
import { EMPTY_TALLY, tallyOn } from '#trading/fold/state.ts'
import { EMPTY_STATE, type FoldState, fold, foldKept, foldOn } from '#trading/fold.ts'
import type { DerivedWithFlags, Facts } from '#trading/record.ts'
import { statisticsInSlices, statisticsOf } from '#trading/statistics/report.ts'
import { pathOf, runningInSlices, runningOf } from '#trading/statistics/running.ts'
import type { FoldTerms } from '#trading/terms.ts'
import { fc } from '../support/property.ts'
import { sized } from '../support/tier.ts'
import { build, disorders, draft, termsArb } from './histories.ts'

const limitsArb = fc.record({ stride: fc.integer({ min: 1, max: 4 }), most: fc.integer({ min: 2, max: 16 }) })
const histories = fc
  .tuple(termsArb, fc.array(draft, { minLength: 12, maxLength: 40 }), disorders)
  .map(([terms, drafts, disorder]) => ({ terms, facts: build(drafts, terms, disorder) }))

function toEnd<T>(steps: Generator<undefined, T>): { value: T; pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const step = steps.next()
    if (step.done) return { value: step.value, pauses }
  }
}

test('in slices of any size: the same trades, state and figures; a late record fits what is kept', () => {
  let back = 0
  fc.assert(
    fc.property(histories, limitsArb, fc.integer({ min: 1, max: 6 }), ({ terms, facts }, limits, slice) => {
      const last = facts.at(-1) as Facts
      const before = facts.slice(0, -1)
      const whole = fold(before, terms)
      const { value: folded, pauses } = toEnd(foldInSlices(before, terms, limits, { slice }))
      const value = folded as FoldedInSlices
      expect({ trades: value.trades, state: value.state }).toEqual({
        trades: whole.trades,
        state: whole.state,
      })
      expect(pauses).toBeGreaterThan(0)
      expect(toEnd(runningInSlices(value.trades)).value.rows.length).toBe(whole.trades.length)
      const options = { initial_capital: 100_000, chain_seq: before.length }
      expect(toEnd(statisticsInSlices(value.trades, options)).value).toEqual(
        statisticsOf(whole.trades, options),
      )
      const late = foldBack(value.kept, value.state, [last], terms)
      if (!late) return
      back += 1
      const all = fold(facts, terms)
      expect([...value.trades.slice(0, late.trades_before), ...late.trades]).toEqual(all.trades)
      expect(late.state).toEqual(all.state)
    }),
    { numRuns: sized(100, 400) },
  )
  expect(back).toBeGreaterThan(sized(25, 100))
})

test('with what each record derives to: in slices the same of every record, the same counts, and a late record fits', () => {
  let back = 0
  fc.assert(
    fc.property(histories, limitsArb, fc.integer({ min: 1, max: 6 }), ({ terms, facts }, limits, slice) => {
      const last = facts.at(-1) as Facts
      const before = facts.slice(0, -1)
      const { kept: _, positions: __, ...whole } = foldKept(before, terms, limits)
      const { value, pauses } = toEnd(foldWholeInSlices(before, terms, limits, slice))
      const { kept, ...told } = value
      expect(told).toEqual(whole)
      expect(pauses).toBeGreaterThan(0)
      const late = foldBack(kept, value.state, [last], terms)
      expect(foldBack(value.kept, value.state, [last], terms, 0)).toBeNull()
      if (!late) return
      back += 1
      const all = foldKept([...before, last], terms, limits)
      expect(late.state).toEqual(all.state)
      expect(late.tally).toEqual(all.tally)
      for (const [id, one] of late.derived) expect(one).toEqual(all.derived.get(id))
    }),
    { numRuns: sized(100, 400) },
  )
  expect(back).toBeGreaterThan(sized(25, 100))
})

test('sums carried on in slices are those of all trades', () => {
  fc.assert(
    fc.property(histories, ({ terms, facts }) => {
      const { trades } = fold(facts, terms)
      const [sums, all] = [toEnd(runningInSlices(trades)).value, runningOf(trades)]
      // After a trade that closed earlier than others the path is walked again.
      for (const running of [sums, all]) pathOf(running)
      expect(sums).toEqual(all)
    }),
    { numRuns: sized(100, 200) },
  )
})

/** Where a chain stands when its records came one by one, as long as each sorted last; null from the first that did not. */
function standings(facts: readonly Facts[], terms: FoldTerms): FoldStanding[] {
  const all: FoldStanding[] = []
  let state: FoldState = EMPTY_STATE
  let tally = EMPTY_TALLY
  for (const one of facts) {
    const on = foldOn(state, one, terms)
    if (on.kind === 'refold') break
    tally = tallyOn(tally, one, on.derived, terms)
    state = on.state
    all.push({ state, tally })
  }
  return all
}

test('from a stored state and the records after it: what is kept takes in what folding all takes in', () => {
  let taken = 0
  fc.assert(
    fc.property(
      histories,
      limitsArb,
      fc.nat({ max: 1_000 }),
      fc.integer({ min: 0, max: 9 }),
      ({ terms, facts }, limits, at, more) => {
        const stood = standings(facts, terms)
        const from = JSON.parse(JSON.stringify(stood[at % (stood.length + 1)] ?? AT_FIRST)) as FoldStanding
        const count = Math.min(stood.length, from.state.last_chain_seq + more)
        const between = facts.slice(from.state.last_chain_seq, count)
        const kept_after = keptAfter(from, between, terms, limits)
        expect(kept_after).not.toBeNull()
        const { kept, state } = kept_after as NonNullable<typeof kept_after>
        expect(state).toEqual((stood[count - 1] ?? AT_FIRST).state)
        const late = facts[count]
        if (!late) return
        const done = foldBack(kept, state, [late], terms)
        if (!done) return
        taken += 1
        const all = foldKept(facts.slice(0, count + 1), terms, limits)
        expect(done.state).toEqual(all.state)
        expect(done.tally).toEqual(all.tally)
        for (const [id, derived] of done.derived)
          expect(derived).toEqual(all.derived.get(id) as DerivedWithFlags)
      },
    ),
    { numRuns: sized(150, 600) },
  )
  expect(taken).toBeGreaterThan(sized(25, 100))
})
