// Taking a fold up again: from a state that was stored, and all from the first record in slices between which others may work.
import type { Facts, Trade } from '../record.ts'
import type { FoldTerms } from '../terms.ts'
import { type Kept, keptOf } from './kept.ts'
import { type Limits, type Mark, run, type Start } from './run.ts'
import { type Item, prepare, prepareInSlices } from './sequence.ts'
import { EMPTY_STATE, type FoldState, secondOf } from './state.ts'
import { EMPTY_TALLY, type Tally } from './tally.ts'

/** Records folded between two pauses, about: some milliseconds. */
const SLICE = 512

/** A state with the tally that belongs to it: everything up to a place of the chain is in it, and nothing else. */
export interface Standing {
  state: FoldState
  tally: Tally
}

/** Before the first record. */
export const AT_FIRST: Standing = { state: EMPTY_STATE, tally: EMPTY_TALLY }

/**
 * What is kept of the records after a standing (in the order of the chain), so that late ones can be folded in, and the state
 * after them. None of them may sort before what stands, nor point into it.
 */
export function keptAfter(
  { state, tally }: Standing,
  facts: readonly Facts[],
  terms: FoldTerms,
  limits: Limits,
): { kept: Kept; state: FoldState } {
  const { items, last_chain_seq } = prepare(facts, terms, state.last)
  const ran = run({ state, trades: 0, tally }, items, terms, limits)
  return {
    kept: keptOf(ran.marks, limits),
    state: { ...ran.state, last_chain_seq: Math.max(last_chain_seq, state.last_chain_seq) },
  }
}

export interface FoldedInSlices {
  trades: Trade[]
  state: FoldState
  kept: Kept
}

/** What `foldKept` gives of a whole chain, without what each record derives to; pauses between slices. */
export function* foldInSlices(
  facts: readonly Facts[],
  terms: FoldTerms,
  limits: Limits,
  slice = SLICE,
): Generator<undefined, FoldedInSlices> {
  const { items, last_chain_seq } = yield* prepareInSlices(facts, terms)
  yield
  const trades: Trade[] = []
  const marks: Mark[] = []
  let start: Start = { state: EMPTY_STATE, trades: 0, tally: EMPTY_TALLY }
  for (let from = 0; from < items.length; ) {
    const to = endOf(items, from + slice)
    // What is too old to be kept leaves no marks. The tally is nobody's here.
    const near = to > items.length - limits.most
    const ran = run(start, items.slice(from, to), terms, near ? limits : null)
    for (const trade of ran.trades) trades.push(trade)
    if (near) marks.push(...ran.marks)
    start = { state: ran.state, trades: trades.length, tally: EMPTY_TALLY }
    from = to
    yield
  }
  return { trades, state: { ...start.state, last_chain_seq }, kept: keptOf(marks, limits) }
}

/** Records of one second may swap places: they are folded together. */
function endOf(items: readonly Item[], wanted: number): number {
  let to = Math.min(wanted, items.length)
  while (to < items.length && secondOf((items[to] as Item).sort) === secondOf((items[to - 1] as Item).sort))
    to += 1
  return to
}
