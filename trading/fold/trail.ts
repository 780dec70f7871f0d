// The newest records of a fold with states between them: what comes a little out of order is folded in from there, not from the first record.
import type { DerivedWithFlags, Facts, Trade } from '../record.ts'
import type { FoldTerms } from '../terms.ts'
import { isSuspect, judged } from './fence.ts'
import { type FoldMark, idlePointer, type Limits, lotsOf, run, type Start } from './run.ts'
import { carries, type Item, isPointer, itemOf } from './sequence.ts'
import { compareKeys, type FoldState, type LastPrice, secondOf } from './state.ts'
import type { Tally } from './tally.ts'

/** Newest records and states. Good for exactly the chain and the terms it was folded from; changed in place. */
export interface Trail {
  readonly limits: Limits
  /** In sort order; empty when there is nothing to go back to. */
  marks: FoldMark[]
  /** How many records it holds. */
  held: number
}

/** About a kilobyte a record. */
export const TRAIL: Limits = { stride: 16, most: 8_192 }

/** What is kept of a fold's marks. */
export function trailOf(marks: FoldMark[], limits: Limits): Trail {
  const kept: Trail = { limits, marks, held: 0 }
  cut(kept)
  return kept
}

/** Takes in a record that was folded on from `before`: `foldOn` says what is `known` of its price. */
export function trailOn(
  kept: Trail,
  before: Start,
  facts: Facts,
  terms: FoldTerms,
  known: LastPrice | null,
): void {
  const { marks, limits } = kept
  const item = { ...itemOf(facts, terms, before.state.last), known }
  const here = marks.at(-1)
  const apart = before.state.last === null || before.state.last.at < item.sort.at
  if (here && !(apart && here.items.length >= Math.max(limits.stride, lotsOf(before.state.open)))) {
    here.items.push(item)
    kept.held += 1
    if (kept.held > 4 * limits.most) cut(kept)
  } else if (apart) {
    const { state, trades, tally } = before
    marks.push({ state, trades, tally, items: [item] })
    cut(kept)
  }
}

/** Lets the oldest go until about `most` are left, never so that fewer than half as many are. */
export function shorten(kept: Trail, most: number): void {
  let gone = 0
  for (const { items } of kept.marks) {
    if (kept.held <= most || kept.held - items.length < most / 2) break
    kept.held -= items.length
    gone += 1
  }
  kept.marks.splice(0, gone)
}

export interface Back {
  /** What the records from the changed place on derive to, and the new pointers; by facts.id. */
  derived: Map<string, DerivedWithFlags>
  /** Lowest chain number among them. */
  first_chain_seq: number
  /** When the first of what changed happened: what stood before that second stands. */
  at: number
  /** So many trades stay; `trades` follow on them. */
  trades_before: number
  trades: Trade[]
  state: FoldState
  tally: Tally
}

/**
 * Folds further records onto `state` (in chain order, all of them after those in it), wherever they sort, from the nearest kept
 * state before the place they change. Null when that lies before everything kept, or more than `most` records would have to be
 * folded: then all has to be folded, and `kept` is of no more use.
 */
export function foldBack(
  kept: Trail,
  state: FoldState,
  news: readonly Facts[],
  terms: FoldTerms,
  most = Number.POSITIVE_INFINITY,
): Back | null {
  const pointers = new Map<string, DerivedWithFlags>()
  /** Items that are new or changed, by id. */
  const changed = new Map<string, Item>()
  const find = (id: string) => changed.get(id) ?? held(kept, id)
  let newest = state.last
  let { last_chain_seq } = state
  for (const facts of news) {
    if (facts.chain_seq <= last_chain_seq) return null
    last_chain_seq = facts.chain_seq
    if (!isPointer(facts)) {
      const item = itemOf(facts, terms, newest)
      if (!item.out_of_order) newest = item.sort
      changed.set(facts.id, item)
      continue
    }
    const target = facts.refers_to === null ? undefined : find(facts.refers_to)
    if (!target) return null
    pointers.set(facts.id, idlePointer(facts.source, false))
    if (facts.source === 'void') changed.set(target.facts.id, { ...target, voided: true })
    else if (facts.price !== null)
      changed.set(target.facts.id, { ...target, price: facts.price, corrected: true })
  }
  const place = placeBack(kept, changed, terms, most)
  if (!place) return null
  const { at, from, items, first } = place
  const ran = run(from, items, terms, kept.limits)
  kept.marks.splice(at, kept.marks.length, ...ran.marks)
  cut(kept)
  for (const [id, derived] of pointers) ran.derived.set(id, derived)
  return {
    derived: ran.derived,
    first_chain_seq: items.reduce((first, { facts }) => Math.min(first, facts.chain_seq), last_chain_seq),
    at: first,
    trades_before: from.trades,
    trades: ran.trades,
    state: { ...ran.state, last_chain_seq },
    tally: { ...ran.tally, chain_seq: last_chain_seq },
  }
}

/** The mark from which to fold, what follows on it, and when the first of what is other than it was happened. */
function placeBack(
  kept: Trail,
  changed: ReadonlyMap<string, Item>,
  terms: FoldTerms,
  most: number,
): { at: number; from: FoldMark; items: Item[]; first: number } | null {
  let first = [...changed.values()].reduce((at, { sort }) => Math.min(at, sort.at), Number.POSITIVE_INFINITY)
  for (;;) {
    const at = markBefore(kept, changed, first)
    const from = kept.marks[at]
    if (!from) return null
    const before = kept.marks
      .slice(at)
      .flatMap((mark) => mark.items.filter(({ facts }) => !changed.has(facts.id)))
    before.push(...changed.values())
    if (before.length > most) return null
    before.sort((a, b) => compareKeys(a.sort, b.sort))
    const { items, back } = judged(before, from.state.prices, terms)
    if (back === null) {
      for (const [i, item] of items.entries())
        if (isSuspect(item) !== isSuspect(before[i] as Item)) first = Math.min(first, item.sort.at)
      return { at, from, items, first }
    }
    // A price from before the mark is borne out now, or no longer.
    first = Math.min(first, back)
  }
}

/** The last mark before `at`, when the first of what changed happened, from which the rest folds as it would from the first record; -1 when there is none. */
function markBefore({ marks }: Trail, changed: ReadonlyMap<string, Item>, at: number): number {
  /** Seconds after the mark in which records may swap places. */
  const seconds = new Set<number>()
  const note = (item: Item) => {
    if (carries(item)) seconds.add(secondOf(item.sort))
  }
  for (const item of changed.values()) note(item)
  for (let i = marks.length - 1; i >= 0; i--) {
    const { state, items } = marks[i] as FoldMark
    for (const item of items) if (!changed.has(item.facts.id)) note(item)
    const { last, last_has_prev } = state
    if (last === null) return i
    // A second whose records swap places is folded from its beginning.
    if (last.at < at && !(last_has_prev && seconds.has(secondOf(last)))) return i
  }
  return -1
}

function held({ marks }: Trail, id: string): Item | undefined {
  for (const { items } of marks) for (const item of items) if (item.facts.id === id) return item
  return undefined
}

/** Lets the oldest go. A single instant with very many records cannot be gone back into: then nothing is kept. */
function cut(kept: Trail): void {
  const { marks, limits } = kept
  kept.held = marks.reduce((sum, { items }) => sum + items.length, 0)
  shorten(kept, limits.most)
  if (kept.held <= 4 * limits.most) return
  marks.length = 0
  kept.held = 0
}
