// Counts over a strategy's records: the part of its view that grows record by record.
import type { DerivedWithFlags, Facts } from '../record.ts'
import type { FoldTerms } from '../terms.ts'
import { keyOf } from './state.ts'

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
  /** Which position: its key in the fold. In what was kept before decision 079 always symbol and contract. */
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
