// Records that change what was folded before them: folded in from a state before the place they change, with all that came after it.
import type { Scope } from '#contract/events.ts'
import { isPointer } from '#trading/fold/sequence.ts'
import { tallyOn } from '#trading/fold/tally.ts'
import { foldBack, trailOn } from '#trading/fold/trail.ts'
import { foldOn } from '#trading/fold.ts'
import type { DerivedWithFlags, Facts } from '#trading/record.ts'
import type { Tx } from '../context.ts'
import type { StrategyRow } from '../db/schema.ts'
import { type DerivedChange, withFoldFlags } from './derived.ts'
import { refold } from './fold.ts'
import { type LedgerBounds, type LedgerPage, refoldedView } from './ledger-page.ts'
import { dropMarks, keptFromMarks } from './marks.ts'
import { compareRows } from './rewrite.ts'
import type { Telling } from './telling.ts'

export interface FoldedOutOfOrder {
  /** The page's new records as they are now. */
  added: readonly DerivedChange[]
  /** What is still to be written. */
  changed: readonly DerivedChange[]
}

const COLUMNS = ['id', 'derived', 'flags', 'effect', 'realised_pnl'] as const

/**
 * Folds a page's records out of order in: from a kept state before the place they change, else from a stored one, else all from the
 * first record. Where that is more than a commit should do, they move nothing yet, and the page owes a fold.
 */
export async function foldOutOfOrder(
  tx: Tx,
  telling: Telling,
  page: LedgerPage,
  { limits, mark_every, at_once }: LedgerBounds,
): Promise<FoldedOutOfOrder> {
  const { row, closed_days, terms, out_of_order, first_added, added, view, chain_hash } = page
  page.out_of_order = []
  const most = at_once + out_of_order.length
  let { kept } = view
  let back = foldBack(kept, view.state, out_of_order, terms, most)
  if (!back) {
    kept = (await keptFromMarks(tx.db, row.id, view.state, out_of_order, terms, { limits, most })) ?? kept
    back = foldBack(kept, view.state, out_of_order, terms, most)
  }
  if (!back && view.state.last_chain_seq > most) return putOff(tx, page, out_of_order)
  if (!back) {
    const again = await refold(tx.db, row, closed_days, limits, terms.tables)
    page.view = refoldedView(again, chain_hash)
    page.owes = false
    if (again.changed_from !== null && again.changed_from < (first_added ?? 0))
      await tellRefolded(telling, row, again.changed_from)
    const rows = await tx.db.selectFrom('signals').select(COLUMNS).where('id', 'in', added).execute()
    return { added: rows, changed: [] }
  }
  const { rows, changed, changed_from } = await compareRows(tx.db, row.id, back)
  const marked = { ...view.marked }
  const { last_chain_seq: chain_seq } = back.state
  await dropMarks(tx.db, row.id, { at: back.at, chain_seq }, marked, mark_every)
  page.view = { ...back.tally, state: back.state, kept, marked, chain_hash }
  if (changed_from !== null && changed_from < (first_added ?? 0))
    await tellRefolded(telling, row, changed_from)
  return { added: added.map((id) => rows.get(id)).filter((one) => one !== undefined), changed }
}

/**
 * Too much would move: what came out of order is stored and moves nothing until all is folded again; what came in order among it goes on
 * from what stood, also where it bears an earlier price out.
 */
async function putOff(tx: Tx, page: LedgerPage, out_of_order: readonly Facts[]): Promise<FoldedOutOfOrder> {
  const { terms, added } = page
  const { kept, marked, chain_hash: _, ...tally } = page.view
  let [state, counts] = [page.view.state, tally as Omit<typeof tally, 'state'>]
  const folded = new Map<string, DerivedWithFlags>()
  for (const facts of out_of_order) {
    const { chain_seq } = facts
    const folded_on = foldOn(state, facts, terms)
    const on = folded_on.kind === 'appended' ? folded_on : folded_on.forward
    if (on) {
      trailOn(kept, { state, trades: 0, tally: counts }, facts, terms, on.known)
      counts = tallyOn(counts, facts, on.derived, terms)
      state = on.state
      folded.set(facts.id, on.derived)
    } else {
      state = { ...state, last_chain_seq: chain_seq }
      counts = { ...counts, chain_seq, signal_count: counts.signal_count + (isPointer(facts) ? 0 : 1) }
    }
  }
  page.view = { ...counts, state, kept, marked, chain_hash: page.chain_hash }
  page.owes = true
  const rows = await tx.db.selectFrom('signals').select(COLUMNS).where('id', 'in', added).execute()
  const changed: DerivedChange[] = []
  const now = rows.map((one) => {
    const derived = folded.get(one.id)
    if (!derived) return one
    const change = withFoldFlags(one, derived)
    changed.push(change)
    return change
  })
  return { added: now, changed }
}

export async function tellRefolded(
  telling: Telling,
  row: StrategyRow,
  from_chain_seq: number,
): Promise<void> {
  const scope = row.scope as Scope
  const change = { id: row.id, change: 'refolded', from_chain_seq } as const
  telling.add(await telling.number(scope, 1), scope, 'strategy', change)
}
