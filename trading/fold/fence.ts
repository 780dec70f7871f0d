// The price fence (domain §5.3, rule 11): whether a price can be of the same market as the last one of its position.
// Judged in the order of time and by prices alone, so that a server and a device that hold the same records say the same.
import { addDays, type ClosedDays, tradingDayFrom } from '../calendar.ts'
import { scaled } from '../decimal.ts'
import { msOf } from '../instant.ts'
import type { Facts } from '../record.ts'
import type { FoldTerms } from '../terms.ts'
import { limitTenths, tradingSessionOf } from './market.ts'
import type { LastPrice } from './state.ts'

/** So many daily limits apart two prices may be. */
const LIMITS_APART = 2n
/** A price of longer ago says nothing: trading days. */
const DAYS = 5
/** Positions whose last price is remembered, those that were priced last: a state is written with every record. */
export const PRICES_MOST = 100

/** What of a record is judged; `price` is the one that counts. */
export interface Priced {
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
