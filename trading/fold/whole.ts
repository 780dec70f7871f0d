// All records of a strategy folded in slices between which others may work, with what each of them derives to.
import type { DerivedWithFlags, Facts, Trade } from '../record.ts'
import type { FoldTerms } from '../terms.ts'
import { endOf } from './resume.ts'
import { type FoldMark, idlePointer, type Limits, run, type Start } from './run.ts'
import { prepareInSlices } from './sequence.ts'
import { EMPTY_STATE, type FoldState } from './state.ts'
import { EMPTY_TALLY, type Tally } from './tally.ts'
import { type Trail, trailOf } from './trail.ts'

/** What `foldKept` gives, but for the positions. */
export interface WholeFold {
  derived: Map<string, DerivedWithFlags>
  trades: Trade[]
  state: FoldState
  tally: Tally
  kept: Trail
}

/** Records folded between two pauses, about: some milliseconds. */
const SLICE = 256
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
