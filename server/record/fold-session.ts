// One strategy's folded state within a commit, and where it comes from: its stored row, or nothing yet.
import type { ExpressionBuilder } from 'kysely'
import { type Limits, TRAIL, type Trail, trailOf, trailOn } from '#trading/fold/run.ts'
import { EMPTY_TALLY, type OpenGap, type Tally, tallyOn } from '#trading/fold/state.ts'
import { EMPTY_STATE, type FoldState, foldOn } from '#trading/fold.ts'
import type { DerivedWithFlags, Facts } from '#trading/record.ts'
import type { Tables } from '#trading/tables.ts'
import type { FoldTerms } from '#trading/terms.ts'
import type { Db, Schema, StrategyFoldRow, StrategyRow } from '../db/schema.ts'
import { calendarKey } from './calendar.ts'
import type { Refolded } from './fold.ts'
import type { Marked } from './snapshots.ts'

/** What memory may hold; beyond it those that were quiet longest lose some. Nothing of it is needed but for speed. */
export interface FoldCacheBounds {
  readonly limits: Limits
  /** Records kept over all strategies to fold those out of order in, about a kilobyte each; the quietest keep `few`, then none. */
  readonly held_most: number
  readonly few: number
  readonly pages_most: number
  /** Records between two states that are stored. */
  readonly mark_every: number
  /** Records that one out of order may move within its commit; what moves more is folded beside everything else. */
  readonly at_once: number
}

export const BOUNDS: FoldCacheBounds = {
  limits: TRAIL,
  held_most: 100_000,
  few: 128,
  pages_most: 20_000,
  mark_every: 256,
  at_once: 512,
}

/** What memory knows of a strategy; `chain_hash` says of which records. */
export interface View extends Tally {
  state: FoldState
  kept: Trail
  marked: Marked
  chain_hash: string
}

/** One strategy's fold within a commit. */
export class FoldSession {
  readonly row: StrategyRow
  readonly closed_days: ReadonlySet<string>
  readonly terms: FoldTerms
  view: View
  /** The chain's head this page stands at. */
  chain_hash: string
  first_added: number | null = null
  added: string[] = []
  /** Records that change what was folded before, and what came after them: folded in when the commit settles. */
  out_of_order: Facts[] = []
  /** From where on opening it changed what stored records derive to: the closed days are others than they were. */
  changed_from: number | null = null
  /** All its records are to be folded again beside everything else: until then it goes on from what stood. */
  owes = false
  /** How many kept records the cache has counted of it. */
  counted = 0

  constructor(row: StrategyRow, closed_days: ReadonlySet<string>, view: View, terms: FoldTerms) {
    this.row = row
    this.closed_days = closed_days
    this.terms = terms
    this.view = view
    this.chain_hash = row.chain_hash
  }

  /** A record that moves nothing before all are folded again. */
  pass(chain_seq: number, hash: string): null {
    this.chain_hash = hash
    const { view } = this
    this.view = { ...view, state: { ...view.state, last_chain_seq: chain_seq }, chain_seq, chain_hash: hash }
    return null
  }

  /** Folds one further record on; null when it changes what was folded before, so that it waits for `settle`. */
  add(facts: Facts, hash: string): DerivedWithFlags | null {
    this.chain_hash = hash
    this.first_added ??= facts.chain_seq
    this.added.push(facts.id)
    const { view, terms } = this
    const on = this.out_of_order.length > 0 ? null : foldOn(view.state, facts, terms)
    if (on?.kind !== 'appended') {
      this.out_of_order.push(facts)
      return null
    }
    const { kept, marked } = view
    trailOn(kept, { state: view.state, trades: 0, tally: tallyOf(view) }, facts, terms, on.known)
    this.view = {
      ...tallyOn(tallyOf(view), facts, on.derived, terms),
      state: on.state,
      kept,
      marked,
      chain_hash: hash,
    }
    return on.derived
  }
}

/** A stored state, and whether it is what folding all would give: not when it was made with other terms or closed days. */
export interface StoredView {
  view: View
  exact: boolean
}

/** The stored states of these strategies. */
export async function storedViews(
  db: Db,
  rows: readonly StrategyRow[],
  closed_days: ReadonlySet<string>,
  { limits, mark_every }: FoldCacheBounds,
  table: Tables,
): Promise<Map<string, StoredView>> {
  const views = new Map<string, StoredView>()
  if (rows.length === 0) return views
  const found = await db
    .selectFrom('strategy_folds as folds')
    .select([
      'strategy_id',
      'chain_seq',
      'version',
      'calendar',
      'state',
      'last_signal_id',
      'last_occurred_at',
      'signal_count',
      'pending_price_count',
      'price_suspect_count',
      'position_gaps',
    ])
    .select((eb) => [newest(eb, 'chain_seq').as('mark_seq'), newest(eb, 'last_at').as('mark_at')])
    .where(
      'strategy_id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  const by_id = new Map(found.map((one) => [one.strategy_id, one]))
  for (const row of rows) {
    const one = by_id.get(row.id)
    // The state is written with the chain's head: the same number says the same records.
    if (one?.chain_seq !== row.chain_seq) continue
    const exact = one.version === row.version && one.calendar === calendarKey(closed_days, table)
    const marked: Marked = { due: Number(one.mark_seq ?? 0) + mark_every, last_at: one.mark_at }
    // One from before a part of it existed is not exact either, and is gone on from as if that were empty.
    const state: FoldState = { ...EMPTY_STATE, ...(JSON.parse(one.state) as Partial<FoldState>), v: 3 }
    const view: View = {
      ...tallyOf({ ...one, position_gaps: JSON.parse(one.position_gaps) as OpenGap[] }),
      state,
      kept: trailOf([], limits),
      marked,
      chain_hash: row.chain_hash,
    }
    views.set(row.id, { view, exact })
  }
  return views
}

/** A column of the newest stored state. */
function newest(
  eb: ExpressionBuilder<Schema & { folds: StrategyFoldRow }, 'folds'>,
  column: 'chain_seq' | 'last_at',
) {
  return eb
    .selectFrom('fold_marks')
    .select(column)
    .whereRef('fold_marks.strategy_id', '=', 'folds.strategy_id')
    .orderBy('fold_marks.chain_seq', 'desc')
    .limit(1)
}

function tallyOf(of: Tally): Tally {
  const { chain_seq, signal_count, pending_price_count, price_suspect_count } = of
  const { last_signal_id, last_occurred_at, position_gaps } = of
  return {
    ...{ chain_seq, signal_count, pending_price_count, price_suspect_count },
    ...{ last_signal_id, last_occurred_at, position_gaps },
  }
}

/** Folding all took the stored states away: the next is due at once. */
export function refoldedView(again: Refolded, chain_hash: string): View {
  const marked = { due: 0, last_at: null }
  return { ...tallyOf(again), state: again.state, kept: again.kept, marked, chain_hash }
}

/** Before the first record. */
export function freshView({ chain_hash }: StrategyRow, { limits, mark_every }: FoldCacheBounds): View {
  const marked = { due: mark_every, last_at: null }
  return { ...EMPTY_TALLY, state: { ...EMPTY_STATE }, kept: trailOf([], limits), marked, chain_hash }
}
