// The folded state of strategies that receive signals, in memory between commits: one more record costs the same at 10 and at 100,000,
// and the first one after a start reads a state instead of records.
import type { Scope } from '#contract/events.ts'
import { type Back, foldBack, shorten, trailOf, trailOn } from '#trading/fold/run.ts'
import { isPointer } from '#trading/fold/sequence.ts'
import { tallyOn } from '#trading/fold/state.ts'
import { foldOn, positionsOf } from '#trading/fold.ts'
import type { DerivedWithFlags, Facts } from '#trading/record.ts'
import { type Tables, tables } from '#trading/tables.ts'
import type { Tx } from '../context.ts'
import { bulkUpdate, partsOf } from '../db/bulk.ts'
import type { Db, FoldMarkRow, StoredRecord, StrategyRow } from '../db/schema.ts'
import { calendarKey } from './calendar.ts'
import { movePnl } from './daily-sums.ts'
import { type DerivedChange, refold, sameAsStored, withFoldFlags } from './fold.ts'
import {
  BOUNDS,
  type FoldCacheBounds,
  FoldSession,
  freshView,
  refoldedView,
  storedViews,
  type View,
} from './fold-session.ts'
import { oweFold } from './owed.ts'
import { dropMarks, keptFromMarks, markOf, type Stood, writeMarks, writeStates } from './snapshots.ts'
import { loadTerms } from './terms.ts'
import type { UnitOfWork } from './unit-of-work.ts'

// Records that change what was folded before them: folded in from a state before the place they change, with all that came after it.

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
  uow: UnitOfWork,
  page: FoldSession,
  { limits, mark_every, at_once }: FoldCacheBounds,
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
      await tellRefolded(uow, row, again.changed_from)
    const rows = await tx.db.selectFrom('signals').select(COLUMNS).where('id', 'in', added).execute()
    return { added: rows, changed: [] }
  }
  const { rows, changed, changed_from } = await compareRows(tx.db, row.id, back)
  const marked = { ...view.marked }
  const { last_chain_seq: chain_seq } = back.state
  await dropMarks(tx.db, row.id, { at: back.at, chain_seq }, marked, mark_every)
  page.view = { ...back.tally, state: back.state, kept, marked, chain_hash }
  if (changed_from !== null && changed_from < (first_added ?? 0)) await tellRefolded(uow, row, changed_from)
  return { added: added.map((id) => rows.get(id)).filter((one) => one !== undefined), changed }
}

/**
 * Too much would move: what came out of order is stored and moves nothing until all is folded again; what came in order among it goes on
 * from what stood, also where it bears an earlier price out.
 */
async function putOff(tx: Tx, page: FoldSession, out_of_order: readonly Facts[]): Promise<FoldedOutOfOrder> {
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

export async function tellRefolded(uow: UnitOfWork, row: StrategyRow, from_chain_seq: number): Promise<void> {
  const scope = row.scope as Scope
  const change = { id: row.id, change: 'refolded', from_chain_seq } as const
  uow.add(await uow.number(scope, 1), scope, 'strategy', change)
}

declare module '../context.ts' {
  interface App {
    /** The folded states that this process has at hand. */
    readonly fold_cache: FoldCache
  }
}

/** What settling leaves. */
export interface Settled {
  readonly refolded: ReadonlyMap<string, DerivedChange>
  /** Their records are to be folded again once the commit is done. */
  readonly owing: readonly StrategyRow[]
}

export class FoldCache {
  /** In order of last use. */
  readonly #pages = new Map<string, FoldSession>()
  /** What a commit works on, whatever is forgotten meanwhile. */
  readonly #open = new WeakMap<Tx, Map<string, FoldSession>>()
  readonly #bounds: FoldCacheBounds
  #held = 0

  constructor(bounds: Partial<FoldCacheBounds> = {}) {
    this.#bounds = { ...BOUNDS, ...bounds }
  }

  /**
   * The pages of strategies as their rows stand now: from memory when chain, terms and closed days are the same, else from
   * the stored state, and only when that was made with others from the records.
   */
  async open(
    tx: Tx,
    rows: readonly StrategyRow[],
    closed_days: ReadonlySet<string>,
  ): Promise<Map<string, FoldSession>> {
    const table = tables()
    const alike = (row: StrategyRow) => {
      const known = this.#pages.get(row.id)
      return known && isSame(known, row, closed_days, table) ? known : undefined
    }
    const strange = rows.filter((row) => row.chain_seq > 0 && alike(row)?.chain_hash !== row.chain_hash)
    const stored = await storedViews(tx.db, strange, closed_days, this.#bounds, table)
    const open = this.#open.get(tx) ?? new Map<string, FoldSession>()
    this.#open.set(tx, open)
    const opened = new Map<string, FoldSession>()
    for (const row of rows) {
      const known = alike(row)
      const found = stored.get(row.id)
      // Made with other terms or closed days, of a long record: it goes on from there, and all is folded beside everything else.
      const owes = found?.exact === false && row.chain_seq > this.#bounds.at_once
      const usable = found && (found.exact || owes) ? found.view : undefined
      const same = known?.chain_hash === row.chain_hash ? known.view : usable
      const again =
        same || row.chain_seq === 0 ? null : await refold(tx.db, row, closed_days, this.#bounds.limits, table)
      const view = again ? refoldedView(again, row.chain_hash) : (same ?? freshView(row, this.#bounds))
      const terms = known?.terms ?? loadTerms(row, closed_days, table)
      const page = new FoldSession(row, closed_days, { ...view, chain_hash: row.chain_hash }, terms)
      page.changed_from = again?.changed_from ?? null
      page.owes = owes && same === usable
      this.#keep(row.id, page)
      open.set(row.id, page)
      opened.set(row.id, page)
    }
    return opened
  }

  /**
   * What memory knows of a strategy under its present terms. It may belong to a commit that is still under way or was broken off,
   * or be behind another process: its chain_hash tells.
   */
  peek(row: Pick<StrategyRow, 'id' | 'version'>, closed_days: ReadonlySet<string>): View | undefined {
    const known = this.#pages.get(row.id)
    return known && isSame(known, row, closed_days, tables()) ? known.view : undefined
  }

  /**
   * Writes what folding left behind after the pages' new records are stored. Records of pages that had some out of order are
   * given with their columns as they are now, by id; the screens are told from where on figures changed. What changes more than
   * a commit should fold is noted, and its strategies are given: `Refolds.soon` does it after the commit.
   */
  async settle(tx: Tx, uow: UnitOfWork, strategy_ids: readonly string[]): Promise<Settled> {
    const refolded = new Map<string, DerivedChange>()
    const owing: StrategyRow[] = []
    const states: Stood[] = []
    const marks: FoldMarkRow[] = []
    const changes: DerivedChange[] = []
    for (const strategy_id of strategy_ids) {
      const page = this.#open.get(tx)?.get(strategy_id)
      if (!page) throw new Error(`no page is open for strategy ${strategy_id}`)
      const { row, terms, changed_from, out_of_order, closed_days } = page
      if (changed_from !== null) await tellRefolded(uow, row, changed_from)
      page.changed_from = null
      if (out_of_order.length > 0) {
        await uow.flush()
        const { added, changed } = await foldOutOfOrder(tx, uow, page, this.#bounds)
        for (const one of added) refolded.set(one.id, one)
        changes.push(...changed)
      }
      if (page.owes) {
        await oweFold(tx.db, row)
        owing.push(row)
        page.owes = false
      }
      const { view } = page
      const positions = positionsOf(view.state, terms)
      states.push({
        ...view,
        strategy_id,
        version: row.version,
        positions,
        calendar: calendarKey(closed_days, terms.tables),
      })
      const mark = markOf(
        strategy_id,
        { state: view.state, tally: view },
        view.marked,
        this.#bounds.mark_every,
      )
      if (mark) marks.push(mark)
      this.#count(page)
    }
    await movePnl(tx.db, changes)
    await rewriteRows(uow, changes)
    await writeStates(uow, states)
    await writeMarks(uow, marks)
    this.#shrink(new Set(strategy_ids))
    return { refolded, owing }
  }

  /** Drops what is kept of a strategy, after its terms changed or it was deleted. */
  forget(strategy_id: string): void {
    this.#held -= this.#pages.get(strategy_id)?.counted ?? 0
    this.#pages.delete(strategy_id)
  }

  clear(): void {
    this.#pages.clear()
    this.#held = 0
  }

  #keep(strategy_id: string, page: FoldSession): void {
    this.forget(strategy_id)
    this.#pages.set(strategy_id, page)
    this.#count(page)
  }

  #count(page: FoldSession): void {
    // Cleared or forgotten while its commit was under way: it is not held any more.
    if (this.#pages.get(page.row.id) !== page) return
    this.#held += page.view.kept.held - page.counted
    page.counted = page.view.kept.held
  }

  #shrink(kept: ReadonlySet<string>): void {
    const { held_most, few, pages_most } = this.#bounds
    const excess = this.#pages.size - pages_most
    if (excess > 0)
      for (const id of [...this.#pages.keys()].slice(0, excess)) if (!kept.has(id)) this.forget(id)
    if (this.#held <= held_most) return
    // A little more than needed, so that not every commit has to.
    for (const least of [few, 0])
      for (const [id, page] of this.#pages) {
        if (this.#held <= 0.9 * held_most) return
        if (kept.has(id) || page.counted <= least) continue
        if (least > 0) shorten(page.view.kept, least)
        else page.view.kept = trailOf([], this.#bounds.limits)
        this.#count(page)
      }
  }
}

function isSame(
  known: FoldSession,
  row: Pick<StrategyRow, 'version'>,
  closed_days: ReadonlySet<string>,
  table: Tables,
): boolean {
  const same_days = calendarKey(known.closed_days, known.terms.tables) === calendarKey(closed_days, table)
  return known.out_of_order.length === 0 && known.row.version === row.version && same_days
}

// What records out of order change in those stored around them: only the rows from the changed place on are read, compared and written.

const DERIVED = bulkUpdate(
  'signals',
  { id: 'text', derived: 'text', flags: 'text', effect: 'text', realised_pnl: 'double precision' },
  { id: 'id', key: 'id' },
)

type Stored = DerivedChange & Pick<StoredRecord, 'chain_seq'>

export interface Compared {
  /** All that were folded, as they are now, by id. */
  rows: Map<string, DerivedChange>
  changed: DerivedChange[]
  /** Lowest chain_seq of those that changed; null when none did. */
  changed_from: number | null
}

/** What of the stored columns is no longer what folding says. */
export async function compareRows(db: Db, strategy_id: string, back: Back): Promise<Compared> {
  const compared: Compared = { rows: new Map(), changed: [], changed_from: null }
  for (const stored of await storedRows(db, strategy_id, back)) {
    const derived = back.derived.get(stored.id)
    if (!derived) continue
    const change = withFoldFlags(stored, derived)
    const same = sameAsStored(stored, change)
    compared.rows.set(stored.id, same ? stored : change)
    if (same) continue
    compared.changed.push(change)
    compared.changed_from = Math.min(compared.changed_from ?? stored.chain_seq, stored.chain_seq)
  }
  if (compared.rows.size !== back.derived.size)
    throw new Error(
      `${back.derived.size - compared.rows.size} folded records of ${strategy_id} are not stored`,
    )
  return compared
}

/** Writes them. */
export async function rewriteRows(uow: UnitOfWork, changed: readonly DerivedChange[]): Promise<void> {
  const rows = changed.map(({ id, derived, flags, effect, realised_pnl }) => ({
    id,
    derived,
    flags,
    effect,
    realised_pnl,
  }))
  if (rows.length > 0) await uow.write(DERIVED, rows)
}

/** What came together has numbers close together; records of long ago folded in among new ones are found by their ids. */
async function storedRows(db: Db, strategy_id: string, back: Back): Promise<Stored[]> {
  const query = db
    .selectFrom('signals')
    .select(['id', 'chain_seq', 'derived', 'flags', 'effect', 'realised_pnl'])
    .where('strategy_id', '=', strategy_id)
  const { derived, first_chain_seq, state } = back
  if (state.last_chain_seq - first_chain_seq < 2 * derived.size)
    return query.where('chain_seq', '>=', first_chain_seq).execute()
  const ids = [...derived.keys()]
  const rows: Stored[] = []
  for (const some of partsOf(ids)) rows.push(...(await query.where('id', 'in', some).execute()))
  return rows
}
