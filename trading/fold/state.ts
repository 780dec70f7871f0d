// What a fold carries from record to record: plain JSON, so that a server can keep it in a row.

import { msOf } from '../calendar.ts'
import { contractOfRule } from '../products.ts'
import type { DerivedWithFlags, Effect, Facts, Side } from '../record.ts'
import type { FoldTerms } from '../terms.ts'

/** Shares taxed and tax taken so far of a short stock lot, so that floored parts add up to the floored whole. */
export interface Taken {
  shares: number
  tax: number
}

/** An open piece of one entry signal. Money is whole NT$ or ≤ 4 decimals, prices null while missing. */
export interface Lot {
  signal_id: string
  at: string
  price: number | null
  quantity: number
  /** Quantity, fee and tax the lot began with: what is split by quantity when it closes in parts. */
  total: number
  fee: number | null
  fee_left: number | null
  tax: number | null
  tax_left: number | null
  short_day: Taken
  short_overnight: Taken
  /** Highest and lowest signal price strictly inside the lot's life. */
  high: number | null
  low: number | null
}

/** An open position: flat ones are not kept. */
export interface OpenKey {
  key: string
  symbol: string
  contract: string | null
  side: 'long' | 'short'
  round_trip_id: string
  ref_price: number | null
  ref_at: string | null
  /** The explicit month that the last record of this position named; null when it named none, so that it rolls on (A28). */
  month: string | null
  lots: Lot[]
}

/** Sort key of a record (domain §5.3): occurred_at, phase, received_at, id. */
export interface SortKey {
  at: number
  phase: number
  received: number
  id: string
}

/** The last price of a position that can be believed, in the order of time. */
export interface LastPrice {
  /** Which position. */
  key: string
  price: number
  at: string
  /** One after it, too far away to be believed alone; `borne`: the next one bore it out. */
  doubt: { price: number; at: string; borne: boolean } | null
}

export interface FoldState {
  v: 3
  last: SortKey | null
  /** Whether a record of the last second carries reported_prev: then its second can be re-ordered. */
  last_has_prev: boolean
  last_chain_seq: number
  /** Sorted by key. */
  open: OpenKey[]
  /** Of the positions that were priced last, flat ones too; the newest at the end. */
  prices: LastPrice[]
  /** Closed pieces left out of trades because a price is missing or in doubt. */
  excluded_count: number
  /** Sum of net over all trades, decimal text. */
  realised: string
}

/** The state before any record. */
export const EMPTY_STATE: FoldState = {
  v: 3,
  last: null,
  last_has_prev: false,
  last_chain_seq: 0,
  open: [],
  prices: [],
  excluded_count: 0,
  realised: '0',
}

/** Which position a record belongs to: symbol alone, except symbol and contract with rule month (ruling A28). */
export function keyOf(
  facts: Pick<Facts, 'symbol' | 'contract'>,
  terms: Pick<FoldTerms, 'contract_rule'>,
): string {
  return terms.contract_rule === 'month' ? `${facts.symbol}|${facts.contract ?? ''}` : facts.symbol
}

/** The contract a position is shown with. */
export function contractOf(facts: Facts, terms: FoldTerms): string | null {
  if (terms.asset === 'stock') return null
  return contractOfRule(terms.contract_rule, facts.contract)
}

/** The month a record names, null for the continuous near and next ones. */
export function monthOf({ contract }: Pick<Facts, 'contract'>): string | null {
  return contract?.startsWith('2') ? contract : null
}

const PHASE: Readonly<Record<Facts['action'], number>> = {
  long_exit: 0,
  short_exit: 0,
  close_all: 0,
  exit: 0,
  buy: 1,
  sell: 1,
  target: 1,
  reverse: 1,
  long_entry: 2,
  short_entry: 2,
  add: 2,
}

/** The sort key of a record; exits come first within the same instant, entries last (complaint 5). */
export function sortKey(facts: Pick<Facts, 'occurred_at' | 'action' | 'received_at' | 'id'>): SortKey {
  return {
    at: msOf(facts.occurred_at),
    phase: PHASE[facts.action],
    received: msOf(facts.received_at),
    id: facts.id,
  }
}

/** < 0 when a sorts before b. */
export function compareKeys(a: SortKey, b: SortKey): number {
  return (
    a.at - b.at || a.phase - b.phase || a.received - b.received || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  )
}

/** The second a sort key lies in: the unit in which senders' clocks are comparable. */
export function secondOf(key: SortKey): number {
  return Math.floor(key.at / 1000)
}

/** Signed position of an open key. */
export function positionOf(open: OpenKey | undefined): number {
  if (!open) return 0
  const size = open.lots.reduce((sum, lot) => sum + lot.quantity, 0)
  return open.side === 'long' ? size : -size
}

// What a move of a position is called; apart from the fold, because every row of a list says it.
/** What a move from one signed position to another is called. */
export function effectOf(p: number, to: number): Effect {
  if (to === p) return 'none'
  if (p === 0) return 'open'
  if (to === 0) return 'close'
  if (Math.sign(p) !== Math.sign(to)) return 'reverse'
  return Math.abs(to) > Math.abs(p) ? 'add' : 'reduce'
}

/** Side of a signed position. */
export function sideOf(position: number): Side {
  return position > 0 ? 'long' : position < 0 ? 'short' : 'flat'
}

// Counts over a strategy's records: the part of its view that grows record by record.

/** Counts over a strategy's records, the part of a view that grows record by record. */
export interface Tally {
  /** Highest chain number seen; 0 = no record. */
  chain_seq: number
  /** Records that are signals: voids and corrections are not. */
  signal_count: number
  pending_price_count: number
  price_suspect_count: number
  /** The signal that happened last. */
  last_signal_id: string | null
  last_occurred_at: string | null
  /** Reports of a position that did not fit, since one of the same position fitted; oldest first, never more than `GAPS_MOST`. */
  position_gaps: readonly OpenGap[]
}

export interface OpenGap {
  /** Of the record that reported. */
  id: string
  /** Which position: its key in the fold. In what was kept before 25 November 2026 always symbol and contract. */
  of: string
}

type Rule = Pick<FoldTerms, 'contract_rule'>

/** More than a person answers one by one: of a source that never fits, the newest are asked about. */
const GAPS_MOST = 10

export const EMPTY_TALLY: Tally = {
  chain_seq: 0,
  signal_count: 0,
  pending_price_count: 0,
  price_suspect_count: 0,
  last_signal_id: null,
  last_occurred_at: null,
  position_gaps: [],
}

/**
 * The tally after one further record, taken in chain order. `later`: nothing before it in the chain happened after it (records
 * of one instant settle it by their numbers, as they came); left out, it is read off the tally.
 */
export function tallyOn(
  tally: Tally,
  facts: Facts,
  derived: Pick<DerivedWithFlags, 'status' | 'flags'>,
  terms: Rule,
  later = tally.last_occurred_at === null || facts.occurred_at >= tally.last_occurred_at,
): Tally {
  const chain_seq = Math.max(tally.chain_seq, facts.chain_seq)
  if (facts.source === 'void' || facts.source === 'correction') return { ...tally, chain_seq }
  const reports = facts.reported_prev !== null && derived.status !== 'voided'
  const misfits = derived.flags.includes('position_gap')
  return {
    chain_seq,
    signal_count: tally.signal_count + 1,
    pending_price_count: tally.pending_price_count + (derived.status === 'pending_price' ? 1 : 0),
    price_suspect_count: tally.price_suspect_count + (derived.status === 'price_suspect' ? 1 : 0),
    last_signal_id: later ? facts.id : tally.last_signal_id,
    last_occurred_at: later ? facts.occurred_at : tally.last_occurred_at,
    position_gaps:
      reports && later ? gapsAfter(tally.position_gaps, facts, terms, misfits) : tally.position_gaps,
  }
}

/** A report that fits ends the questions about its position; those about others stay. */
function gapsAfter(
  gaps: readonly OpenGap[],
  facts: Facts,
  terms: Rule,
  misfits: boolean,
): readonly OpenGap[] {
  const of = keyOf(facts, terms)
  if (misfits) return [...gaps, { id: facts.id, of }].slice(-GAPS_MOST)
  // under 近月 and 次月 a source may say it either way: C1 and 202612 are one position (ruling A28)
  const same = terms.contract_rule === 'month' ? (was: string) => was : (was: string) => was.split('|')[0]
  const left = gaps.filter((gap) => same(gap.of) !== of)
  return left.length === gaps.length ? gaps : left
}
