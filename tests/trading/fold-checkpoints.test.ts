// Folding on and folding back from kept states gives what folding all gives, to the last digit, in any order of arrival.
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import {
  CHECKPOINTS,
  type Checkpoints,
  checkpointOn,
  foldBack,
  type Limits,
  shorten,
} from '#trading/fold/run.ts'
import { EMPTY_TALLY, type Tally, tallyOn } from '#trading/fold/state.ts'
import { type Folded, fold, foldKept, foldOn } from '#trading/fold.ts'
import type { DerivedWithFlags, Facts } from '#trading/record.ts'
import type { FoldTerms } from '#trading/terms.ts'
import { fc } from '../support/property.ts'
import { sized } from '../support/tier.ts'
import { build, disorders, draft, termsArb } from './histories.ts'
import { futuresTerms, record } from './records.ts'

/** What a server holds of a strategy, and how often it took which way. */
interface Held extends Pick<Folded, 'derived' | 'trades' | 'state'> {
  tally: Tally
  kept: Checkpoints
}
interface Ways {
  on: number
  back: number
  whole: number
}

const limitsArb = fc.record({ stride: fc.integer({ min: 1, max: 4 }), most: fc.integer({ min: 2, max: 16 }) })
const histories = fc
  .tuple(termsArb, fc.array(draft, { minLength: 12, maxLength: 40 }), disorders)
  .map(([terms, drafts, disorder]) => ({ terms, facts: build(drafts, terms, disorder) }))

/** The tally as it is defined: record by record, in the order of the chain. */
function plainTally(facts: readonly Facts[], derived: Folded['derived'], terms: FoldTerms): Tally {
  return facts.reduce(
    (tally, one) => tallyOn(tally, one, derived.get(one.id) as DerivedWithFlags, terms),
    EMPTY_TALLY,
  )
}

function whole(facts: readonly Facts[], terms: FoldTerms, limits: Limits): Held {
  return foldKept(facts, terms, limits)
}

/** One more batch, as the ledger takes it. */
function take(held: Held, all: readonly Facts[], count: number, terms: FoldTerms, ways: Ways): Held {
  let { state, tally } = held
  const { derived, trades, kept } = held
  const late: Facts[] = []
  for (const facts of all.slice(-count)) {
    const on = late.length > 0 ? null : foldOn(state, facts, terms)
    if (on?.kind !== 'appended') {
      late.push(facts)
      continue
    }
    ways.on += 1
    checkpointOn(kept, { state, trades: trades.length, tally }, facts, terms, on.known)
    derived.set(facts.id, on.derived)
    trades.push(...on.new_trades)
    tally = tallyOn(tally, facts, on.derived, terms)
    state = on.state
  }
  if (late.length === 0) return { derived, trades, kept, state, tally }
  const back = foldBack(kept, state, late, terms)
  if (!back) {
    ways.whole += 1
    return whole(all, terms, kept.limits)
  }
  ways.back += 1
  const chain = new Map(all.map((one) => [one.id, one.chain_seq]))
  for (const [id, one] of back.derived) {
    expect(chain.get(id)).toBeGreaterThanOrEqual(back.first_chain_seq)
    derived.set(id, one)
  }
  trades.splice(back.trades_before, trades.length, ...back.trades)
  return { derived, trades, kept, state: back.state, tally: back.tally }
}

function expectSame(held: Held, facts: readonly Facts[], terms: FoldTerms): void {
  const { state, trades, derived } = fold(facts, terms)
  const all = {
    state,
    trades,
    derived: new Map([...derived].sort()),
    tally: plainTally(facts, derived, terms),
  }
  const now = {
    state: held.state,
    trades: held.trades,
    derived: new Map([...held.derived].sort()),
    tally: held.tally,
  }
  // Printing what differs is slow, and seldom needed.
  if (!isDeepStrictEqual(now, all)) expect(now).toEqual(all)
}

test('any history in any batches, from what is kept: what folding all gives', () => {
  const ways: Ways = { on: 0, back: 0, whole: 0 }
  fc.assert(
    fc.property(
      histories,
      limitsArb,
      fc.infiniteStream(fc.integer({ min: 1, max: 6 })),
      (h, limits, sizes) => {
        const { terms, facts } = h
        let held = whole([], terms, limits)
        for (let done = 0; done < facts.length; ) {
          const count = Math.min(facts.length - done, sizes.next().value as number)
          done += count
          held = take(held, facts.slice(0, done), count, terms, ways)
          expectSame(held, facts.slice(0, done), terms)
          const kept_now = held.kept.checkpoints.reduce((sum, { items }) => sum + items.length, 0)
          expect(held.kept.held).toBe(kept_now)
          expect(kept_now).toBeLessThanOrEqual(4 * limits.most)
        }
      },
    ),
    { numRuns: sized(80, 400) },
  )
  // Every way is taken often, or the property says nothing.
  expect(Math.min(ways.on, ways.back, ways.whole)).toBeGreaterThan(sized(40, 200))
})

test('a late record costs what lies after it, however long the record is', () => {
  const terms = futuresTerms('MXF')
  const limits = { ...CHECKPOINTS, most: 512 }
  for (const length of sized([100, 1_200], [100, 1_000, 5_000])) {
    const facts = Array.from({ length }, (_, i) => record(i + 1, i % 2 ? 'sell' : 'buy', 1, 46500 + (i % 7)))
    let held = whole(facts, terms, limits)
    /** Folds one in that happened just as the one `behind` the newest; gives how many were folded, 0 when there is no way back. */
    const late = (behind: number): number => {
      const { occurred_at } = facts.at(-behind) as Facts
      const one = record(facts.length + 1, 'target', null, 46501, { target_position: 1, occurred_at })
      const back = foldBack(whole(facts, terms, limits).kept, held.state, [one], terms)
      facts.push(one)
      held = take(held, facts, 1, terms, { on: 0, back: 0, whole: 0 })
      return back?.derived.size ?? 0
    }
    for (const behind of [5, 60]) {
      const folded = late(behind)
      expect(folded).toBeGreaterThan(behind)
      expect(folded).toBeLessThanOrEqual(behind + 1 + 2 * limits.stride)
    }
    if (length > 2 * limits.most) expect(late(limits.most + 100)).toBe(0)
    expectSame(held, facts, terms)
  }
})

test('what is kept stays small: many open lots, one instant with very many records', () => {
  const limits = { stride: 8, most: 256 }
  const terms = futuresTerms('MXF', {}, { max_position: 5_000 })
  const ways: Ways = { on: 0, back: 0, whole: 0 }
  const facts = Array.from({ length: 600 }, (_, i) => record(i + 1, 'buy', 1, 46500))
  let held = whole(facts.slice(0, 500), terms, limits)
  for (let n = 501; n <= facts.length; n++) held = take(held, facts.slice(0, n), 1, terms, ways)
  const lots = held.kept.checkpoints.flatMap(({ state }) => state.open.map((one) => one.lots.length))
  expect(lots.length).toBeGreaterThan(0)
  expect(lots.reduce((sum, one) => sum + one, 0)).toBeLessThan(2 * limits.most + facts.length)
  expectSame(held, facts, terms)
  shorten(held.kept, 40)
  expect(held.kept.held).toBe(held.kept.checkpoints.reduce((sum, { items }) => sum + items.length, 0))
  facts.push(record(601, 'sell', 1, 46500, { occurred_at: facts.at(-3)?.occurred_at as string }))
  expectSame(take(held, facts, 1, terms, ways), facts, terms)

  const { occurred_at } = record(1, 'buy', 1, 1)
  const burst = Array.from({ length: 5 * limits.most }, (_, i) =>
    record(i + 1, i % 2 ? 'sell' : 'buy', 1, 46500, { occurred_at }),
  )
  let crowded = whole([], terms, limits)
  for (let n = 160; n <= burst.length; n += 160) {
    crowded = take(crowded, burst.slice(0, n), 160, terms, ways)
    expect(crowded.kept.held).toBeLessThanOrEqual(4 * limits.most)
  }
  expectSame(crowded, burst, terms)
})
