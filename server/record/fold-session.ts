// One strategy's fold within a commit: where it comes from, what further records make of it, and what those out of order change.
import {
  type Back,
  CHECKPOINTS,
  type Checkpoints,
  checkpointOn,
  checkpointsOf,
  foldBack,
  type Limits,
} from '#trading/fold/run.ts'
import { isPointer } from '#trading/fold/sequence.ts'
import { EMPTY_TALLY, type Tally, tallyOn } from '#trading/fold/state.ts'
import { EMPTY_STATE, type FoldState, foldOn } from '#trading/fold.ts'
import type { DerivedWithFlags, Facts } from '#trading/record.ts'
import type { FoldTerms } from '#trading/terms.ts'
import type { Tx } from '../context.ts'
import { partsOf } from '../db/bulk.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { calendarKey } from './calendar.ts'
import { compared, type DerivedChange, type Refolded, refold, tellRefolded, withFoldFlags } from './refold.ts'
import { type FoundHead, invalidate, resumeState, type StateDue, tallyOf } from './snapshots.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** What folding keeps in memory, and when it is put off. */
export interface SessionBounds {
  readonly limits: Limits
  /** Records between two states that are stored. */
  readonly state_every: number
  /** Records that one out of order may move within its commit; what moves more is folded beside everything else. */
  readonly at_once: number
}
export const BOUNDS: SessionBounds = { limits: CHECKPOINTS, state_every: 256, at_once: 512 }

/** What memory knows of a strategy; `chain_hash` says of which records. */
export interface View extends Tally {
  state: FoldState
  kept: Checkpoints
  due: StateDue
  chain_hash: string
}

/** One strategy's fold within a commit. */
export class FoldSession {
  readonly row: StrategyRow
  readonly closed_days: ReadonlySet<string>
  readonly terms: FoldTerms
  view: View
  /** The chain's head this session stands at. */
  chain_hash: string
  first_added: number | null = null
  added: string[] = []
  /** Records that change what was folded before, and what came after them: folded in when the commit settles. */
  out_of_order: Facts[] = []
  /** From where on opening it changed what stored records derive to: the closed days are others than they were. */
  changed_from: number | null = null
  /** All its records are to be folded again beside everything else: until then it goes on from what stood. */
  owes = false

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
    const { kept, due } = view
    checkpointOn(kept, { state: view.state, trades: 0, tally: tallyOf(view) }, facts, terms, on.known)
    this.view = {
      ...tallyOn(tallyOf(view), facts, on.derived, terms),
      state: on.state,
      kept,
      due,
      chain_hash: hash,
    }
    return on.derived
  }
}

/** Folding all took the stored states away: the next is due at once. */
export function refoldedView(again: Refolded, chain_hash: string): View {
  const due = { from: 0, last_at: null }
  return { ...tallyOf(again), state: again.state, kept: again.kept, due, chain_hash }
}

/** Before the first record. */
export function freshView({ chain_hash }: StrategyRow, { limits, state_every }: SessionBounds): View {
  const due = { from: state_every, last_at: null }
  return { ...EMPTY_TALLY, state: { ...EMPTY_STATE }, kept: checkpointsOf([], limits), due, chain_hash }
}

/** As it is stored. */
export function foundView(
  { tally, state, due }: FoundHead,
  { chain_hash }: StrategyRow,
  { limits }: SessionBounds,
): View {
  return { ...tally, state, kept: checkpointsOf([], limits), due, chain_hash }
}

// Records that change what was folded before them: folded in from a state before the place they change, with all that came after it.

interface FoldedOutOfOrder {
  /** The session's new records as they are now. */
  added: readonly DerivedChange[]
  /** What is still to be written. */
  changes: readonly DerivedChange[]
}

const COLUMNS = ['id', 'derived', 'flags', 'effect', 'realised_pnl'] as const

/**
 * Folds a session's records out of order in: from a kept state before the place they change, else from a stored one, else all from the
 * first record. Where that is more than a commit should do, they move nothing yet, and the session owes a fold.
 */
export async function foldOutOfOrder(
  tx: Tx,
  uow: UnitOfWork,
  session: FoldSession,
  { limits, state_every, at_once }: SessionBounds,
): Promise<FoldedOutOfOrder> {
  const { row, closed_days, terms, out_of_order, first_added, added, view, chain_hash } = session
  session.out_of_order = []
  const most = at_once + out_of_order.length
  const key = calendarKey(closed_days, terms.tables)
  let { kept } = view
  let back = foldBack(kept, view.state, out_of_order, terms, most)
  if (!back) {
    kept =
      (await resumeState(tx.db, { strategy_id: row.id, key }, view.state, out_of_order, terms, {
        limits,
        most,
      })) ?? kept
    back = foldBack(kept, view.state, out_of_order, terms, most)
  }
  if (!back && view.state.last_chain_seq > most) return putOff(tx, session, out_of_order)
  if (!back) {
    const again = await refold(tx.db, row, closed_days, limits, terms.tables)
    session.view = refoldedView(again, chain_hash)
    session.owes = false
    if (again.changed_from !== null && again.changed_from < (first_added ?? 0))
      await tellRefolded(uow, row, again.changed_from)
    const rows = await tx.db.selectFrom('signals').select(COLUMNS).where('id', 'in', added).execute()
    return { added: rows, changes: [] }
  }
  const stored = await storedRows(tx.db, row.id, back)
  const { changes, changed_from } = compared(stored, back.derived)
  const rows = new Map<string, DerivedChange>([...stored, ...changes].map((one) => [one.id, one]))
  const due = { ...view.due }
  const { last_chain_seq: chain_seq } = back.state
  await invalidate(tx.db, row.id, { at: back.at, chain_seq }, due, state_every)
  session.view = { ...back.tally, state: back.state, kept, due, chain_hash }
  if (changed_from !== null && changed_from < (first_added ?? 0)) await tellRefolded(uow, row, changed_from)
  return { added: added.flatMap((id) => rows.get(id) ?? []), changes }
}

/**
 * Too much would move: what came out of order is stored and moves nothing until all is folded again; what came in order among it goes on
 * from what stood, also where it bears an earlier price out.
 */
async function putOff(
  tx: Tx,
  session: FoldSession,
  out_of_order: readonly Facts[],
): Promise<FoldedOutOfOrder> {
  const { terms, added } = session
  const { kept, due, chain_hash: _, ...tally } = session.view
  let [state, counts] = [session.view.state, tally as Omit<typeof tally, 'state'>]
  const folded = new Map<string, DerivedWithFlags>()
  for (const facts of out_of_order) {
    const { chain_seq } = facts
    const folded_on = foldOn(state, facts, terms)
    const on = folded_on.kind === 'appended' ? folded_on : folded_on.forward
    if (on) {
      checkpointOn(kept, { state, trades: 0, tally: counts }, facts, terms, on.known)
      counts = tallyOn(counts, facts, on.derived, terms)
      state = on.state
      folded.set(facts.id, on.derived)
    } else {
      state = { ...state, last_chain_seq: chain_seq }
      counts = { ...counts, chain_seq, signal_count: counts.signal_count + (isPointer(facts) ? 0 : 1) }
    }
  }
  session.view = { ...counts, state, kept, due, chain_hash: session.chain_hash }
  session.owes = true
  const rows = await tx.db.selectFrom('signals').select(COLUMNS).where('id', 'in', added).execute()
  const changes: DerivedChange[] = []
  const now = rows.map((one) => {
    const derived = folded.get(one.id)
    if (!derived) return one
    const change = withFoldFlags(one, derived)
    changes.push(change)
    return change
  })
  return { added: now, changes }
}

/** What came together has numbers close together; records of long ago folded in among new ones are found by their ids. */
async function storedRows(db: Db, strategy_id: string, back: Back) {
  const query = db
    .selectFrom('signals')
    .select(['id', 'chain_seq', 'derived', 'flags', 'effect', 'realised_pnl'])
    .where('strategy_id', '=', strategy_id)
  const { derived, first_chain_seq, state } = back
  const rows: Awaited<ReturnType<typeof query.execute>> = []
  if (state.last_chain_seq - first_chain_seq < 2 * derived.size)
    rows.push(...(await query.where('chain_seq', '>=', first_chain_seq).execute()))
  else
    for (const some of partsOf([...derived.keys()]))
      rows.push(...(await query.where('id', 'in', some).execute()))
  const own = rows.filter(({ id }) => derived.has(id))
  if (own.length < derived.size)
    throw new Error(`${derived.size - own.length} folded records of ${strategy_id} are not stored`)
  return own
}
