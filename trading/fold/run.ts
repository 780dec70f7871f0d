// Folding records onto a state, one after the other, leaving marks behind from which the fold can be taken up again.
import { scaled, toText } from '../decimal.ts'
import { type DerivedWithFlags, NO_EFFECT, type Trade } from '../record.ts'
import type { FoldTerms } from '../terms.ts'
import { carries, type Item, note, pricesOf, walk } from './sequence.ts'
import { type FoldState, type OpenKey, positionOf, secondOf, sideOf, type Tally, tallyOn } from './state.ts'
import { step } from './step.ts'

/** Where a fold stands: what came before is in it, and nothing else. */
export interface Start {
  state: FoldState
  /** How many trades were closed by then. */
  trades: number
  tally: Tally
}

/** A start, and what follows on it up to the next mark, in sort order. All of that happened after what came before. */
export interface FoldMark extends Start {
  items: Item[]
}

export interface Limits {
  /** Records between two marks, at least; with more open lots than that as many as there are lots. */
  stride: number
  /** Records that are kept with their marks, about. */
  most: number
}

interface Ran extends Omit<Start, 'trades'> {
  /** By facts.id. */
  derived: Map<string, DerivedWithFlags>
  /** The new ones. */
  trades: Trade[]
  /** The last one's items are the newest. */
  marks: FoldMark[]
}

/**
 * Folds items (in sort order and judged, all of them after `from`) onto a state, which stays as it is. With limits it counts the tally,
 * too, and gives marks over the newest; without, one mark over all and the tally of the start.
 */
export function run(from: Start, items: readonly Item[], terms: FoldTerms, limits: Limits | null): Ran {
  const open = new Map(from.state.open.map((one) => [one.key, structured(one)]))
  const derived: Ran['derived'] = new Map()
  const trades: Trade[] = []
  const marks: FoldMark[] = []
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
    marks.push({ ...start, items: segment })
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
  return { derived, trades, marks, state, tally }
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

/** How many lots are open: what a mark weighs. */
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
