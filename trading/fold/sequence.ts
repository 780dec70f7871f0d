// The order in which records are folded, and which of them are void or corrected (domain §5.3, rules 1 and 5).
import { addDays, type ClosedDays, msOf, tradingDayFrom } from '../calendar.ts'
import { limitTenths, tradingSessionOf } from '../costs.ts'
import { scaled } from '../decimal.ts'
import type { Facts } from '../record.ts'
import type { FoldTerms } from '../terms.ts'
import {
  compareKeys,
  EMPTY_STATE,
  type FoldState,
  keyOf,
  type LastPrice,
  type SortKey,
  secondOf,
  sortKey,
} from './state.ts'

// The price fence (domain §5.3, rule 11): whether a price can be of the same market as the last one of its position.
// Judged in the order of time and by prices alone, so that a server and a device that hold the same records say the same.

/** So many daily limits apart two prices may be. */
const LIMITS_APART = 2n
/** A price of longer ago says nothing: trading days. */
const DAYS = 5
/** Positions whose last price is remembered, those that were priced last: a state is written with every record. */
export const PRICES_MOST = 100

/** What of a record is judged; `price` is the one that counts. */
interface Priced {
  key: string
  facts: Facts
  price: number | null
  voided: boolean
  /** A person gave the price. */
  corrected: boolean
}

/** Whether the price of a record is in doubt: the next one of its position did not bear it out, or has not come. */
export function isSuspect({ known }: { known: LastPrice | null }): boolean {
  return known !== null && known.doubt !== null && !known.doubt.borne
}

/** Notes a price; who was priced longest ago is forgotten, and given back, where there are too many. */
export function note(prices: Map<string, LastPrice>, known: LastPrice): LastPrice | null {
  // In the order of last use: a map keeps the order of first ones.
  prices.delete(known.key)
  prices.set(known.key, known)
  if (prices.size <= PRICES_MOST) return null
  const [oldest] = prices.values()
  if (!oldest) return null
  prices.delete(oldest.key)
  return oldest
}

export function pricesOf(list: readonly LastPrice[]): Map<string, LastPrice> {
  return new Map(list.map((one) => [one.key, one]))
}

/** Judges records in the order in which they sort, after those whose prices are given. */
export class Fence {
  readonly #prices: Map<string, LastPrice>
  readonly #terms: FoldTerms
  /** What was made here, and may still be said otherwise. */
  readonly #own = new Set<LastPrice>()
  #back: number | null = null

  constructor(prices: readonly LastPrice[], terms: FoldTerms) {
    this.#prices = pricesOf(prices)
    this.#terms = terms
  }

  /** After those judged so far. */
  get prices(): LastPrice[] {
    return [...this.#prices.values()]
  }

  /** What is known of the position's price after this record; null when it says nothing of it. Final once all are judged. */
  judge(item: Priced): LastPrice | null {
    const { key, facts, price, voided, corrected } = item
    if (voided || price === null) return null
    const known: LastPrice = { key, price, at: facts.occurred_at, doubt: null }
    const was = this.#prices.get(key)
    const tenths = limitTenths(facts.symbol, this.#terms)
    if (was && tenths !== null) {
      const borne = was.doubt !== null && isNear(was.doubt.price, price, tenths)
      if (was.doubt) this.#settle(was, borne)
      const last = borne && was.doubt ? was.doubt : was
      // A person who gave the price knows it.
      if (!corrected && !isNear(last.price, price, tenths) && this.#isRecent(last.at, facts)) {
        known.price = last.price
        known.at = last.at
        known.doubt = { price, at: facts.occurred_at, borne: false }
      }
    }
    this.#own.add(known)
    const forgotten = note(this.#prices, known)
    if (forgotten?.doubt) this.#settle(forgotten, false)
    return known
  }

  /**
   * All are judged. An instant when one of the prices given was taken for something else than these records say: they have to be
   * judged, and folded, from before it.
   */
  end(): number | null {
    for (const one of this.#prices.values()) if (one.doubt && !this.#own.has(one)) this.#settle(one, false)
    return this.#back
  }

  #settle(known: LastPrice, borne: boolean): void {
    const { doubt } = known
    if (!doubt || doubt.borne === borne) return
    if (this.#own.has(known)) doubt.borne = borne
    else this.#back = Math.min(this.#back ?? Number.POSITIVE_INFINITY, msOf(doubt.at))
  }

  #isRecent(at: string, { symbol, occurred_at }: Facts): boolean {
    const dayOf = (instant: string) =>
      tradingSessionOf({ symbol, occurred_at: instant }, this.#terms).trading_date
    return dayOf(occurred_at) <= tradingDaysAfter(dayOf(at), DAYS, this.#terms.closed_days)
  }
}

/** The items with what is known of their prices, and whether they have to be judged from before an instant. */
export function judged<T extends Priced & { known: LastPrice | null }>(
  items: readonly T[],
  prices: readonly LastPrice[],
  terms: FoldTerms,
): { items: T[]; back: number | null } {
  const fence = new Fence(prices, terms)
  const own = items.map((item) => ({ ...item, known: fence.judge(item) }))
  return { items: own, back: fence.end() }
}

/** Within so many daily limits, counted from the first. */
function isNear(from: number, to: number, tenths: bigint): boolean {
  if (from === to) return true
  const [a, b] = [scaled(from), scaled(to)]
  return (a < b ? b - a : a - b) * 10n <= a * tenths * LIMITS_APART
}

function tradingDaysAfter(day: string, n: number, closed_days: ClosedDays): string {
  let on = day
  for (let i = 0; i < n; i++) on = tradingDayFrom(addDays(on, 1), closed_days)
  return on
}

export interface Item {
  facts: Facts
  key: string
  sort: SortKey
  voided: boolean
  price: number | null
  corrected: boolean
  /** It sorts before one that came earlier. */
  out_of_order: boolean
  /** Nothing that came earlier happened after it. */
  leads: boolean
  /** What is known of its position's price after it; null while nobody has judged, or when it says nothing of it. */
  known: LastPrice | null
}

interface FoldSequence {
  /** Signals in sort order; each run of one second may still be re-ordered by chain. */
  items: Item[]
  /** Void and correction records: they point at others and do nothing themselves. */
  pointers: { facts: Facts; voided: boolean }[]
  last_chain_seq: number
  /** An instant: these records say otherwise of an earlier price than the state they follow on (`Fence.end`). */
  back: number | null
}

/** Whether a record only points at another one. */
export function isPointer(facts: { source: string }): boolean {
  return facts.source === 'void' || facts.source === 'correction'
}

/** A record as it is folded, before any other points at it; `newest` sorts last among those that came earlier. */
export function itemOf(facts: Facts, terms: FoldTerms, newest: SortKey | null): Item {
  const sort = sortKey(facts)
  return {
    facts,
    key: keyOf(facts, terms),
    sort,
    voided: false,
    price: facts.price,
    corrected: false,
    out_of_order: newest !== null && compareKeys(sort, newest) < 0,
    leads: newest === null || sort.at >= newest.at,
    known: null,
  }
}

/**
 * Sorts the records of a strategy, resolves what points at them and judges their prices; the order of the input does not matter.
 * `from` is the state that they follow on.
 */
export function prepare(
  facts: readonly Facts[],
  terms: FoldTerms,
  from: FoldState = EMPTY_STATE,
): FoldSequence {
  const steps = prepareInSlices(facts, terms, from)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Records prepared between two pauses. */
const SLICE = 512

/** The same with pauses. */
export function* prepareInSlices(
  facts: readonly Facts[],
  terms: FoldTerms,
  from: FoldState = EMPTY_STATE,
): Generator<undefined, FoldSequence> {
  const all = inChain(facts) ? facts : onceEach(facts).sort((a, b) => a.chain_seq - b.chain_seq)
  const voided = new Set<string>()
  for (const f of all) if (f.source === 'void' && f.refers_to !== null) voided.add(f.refers_to)
  const prices = new Map<string, number>()
  for (const f of all)
    if (f.source === 'correction' && f.refers_to !== null && f.price !== null && !voided.has(f.id))
      prices.set(f.refers_to, f.price)

  const items: Item[] = []
  const pointers: FoldSequence['pointers'] = []
  let { last } = from
  for (const [i, f] of all.entries()) {
    if (i % SLICE === SLICE - 1) yield
    if (isPointer(f)) {
      pointers.push({ facts: f, voided: f.source === 'correction' && voided.has(f.id) })
      continue
    }
    const item = itemOf(f, terms, last)
    if (!item.out_of_order) last = item.sort
    item.voided = voided.has(f.id)
    const price = prices.get(f.id)
    if (price !== undefined) Object.assign(item, { price, corrected: true })
    items.push(item)
  }
  items.sort((a, b) => compareKeys(a.sort, b.sort))
  const fence = new Fence(from.prices, terms)
  for (const [i, item] of items.entries()) {
    if (i % SLICE === SLICE - 1) yield
    item.known = fence.judge(item)
  }
  return { items, pointers, last_chain_seq: all.at(-1)?.chain_seq ?? 0, back: fence.end() }
}

/** Records of which each id counts once: the last one given. */
export function onceEach(facts: readonly Facts[]): Facts[] {
  return [...new Map(facts.map((f) => [f.id, f])).values()]
}

/** Stored records mostly come this way; then neither sorting nor a table of ids is needed. */
function inChain(facts: readonly Facts[]): boolean {
  return facts.every((f, i) => i === 0 || f.chain_seq > (facts[i - 1] as Facts).chain_seq)
}

/**
 * Walks items in folding order. Within one second, records of one position that carry reported_prev swap places among
 * themselves: the one that fits the running position goes first (complaint 4); with none fitting, sort order holds.
 */
export function walk(
  items: readonly Item[],
  position: (key: string) => number,
  visit: (item: Item) => void,
): void {
  for (let from = 0; from < items.length; ) {
    const second = secondOf((items[from] as Item).sort)
    let to = from + 1
    if (to === items.length || secondOf((items[to] as Item).sort) !== second) {
      visit(items[from] as Item)
      from = to
      continue
    }
    while (to < items.length && secondOf((items[to] as Item).sort) === second) to += 1
    const run = items.slice(from, to)
    if (run.filter(carries).length < 2) run.forEach(visit)
    else chained(run, position, visit)
    from = to
  }
}

/** Whether a record takes part in chaining. */
export function carries(item: Item): boolean {
  return item.facts.reported_prev !== null && !item.voided
}

function chained(run: Item[], position: (key: string) => number, visit: (item: Item) => void): void {
  const waiting = new Map<string, Item[]>()
  const fitting = new Map<string, Item[]>()
  const taken = new Set<Item>()
  const next = (list: Item[] | undefined): Item | undefined => {
    while (list && list.length > 0 && taken.has(list.at(-1) as Item)) list.pop()
    return list?.at(-1)
  }
  // Lists are kept reversed, so that taking the first is a pop: a second with thousands of records stays linear.
  for (const item of run.toReversed()) {
    if (!carries(item)) continue
    push(waiting, item.key, item)
    push(fitting, `${item.key} ${item.facts.reported_prev}`, item)
  }
  for (const slot of run) {
    const item = carries(slot)
      ? (next(fitting.get(`${slot.key} ${position(slot.key)}`)) ?? next(waiting.get(slot.key)) ?? slot)
      : slot
    taken.add(item)
    visit(item)
  }
}

function push(map: Map<string, Item[]>, key: string, item: Item): void {
  const list = map.get(key)
  if (list) list.push(item)
  else map.set(key, [item])
}
