// Taking a fold up again: from a state that was stored, and all from the first record in slices between which others may work.

import type { DerivedWithFlags, Facts, Trade } from '../record.ts'
import type { FoldTerms } from '../terms.ts'
import { type FoldMark, idlePointer, type Limits, lotsOf, run, type Start } from './run.ts'
import { type Item, prepare, prepareInSlices } from './sequence.ts'
import { EMPTY_STATE, type FoldState, secondOf } from './state.ts'
import { EMPTY_TALLY, type Tally } from './tally.ts'
import { type Trail, trailOf } from './trail.ts'

/**
 * Raised when the same records under the same terms give other trades or another state than before: what an earlier version of
 * this program folded and stored is folded again then.
 */
export const FOLDED_AS = 2

/** Records folded between two pauses, about: some milliseconds. */
const SLICE = 256

/** A state with the tally that belongs to it: everything up to a place of the chain is in it, and nothing else. */
export interface FoldStanding {
  state: FoldState
  tally: Tally
}

/** Before the first record. */
export const AT_FIRST: FoldStanding = { state: EMPTY_STATE, tally: EMPTY_TALLY }

/**
 * What is kept of the records after a standing (in the order of the chain), so that those out of order can be folded in, and the state
 * after them. None of them may sort before what stands, nor point into it. Null when they say otherwise of a price in it.
 */
export function keptAfter(
  { state, tally }: FoldStanding,
  facts: readonly Facts[],
  terms: FoldTerms,
  limits: Limits,
): { kept: Trail; state: FoldState } | null {
  const { items, last_chain_seq, back } = prepare(facts, terms, state)
  if (back !== null) return null
  const ran = run({ state, trades: 0, tally }, items, terms, limits)
  return {
    kept: trailOf(ran.marks, limits),
    state: { ...ran.state, last_chain_seq: Math.max(last_chain_seq, state.last_chain_seq) },
  }
}

/** Where a fold may be taken up again: between two seconds. */
export interface Cut {
  /** What happened up to its last record's second is in it. */
  state: FoldState
  /** So many trades were closed by then. */
  trades: number
  /** Every signal with a lower chain number is in the state. */
  rest_seq: number
  /** So many signals happened after it. */
  rest: number
}

export interface FoldedInSlices {
  /** Those closed after what it was taken up from. */
  trades: Trade[]
  state: FoldState
  kept: Trail
  cuts: Cut[]
}

export interface SliceOptions {
  /** Records folded between two pauses. */
  slice?: number
  /** What stands already. The records given are those that happened in later seconds, and what points at them. */
  from?: Start
  /** Records between two cuts, at least; with more open lots than that as many as there are lots. None without. */
  every?: number
}

/**
 * What `foldKept` gives of a whole chain, without what each record derives to; pauses between slices. An instant when the records
 * say otherwise of a price in what stands already: it has to be taken up before that.
 */
export function* foldInSlices(
  facts: readonly Facts[],
  terms: FoldTerms,
  limits: Limits,
  { slice = SLICE, from = FROM_FIRST, every = Number.POSITIVE_INFINITY }: SliceOptions = {},
): Generator<undefined, FoldedInSlices | number> {
  const { items, last_chain_seq, back } = yield* prepareInSlices(facts, terms, from.state)
  if (back !== null) return back
  yield
  const end = Math.max(last_chain_seq, from.state.last_chain_seq)
  const lowest = every < items.length ? lowestFrom(items, end + 1) : []
  const trades: Trade[] = []
  const marks: FoldMark[] = []
  const cuts: Cut[] = []
  let start = from
  for (let [at, cut] = [0, 0]; at < items.length; ) {
    const to = endOf(items, at + slice)
    // What is too old to be kept leaves no marks. The tally is nobody's here.
    const near = to > items.length - limits.most
    const ran = run(start, items.slice(at, to), terms, near ? limits : null)
    for (const trade of ran.trades) trades.push(trade)
    if (near) marks.push(...ran.marks)
    const { state } = ran
    start = { state, trades: from.trades + trades.length, tally: EMPTY_TALLY }
    if (to - cut >= Math.max(every, lotsOf(state.open))) {
      cuts.push({ state, trades: start.trades, rest_seq: lowest[to] ?? end + 1, rest: items.length - to })
      cut = to
    }
    at = to
    yield
  }
  return { trades, state: { ...start.state, last_chain_seq: end }, kept: trailOf(marks, limits), cuts }
}

/** Where every whole fold begins. */
const FROM_FIRST: Start = { ...AT_FIRST, trades: 0 }

/** The lowest chain number from each place on; `none` after the last. */
function lowestFrom(items: readonly Item[], none: number): number[] {
  const lowest = [none]
  for (const { facts } of items.toReversed()) lowest.push(Math.min(lowest.at(-1) as number, facts.chain_seq))
  return lowest.reverse()
}

/** Records of one second may swap places: they are folded together. */
export function endOf(items: readonly Item[], wanted: number): number {
  let to = Math.min(wanted, items.length)
  while (to < items.length && secondOf((items[to] as Item).sort) === secondOf((items[to - 1] as Item).sort))
    to += 1
  return to
}

// All records of a strategy folded in slices between which others may work, with what each of them derives to.
/** What `foldKept` gives, but for the positions. */
export interface WholeFold {
  derived: Map<string, DerivedWithFlags>
  trades: Trade[]
  state: FoldState
  tally: Tally
  kept: Trail
}

/** What is too old to be kept leaves one mark a slice; it is needed for the tally only. */
const NO_MARKS: Limits = { stride: Number.POSITIVE_INFINITY, most: 0 }

/** The same as `foldKept` of a whole chain, with pauses. Each id is in it once. */
export function* foldWholeInSlices(
  facts: readonly Facts[],
  terms: FoldTerms,
  limits: Limits,
  slice = SLICE,
): Generator<undefined, WholeFold> {
  const { items, pointers, last_chain_seq } = yield* prepareInSlices(facts, terms)
  yield
  const derived: WholeFold['derived'] = new Map()
  const trades: Trade[] = []
  const marks: FoldMark[] = []
  let start: Start = { state: EMPTY_STATE, trades: 0, tally: EMPTY_TALLY }
  for (let at = 0; at < items.length; ) {
    const to = endOf(items, at + slice)
    const near = to > items.length - limits.most
    const ran = run(start, items.slice(at, to), terms, near ? limits : NO_MARKS)
    for (const [id, one] of ran.derived) derived.set(id, one)
    for (const trade of ran.trades) trades.push(trade)
    if (near) marks.push(...ran.marks)
    start = { state: ran.state, trades: trades.length, tally: ran.tally }
    at = to
    yield
  }
  for (const { facts: f, voided } of pointers) derived.set(f.id, idlePointer(f.source, voided))
  const state = { ...start.state, last_chain_seq }
  const tally = { ...start.tally, chain_seq: last_chain_seq }
  return { derived, trades, state, tally, kept: trailOf(marks, limits) }
}
