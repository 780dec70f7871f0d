// Limit up and limit down from a reference price (domain §§2.2, 3.2, 3.3): ±10 %, rounded inwards to the tick of the raw result; and why there are none.
import { addDays, type ClosedDays, tradingDates, tradingDayFrom } from './calendar.ts'
import { divFloor, type Scaled, scaled, toNumber } from './decimal.ts'
import { limitTenths, tickOf } from './fold/market.ts'
import type { Listing } from './listings.ts'
import { stockType } from './stocks.ts'
import type { Unlimited } from './tables.ts'
import type { FoldTerms } from './terms.ts'

/** A common share that is new on 上市 or 上櫃 has none on so many trading days. */
const FIRST_DAYS = 5
/** Beyond this even a market that is closed for the New Year has had five. */
const LONG_AGO = 40

/** Null where none are known. `ref` is what they are reckoned from, the day before's close where it is at hand. */
export function limitsOf(
  ref: number,
  { symbol, on, terms }: { symbol: string; on: string; terms: FoldTerms },
): { up: number; down: number } | null {
  const part = limitTenths(symbol, terms)
  if (part === null || !(ref > 0)) return null
  const tick = (raw: Scaled) => scaled(tickOf(symbol, Number(raw) / 100_000, on, terms)) * 10n
  const [high, low] = [scaled(ref) * (10n + part), scaled(ref) * (10n - part)]
  return {
    up: toNumber((divFloor(high, tick(high)) * tick(high)) / 10n),
    down: toNumber((-divFloor(-low, tick(low)) * tick(low)) / 10n),
  }
}

/** What is known of a security beside the tables a fold goes by: nothing folds again because of it (decision 079). */
export interface LimitFacts {
  unlimited: readonly Unlimited[]
  /** Null where its list is not at hand. */
  listing: Pick<Listing, 'market' | 'listed_on'> | null
}

/** Why a security has no limits on a day. */
export type NoLimit = 'foreign_etf' | 'emerging' | 'new_twse' | 'new_tpex'

/** Null where the limits hold, as far as is known. */
export function noLimit(
  symbol: string,
  on: string,
  { unlimited, listing }: LimitFacts,
  closed_days?: ClosedDays,
): NoLimit | null {
  const row = unlimited.findLast(({ from }) => from <= on)
  if (row?.symbols.includes(symbol)) return 'foreign_etf'
  if (!listing) return null
  if (listing.market === 'emerging') return 'emerging'
  // funds and preferred shares have them from the first day
  if (!/^\d{4}$/.test(symbol) || stockType(symbol) !== 'stock') return null
  return isNew(listing.listed_on, on, closed_days) ? `new_${listing.market}` : null
}

function isNew(listed_on: string | undefined, on: string, closed_days?: ClosedDays): boolean {
  if (listed_on === undefined || on < listed_on || on > addDays(listed_on, LONG_AGO)) return false
  // what is entered on a closed day is of the next open one
  return tradingDates(listed_on, tradingDayFrom(on, closed_days), closed_days).length <= FIRST_DAYS
}
