// Folding records onto a state, one after the other, leaving checkpoints behind from which the fold can be taken up again.
import { scaled, toText } from '../decimal.ts'
import { type DerivedWithFlags, type Facts, NO_EFFECT, type Trade } from '../record.ts'
import type { FoldTerms } from '../terms.ts'
import {
  carries,
  type Item,
  isPointer,
  isSuspect,
  itemOf,
  judged,
  note,
  prepare,
  prepareInSlices,
  pricesOf,
  walk,
} from './sequence.ts'
import {
  compareKeys,
  EMPTY_STATE,
  EMPTY_TALLY,
  type FoldState,
  type LastPrice,
  type OpenKey,
  positionOf,
  secondOf,
  sideOf,
  type Tally,
  tallyOn,
} from './state.ts'
import { step } from './step.ts'

/** Where a fold stands: what came before is in it, and nothing else. */
export interface Start {
  state: FoldState
  /** How many trades were closed by then. */
  trades: number
  tally: Tally
}

/** A start, and what follows on it up to the next checkpoint, in sort order. All of that happened after what came before. */
export interface Checkpoint extends Start {
  items: Item[]
}

export interface Limits {
  /** Records between two checkpoints, at least; with more open lots than that as many as there are lots. */
  stride: number
  /** Records that are kept with their checkpoints, about. */
  most: number
}

interface Ran extends Omit<Start, 'trades'> {
  /** By facts.id. */
  derived: Map<string, DerivedWithFlags>
  /** The new ones. */
  trades: Trade[]
  /** The last one's items are the newest. */
  checkpoints: Checkpoint[]
}

/**
 * Folds items (in sort order and judged, all of them after `from`) onto a state, which stays as it is. With limits it counts the tally,
 * too, and gives checkpoints over the newest; without, one checkpoint over all and the tally of the start.
 */
export function run(from: Start, items: readonly Item[], terms: FoldTerms, limits: Limits | null): Ran {
  const open = new Map(from.state.open.map((one) => [one.key, structured(one)]))
  const derived: Ran['derived'] = new Map()
  const trades: Trade[] = []
  const checkpoints: Checkpoint[] = []
  let { excluded_count, last_chain_seq, last, last_has_prev } = from.state
  let realised = scaled(from.state.realised)
  const prices = pricesOf(from.state.prices)
  let start = from
  let [begun, visited, latest] = [0, 0, Number.NEGATIVE_INFINITY]

  /** Where the fold stands after items[0…to): only to be asked when these are the visited ones. */
  const standing = (to: number): Start => {
    const segment = items.slice(begun, to)
    for (const item of segment) {
      last_has_prev =
        carries(item) || (last_has_prev && last !== null && secondOf(last) === secondOf(item.sort))
      last_chain_seq = Math.max(last_chain_seq, item.facts.chain_seq)
      last = item.sort
      if (item.known) note(prices, item.known)
    }
    checkpoints.push({ ...start, items: segment })
    const state: FoldState = {
      v: 3,
      last,
      last_has_prev,
      last_chain_seq,
      open: [...open.values()].map(structured).sort((a, b) => (a.key < b.key ? -1 : 1)),
      prices: [...prices.values()],
      excluded_count,
      realised: toText(realised),
    }
    const tally = limits ? tallied(start.tally, segment, derived, terms) : start.tally
    return { state, trades: from.trades + trades.length, tally }
  }
  const isPlace = (next: Item) =>
    limits !== null &&
    visited - begun >= limits.stride &&
    visited >= items.length - limits.most &&
    // Whatever swaps places within a second: all that was visited happened before all that was not.
    latest < next.sort.at &&
    visited - begun >= lotsOf(open.values())

  walk(
    items,
    (key) => positionOf(open.get(key)),
    (item) => {
      if (isPlace(items[visited] as Item)) {
        start = standing(visited)
        begun = visited
      }
      visited += 1
      latest = Math.max(latest, item.sort.at)
      if (item.voided) {
        const p = positionOf(open.get(item.key))
        derived.set(item.facts.id, idle(p, 'voided', '已作廢', item.out_of_order))
        return
      }
      const stepped = step(open.get(item.key), item, terms)
      if (stepped.open) open.set(item.key, stepped.open)
      else open.delete(item.key)
      derived.set(item.facts.id, stepped.derived)
      trades.push(...stepped.trades)
      excluded_count += stepped.excluded
      realised += stepped.net
    },
  )
  const { state, tally } = standing(items.length)
  return { derived, trades, checkpoints, state, tally }
}

/** What a record that moves nothing derives to. */
function idle(
  p: number,
  status: 'ok' | 'voided',
  none_reason: string,
  out_of_order: boolean,
): DerivedWithFlags {
  return {
    ...NO_EFFECT,
    status,
    none_reason,
    side: sideOf(p),
    position_before: p,
    position_after: p,
    flags: out_of_order ? ['out_of_order'] : [],
  }
}

/** What a void or a correction itself derives to. */
export function idlePointer(source: string, voided: boolean): DerivedWithFlags {
  if (voided) return idle(0, 'voided', '已作廢', false)
  return idle(0, 'ok', source === 'void' ? '作廢紀錄' : '更正紀錄', false)
}

/** A copy that can be stepped on. */
export function structured(open: OpenKey): OpenKey {
  const copy = (lot: OpenKey['lots'][number]) => ({
    ...lot,
    short_day: { ...lot.short_day },
    short_overnight: { ...lot.short_overnight },
  })
  return { ...open, lots: open.lots.map(copy) }
}

/** How many lots are open: what a checkpoint weighs. */
export function lotsOf(open: Iterable<OpenKey>): number {
  let lots = 0
  for (const one of open) lots += one.lots.length
  return lots
}

/** The tally counts in chain order: that is the order in which the last of several records of one instant is told. */
function tallied(tally: Tally, segment: readonly Item[], derived: Ran['derived'], terms: FoldTerms): Tally {
  const chain = segment.toSorted((a, b) => a.facts.chain_seq - b.facts.chain_seq)
  let on = tally
  for (const { facts, leads } of chain)
    on = tallyOn(on, facts, derived.get(facts.id) as DerivedWithFlags, terms, leads)
  return on
}

// The newest records of a fold with states between them: what comes a little out of order is folded in from there, not from the first record.

// Taking a fold up again: from a state that was stored, and all from the first record in slices between which others may work.

/**
 * Raised when the same records under the same terms give other trades, figures or another state than before: what an earlier version of
 * this program folded and stored is folded again then, and owners are told which of their figures changed.
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
): { kept: Checkpoints; state: FoldState } | null {
  const { items, last_chain_seq, back } = prepare(facts, terms, state)
  if (back !== null) return null
  const ran = run({ state, trades: 0, tally }, items, terms, limits)
  return {
    kept: checkpointsOf(ran.checkpoints, limits),
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
  kept: Checkpoints
  cuts: Cut[]
}

interface SliceOptions {
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
  const checkpoints: Checkpoint[] = []
  const cuts: Cut[] = []
  let start = from
  for (let [at, cut] = [0, 0]; at < items.length; ) {
    const to = endOf(items, at + slice)
    // What is too old to be kept leaves no checkpoints. The tally is nobody's here.
    const near = to > items.length - limits.most
    const ran = run(start, items.slice(at, to), terms, near ? limits : null)
    for (const trade of ran.trades) trades.push(trade)
    if (near) checkpoints.push(...ran.checkpoints)
    const { state } = ran
    start = { state, trades: from.trades + trades.length, tally: EMPTY_TALLY }
    if (to - cut >= Math.max(every, lotsOf(state.open))) {
      cuts.push({ state, trades: start.trades, rest_seq: lowest[to] ?? end + 1, rest: items.length - to })
      cut = to
    }
    at = to
    yield
  }
  return {
    trades,
    state: { ...start.state, last_chain_seq: end },
    kept: checkpointsOf(checkpoints, limits),
    cuts,
  }
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
  kept: Checkpoints
}

/** What is too old to be kept leaves one checkpoint a slice; it is needed for the tally only. */
const NO_CHECKPOINTS: Limits = { stride: Number.POSITIVE_INFINITY, most: 0 }

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
  const checkpoints: Checkpoint[] = []
  let start: Start = { state: EMPTY_STATE, trades: 0, tally: EMPTY_TALLY }
  for (let at = 0; at < items.length; ) {
    const to = endOf(items, at + slice)
    const near = to > items.length - limits.most
    const ran = run(start, items.slice(at, to), terms, near ? limits : NO_CHECKPOINTS)
    for (const [id, one] of ran.derived) derived.set(id, one)
    for (const trade of ran.trades) trades.push(trade)
    if (near) checkpoints.push(...ran.checkpoints)
    start = { state: ran.state, trades: trades.length, tally: ran.tally }
    at = to
    yield
  }
  for (const { facts: f, voided } of pointers) derived.set(f.id, idlePointer(f.source, voided))
  const state = { ...start.state, last_chain_seq }
  const tally = { ...start.tally, chain_seq: last_chain_seq }
  return { derived, trades, state, tally, kept: checkpointsOf(checkpoints, limits) }
}

/** Newest records and states. Good for exactly the chain and the terms it was folded from; changed in place. */
export interface Checkpoints {
  readonly limits: Limits
  /** In sort order; empty when there is nothing to go back to. */
  checkpoints: Checkpoint[]
  /** How many records it holds. */
  held: number
}

/** About a kilobyte a record. */
export const CHECKPOINTS: Limits = { stride: 16, most: 8_192 }

/** What is kept of a fold's checkpoints. */
export function checkpointsOf(checkpoints: Checkpoint[], limits: Limits): Checkpoints {
  const kept: Checkpoints = { limits, checkpoints, held: 0 }
  cut(kept)
  return kept
}

/** Takes in a record that was folded on from `before`: `foldOn` says what is `known` of its price. */
export function checkpointOn(
  kept: Checkpoints,
  before: Start,
  facts: Facts,
  terms: FoldTerms,
  known: LastPrice | null,
): void {
  const { checkpoints, limits } = kept
  const item = { ...itemOf(facts, terms, before.state.last), known }
  const here = checkpoints.at(-1)
  const apart = before.state.last === null || before.state.last.at < item.sort.at
  if (here && !(apart && here.items.length >= Math.max(limits.stride, lotsOf(before.state.open)))) {
    here.items.push(item)
    kept.held += 1
    if (kept.held > 4 * limits.most) cut(kept)
  } else if (apart) {
    const { state, trades, tally } = before
    checkpoints.push({ state, trades, tally, items: [item] })
    cut(kept)
  }
}

/** Lets the oldest go until about `most` are left, never so that fewer than half as many are. */
export function shorten(kept: Checkpoints, most: number): void {
  let gone = 0
  for (const { items } of kept.checkpoints) {
    if (kept.held <= most || kept.held - items.length < most / 2) break
    kept.held -= items.length
    gone += 1
  }
  kept.checkpoints.splice(0, gone)
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
  kept: Checkpoints,
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
  kept.checkpoints.splice(at, kept.checkpoints.length, ...ran.checkpoints)
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

/** The checkpoint from which to fold, what follows on it, and when the first of what is other than it was happened. */
function placeBack(
  kept: Checkpoints,
  changed: ReadonlyMap<string, Item>,
  terms: FoldTerms,
  most: number,
): { at: number; from: Checkpoint; items: Item[]; first: number } | null {
  let first = [...changed.values()].reduce((at, { sort }) => Math.min(at, sort.at), Number.POSITIVE_INFINITY)
  for (;;) {
    const at = checkpointBefore(kept, changed, first)
    const from = kept.checkpoints[at]
    if (!from) return null
    const before = kept.checkpoints
      .slice(at)
      .flatMap((checkpoint) => checkpoint.items.filter(({ facts }) => !changed.has(facts.id)))
    before.push(...changed.values())
    if (before.length > most) return null
    before.sort((a, b) => compareKeys(a.sort, b.sort))
    const { items, back } = judged(before, from.state.prices, terms)
    if (back === null) {
      for (const [i, item] of items.entries())
        if (isSuspect(item) !== isSuspect(before[i] as Item)) first = Math.min(first, item.sort.at)
      return { at, from, items, first }
    }
    // A price from before the checkpoint is borne out now, or no longer.
    first = Math.min(first, back)
  }
}

/** The last checkpoint before `at`, when the first of what changed happened, from which the rest folds as it would from the first record; -1 when there is none. */
function checkpointBefore(
  { checkpoints }: Checkpoints,
  changed: ReadonlyMap<string, Item>,
  at: number,
): number {
  /** Seconds after the checkpoint in which records may swap places. */
  const seconds = new Set<number>()
  const note = (item: Item) => {
    if (carries(item)) seconds.add(secondOf(item.sort))
  }
  for (const item of changed.values()) note(item)
  for (let i = checkpoints.length - 1; i >= 0; i--) {
    const { state, items } = checkpoints[i] as Checkpoint
    for (const item of items) if (!changed.has(item.facts.id)) note(item)
    const { last, last_has_prev } = state
    if (last === null) return i
    // A second whose records swap places is folded from its beginning.
    if (last.at < at && !(last_has_prev && seconds.has(secondOf(last)))) return i
  }
  return -1
}

function held({ checkpoints }: Checkpoints, id: string): Item | undefined {
  for (const { items } of checkpoints) for (const item of items) if (item.facts.id === id) return item
  return undefined
}

/** Lets the oldest go. A single instant with very many records cannot be gone back into: then nothing is kept. */
function cut(kept: Checkpoints): void {
  const { checkpoints, limits } = kept
  kept.held = checkpoints.reduce((sum, { items }) => sum + items.length, 0)
  shorten(kept, limits.most)
  if (kept.held <= 4 * limits.most) return
  checkpoints.length = 0
  kept.held = 0
}
