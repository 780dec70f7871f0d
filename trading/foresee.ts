// What a signal would do if it came next: the fold's own step over the positions that are held (domain §7.6).
import { addDays, type ClosedDays, tradingDates, tradingDayFrom } from './calendar.ts'
import { limitTenths, tickOf } from './costs.ts'
import { divFloor, type Scaled, scaled, toNumber } from './decimal.ts'
import { keyOf, type OpenKey } from './fold/state.ts'
import { type Stepping, step } from './fold/step.ts'
import { ASSET_FACTS } from './kinds.ts'
import type { Listing } from './listings.ts'
import type { ManualOrder } from './manual.ts'
import { stockType } from './products.ts'
import type { DerivedWithFlags, Facts, Position } from './record.ts'
import type { Unlimited } from './tables.ts'
import type { FoldTerms } from './terms.ts'

// Limit up and limit down from a reference price (domain §§2.2, 3.2, 3.3): ±10 %, rounded inwards to the tick of the raw result; and why there are none.

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

/** What is known of a security beside the tables a fold goes by: nothing folds again because of it (docs/decisions/manual-signals.md). */
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

export interface Foreseen {
  derived: DerivedWithFlags
  /** The positions after it. */
  open: OpenKey[]
}

/** The facts of an order as far as folding reads them; what a server gives (number, arrival) is not known yet. */
export function orderFacts(order: ManualOrder, of: { id: string; asset: Facts['asset'] }): Facts {
  const { flags: _flags, ...said } = order
  return {
    ...said,
    id: of.id,
    asset: of.asset,
    strategy_id: '',
    chain_seq: 0,
    source: 'manual',
    refers_to: null,
    external_id: null,
    symbol_raw: null,
    reported_prev: null,
    received_at: order.occurred_at,
    timeframe: null,
    note: null,
    reason: null,
    body_sha256: null,
    created_by: null,
  }
}

/** `open` stays as it is. */
export function foresee(open: readonly OpenKey[], facts: Facts, terms: FoldTerms): Foreseen {
  const key = keyOf(facts, terms)
  // the step takes lots away from what it is given
  const held = copyOf(open.find((one) => one.key === key))
  const { open: after, derived } = step(held, plain(facts), terms)
  const others = open.filter((one) => one.key !== key)
  return { derived, open: after ? [...others, after] : others }
}

/**
 * Positions as if each had been entered at once for its average: what is left where the records of their entries are not all
 * here. Closing all of it gives the same P&L, closing a part of it an estimate.
 */
export function openAtAverage(
  positions: readonly Pick<Position, 'symbol' | 'contract' | 'quantity' | 'avg_price' | 'ref_at'>[],
  at: string,
  terms: FoldTerms,
): OpenKey[] {
  let open: OpenKey[] = []
  const unlimited = { ...terms, direction: 'both' as const, max_position: Number.MAX_SAFE_INTEGER }
  for (const { symbol, contract, quantity, avg_price, ref_at } of positions) {
    const order: ManualOrder = {
      symbol,
      contract,
      action: 'target',
      quantity: null,
      unit: ASSET_FACTS[terms.asset].unit,
      target_position: quantity,
      price: avg_price,
      occurred_at: ref_at ?? at,
      flags: [],
    }
    open = foresee(open, orderFacts(order, { id: `held-${symbol}`, asset: terms.asset }), unlimited).open
  }
  return open
}

/** As it comes: whether its price is believed is for the record to say. */
const plain = (facts: Facts): Stepping => ({
  facts,
  price: facts.price,
  corrected: false,
  out_of_order: false,
  known: null,
})

const copyOf = (held: OpenKey | undefined): OpenKey | undefined =>
  held && {
    ...held,
    lots: held.lots.map((lot) => ({
      ...lot,
      short_day: { ...lot.short_day },
      short_overnight: { ...lot.short_overnight },
    })),
  }
