// A strategy's whole record folded again: at once where it is short, else as a job that is written with the commit that made it necessary.
// The job reads and folds all of it in pieces outside of any transaction, folds on what comes in meanwhile, and brings the stored records
// to it some at a time (docs/decisions/snapshots.md).
import { type Kysely, sql } from 'kysely'
import type { Scope } from '#contract/events.ts'
import {
  CHECKPOINTS,
  type Checkpoints,
  checkpointOn,
  FOLDED_AS,
  foldBack,
  foldWholeInSlices,
  type Limits,
  type WholeFold,
} from '#trading/fold/run.ts'
import { type Tally, tallyOn } from '#trading/fold/state.ts'
import { type FoldState, foldKept, foldOn, positionsOf } from '#trading/fold.ts'
import { assetOf } from '#trading/kinds.ts'
import {
  type DerivedWithFlags,
  type Facts,
  FLAGS,
  type Flag,
  type Position,
  type Trade,
} from '#trading/record.ts'
import { type Running, runningInSlices, runningOf, runOn } from '#trading/statistics/running.ts'
import { miniCurveOf, summaryOf } from '#trading/statistics/summary.ts'
import { tables } from '#trading/tables.ts'
import type { FoldTerms } from '#trading/terms.ts'
import type { App, Tx } from '../context.ts'
import { bulkUpdate, runBulk } from '../db/bulk.ts'
import { held, shortensLog, takeTurn } from '../db/query.ts'
import type { Db, Schema, StoredRecord, StrategyRow } from '../db/schema.ts'
import { inTransaction } from '../events/append.ts'
import type { Job } from '../jobs/jobs.ts'
import { enqueue, waitingJob } from '../jobs/table.ts'
import type { PieceKind } from '../limits/fair-queue.ts'
import { calendarKey, closedDays } from './calendar.ts'
import { moveDays, movePnl } from './daily-sums.ts'
import { type MarketPlace, marketPlace } from './facts.ts'
import { type Figures, writeWhole } from './snapshots.ts'
import { loadTerms, termsKey } from './terms.ts'
import { type Link, linksAfter, readFacts } from './trade-history.ts'
import type { UnitOfWork } from './unit-of-work.ts'

// Rewriting what folding says about stored records; their facts, hashes and numbers are never touched.

/** Flags that folding decides; the others came with the record's reading and stay. */
const FOLD_FLAGS: ReadonlySet<Flag> = new Set([
  'out_of_order',
  'position_gap',
  'off_tick',
  'price_suspect',
  'outside_session',
  'over_max_position',
  'asks_short',
])

/** The columns of a record that folding owns, as they are stored. */
export type DerivedChange = Pick<StoredRecord, 'id' | 'derived' | 'flags' | 'effect' | 'realised_pnl'>

/** The flags of a record: those of its reading, then those of its fold, in the order of wire §6. */
function mergeFlags(read: readonly Flag[], folded: readonly Flag[]): Flag[] {
  const all = new Set([...read.filter((flag) => !FOLD_FLAGS.has(flag)), ...folded])
  return FLAGS.filter((flag) => all.has(flag))
}

/** What a record's fold-owned columns should hold. `stored.flags` is the JSON column. */
export function withFoldFlags(
  stored: Pick<StoredRecord, 'id' | 'flags'>,
  derived: DerivedWithFlags,
): DerivedChange {
  const { flags, ...figures } = derived
  return {
    id: stored.id,
    derived: JSON.stringify(figures),
    flags: JSON.stringify(mergeFlags(JSON.parse(stored.flags) as Flag[], flags)),
    effect: derived.effect,
    realised_pnl: derived.realised_pnl,
  }
}

/** True when a record already holds what folding says (key order aside). */
function sameAsStored(stored: Pick<StoredRecord, 'flags' | 'derived'>, change: DerivedChange): boolean {
  // Order is no difference.
  const flags = (text: string) => (JSON.parse(text) as Flag[]).sort().join()
  if (stored.flags !== change.flags && flags(stored.flags) !== flags(change.flags)) return false
  if (stored.derived === change.derived) return true
  const [a, b] = [JSON.parse(stored.derived), JSON.parse(change.derived)] as Record<string, unknown>[]
  return Object.keys(b ?? {}).every((key) => a?.[key] === b?.[key])
}

export interface Compared {
  /** What of the stored columns is no longer what folding says. */
  changes: DerivedChange[]
  /** Lowest chain_seq of those that changed; null when none did. */
  changed_from: number | null
}

/** Compares stored records with what folding says of them. */
export function compared(
  stored: readonly Pick<StoredRecord, 'id' | 'chain_seq' | 'flags' | 'derived'>[],
  derived: ReadonlyMap<string, DerivedWithFlags>,
): Compared {
  const changes: DerivedChange[] = []
  let changed_from: number | null = null
  for (const signal of stored) {
    const folded = derived.get(signal.id)
    if (!folded) throw new Error(`fold left out record ${signal.id}`)
    const change = withFoldFlags(signal, folded)
    if (sameAsStored(signal, change)) continue
    changes.push(change)
    changed_from = Math.min(changed_from ?? signal.chain_seq, signal.chain_seq)
  }
  return { changes, changed_from }
}

const DERIVED = bulkUpdate(
  'signals',
  { id: 'text', derived: 'text', flags: 'text', effect: 'text', realised_pnl: 'double precision' },
  { id: 'id', key: 'id' },
)

/** Writes changed records, with a commit's other rows where there is one. */
export async function rewriteDerived(
  db: Db,
  changes: readonly DerivedChange[],
  uow?: UnitOfWork,
): Promise<void> {
  await movePnl(db, changes)
  const rows = changes.map(({ id, derived, flags, effect, realised_pnl }) => ({
    ...{ id, derived, flags, effect, realised_pnl },
  }))
  if (rows.length === 0) return
  await (uow ? uow.write(DERIVED, rows) : runBulk(db, DERIVED, rows))
}

/** Everything that head and figures say, and the trades behind it (memory only, never stored). */
interface FoldView extends Tally, Figures {
  state: FoldState
  trades: Trade[]
  /** Figures carried on with the trades (memory only); made when somebody first looks. */
  running?: Running
  positions: Position[]
}

export interface Refolded extends FoldView {
  /** From where records out of order can be folded in (memory only). */
  kept: Checkpoints
  /** Lowest chain_seq whose derived columns changed (event strategy/refolded), null when none did. */
  changed_from: number | null
  /** The rewritten columns, by record in chain order. */
  changes: readonly DerivedChange[]
}

/**
 * The view of a folded strategy; `trades` is taken as it is (push new ones onto it). Without `running` its cost grows with
 * the trades.
 */
export function viewOf(
  folded: Pick<FoldView, 'state' | 'trades' | 'running' | 'positions'>,
  tally: Tally,
  row: Pick<StrategyRow, 'kind' | 'initial_capital'>,
  closed_days: ReadonlySet<string>,
): FoldView {
  const { state, trades, positions } = folded
  const running = folded.running ?? runningOf(trades)
  return { ...tally, state, trades, running, positions, ...figuresOf(running, state, row, closed_days) }
}

/** Summary and small curve of a strategy's trades. */
export function figuresOf(
  running: Running,
  { excluded_count }: Pick<FoldState, 'excluded_count'>,
  row: Pick<StrategyRow, 'kind' | 'initial_capital'>,
  closed_days: ReadonlySet<string>,
): Figures {
  const { initial_capital } = row
  const market = assetOf(row)
  return {
    summary: summaryOf(running, { initial_capital, closed_days, excluded_count, market }),
    curve: miniCurveOf(running, initial_capital),
  }
}

/**
 * Folds a strategy's whole record again: rewrites the derived columns of signals that changed, writes fold and
 * figures for `row.version`, gives the view. Call it inside the transaction that made it necessary.
 */
export async function refold(
  db: Db,
  row: StrategyRow,
  closed_days: ReadonlySet<string>,
  limits = CHECKPOINTS,
  table = tables(),
): Promise<Refolded> {
  const stored = await db
    .selectFrom('signals')
    .select(['id', 'chain_seq', 'facts', 'flags', 'derived', 'trading_date', 'session'])
    .where('strategy_id', '=', row.id)
    .orderBy('chain_seq')
    .execute()
  const facts = stored.map((signal) => JSON.parse(signal.facts) as Facts)
  const folded = foldKept(facts, loadTerms(row, closed_days, table), limits)
  const { changes, changed_from } = compared(stored, folded.derived)
  await rewriteDerived(db, changes)
  await rewritePlaces(
    db,
    stored.map((signal, i) => ({ ...signal, place: marketPlace(facts[i] as Facts, closed_days) })),
  )
  const { tally, kept } = folded
  const view = viewOf(folded, tally, row, closed_days)
  await writeView(db, row, view, calendarKey(closed_days, table))
  return { ...view, kept, changed_from, changes }
}

/** Trading date and trading session of records around a day that was declared closed, or open again. */
async function rewritePlaces(
  db: Db,
  signals: readonly (Pick<StoredRecord, 'id' | 'trading_date' | 'session'> & { place: MarketPlace })[],
): Promise<void> {
  const moved = signals.filter(
    ({ trading_date, session, place }) => trading_date !== place.trading_date || session !== place.session,
  )
  await moveDays(
    db,
    moved.map(({ id, trading_date, place }) => ({ id, from: trading_date, to: place.trading_date })),
  )
  for (const { id, place } of moved) {
    const { trading_date, session } = place
    await db.updateTable('signals').set({ trading_date, session }).where('id', '=', id).execute()
  }
}

/** Writes head and figures as `view` says under the row's version. */
function writeView(
  db: Db,
  { id, version }: StrategyRow,
  view: Omit<FoldView, 'trades'>,
  key: string,
): Promise<void> {
  return writeWhole(db, { ...view, strategy_id: id, version, key }, view)
}

/** Tells from which record on figures changed. */
export async function tellRefolded(uow: UnitOfWork, row: StrategyRow, from_chain_seq: number): Promise<void> {
  const scope = row.scope as Scope
  const change = { id: row.id, change: 'refolded', from_chain_seq } as const
  uow.add(await uow.number(scope, 1), scope, 'strategy', change)
}

// The same beside everything else: what is folded of it so far.

export interface Again {
  /** Whose pieces they are. */
  readonly account: string
  readonly closed_days: ReadonlySet<string>
  readonly terms: FoldTerms
  /** What it was folded with. */
  readonly key: string
  /** The record up to which it goes. */
  chain_seq: number
  chain_hash: string
  readonly whole: WholeFold
  /** Null when a record out of order changed trades: to be summed up again. */
  running: Running | null
  /** Stored records up to here say what folding says. */
  cursor: number
  /** Lowest record that was written anew. */
  changed_from: number | null
}

/** What is kept for records that come out of order while the rows are written. */
const LIMITS: Limits = { stride: 16, most: 1_024 }
/** Further records taken in at a time, and those that one out of order may move. */
const NEWS = 512
/** Stored records compared in one transaction: some milliseconds. */
const ROWS = 64

/** Reads and folds all records of a strategy as `row` says, in pieces; of the kind `fold` where nobody waits for it. */
export async function foldAgain(
  app: Pick<App, 'db' | 'background' | 'config' | 'log'>,
  row: StrategyRow,
  account: string,
  kind: PieceKind = 'look',
): Promise<Again> {
  const { db, background } = app
  const closed_days = closedDays(app)
  const terms = loadTerms(row, closed_days, tables())
  const facts = await readFacts({ db, row, account, pieces: background }, 0)
  const whole = await background.run(account, foldWholeInSlices(facts, terms, LIMITS), kind)
  const running = await background.run(account, runningInSlices(whole.trades), kind)
  return {
    ...{ account, closed_days, terms, key: keyOf(row, closed_days, terms) },
    ...{ chain_seq: row.chain_seq, chain_hash: row.chain_hash },
    ...{ whole, running, cursor: 0, changed_from: null },
  }
}

/** Sums the trades up anew, in pieces. */
async function sumAgain(app: Pick<App, 'background'>, again: Again): Promise<void> {
  const trades = [...again.whole.trades]
  const running = await app.background.run(again.account, runningInSlices(trades), 'fold')
  if (trades.length === again.whole.trades.length) again.running = running
}

function keyOf(row: StrategyRow, closed_days: ReadonlySet<string>, { tables: table }: FoldTerms): string {
  return `${calendarKey(closed_days, table)} ${termsKey(row)}`
}

/** Whether it is what folding the row's records gives, once what came since is taken in; false = to be folded anew. */
export async function bringOn(
  app: Pick<App, 'config' | 'log'>,
  db: Db,
  again: Again,
  row: StrategyRow,
): Promise<boolean> {
  const closed_days = closedDays(app)
  if (again.key !== keyOf(row, closed_days, loadTerms(row, closed_days, tables()))) return false
  if (row.chain_seq < again.chain_seq) return false
  if (row.chain_seq === again.chain_seq) return row.chain_hash === again.chain_hash
  const rows = await linksAfter(db, row, again.chain_seq, NEWS + 1)
    .select(['chain_seq', 'prev_hash', 'facts'])
    .execute()
  if (rows.length > NEWS || rows[0]?.prev_hash !== again.chain_hash) return false
  const links = rows.map(({ facts, ...place }) => ({ ...place, facts: JSON.parse(facts) as Facts }))
  if (!takeIn(again, links)) return false
  again.chain_seq = row.chain_seq
  again.chain_hash = row.chain_hash
  return true
}

/** Folds further records on; false when one of them changes too much of what was folded before. */
function takeIn(again: Again, links: readonly Link[]): boolean {
  const { whole, terms } = again
  const out_of_order: Facts[] = []
  for (const { facts } of links) {
    const on = out_of_order.length > 0 ? null : foldOn(whole.state, facts, terms)
    if (on?.kind !== 'appended') {
      out_of_order.push(facts)
      continue
    }
    const { state, tally, trades } = whole
    checkpointOn(whole.kept, { state, trades: trades.length, tally }, facts, terms, on.known)
    for (const trade of on.new_trades) {
      trades.push(trade)
      again.running &&= runOn(again.running, trade)
    }
    whole.derived.set(facts.id, on.derived)
    whole.state = on.state
    whole.tally = tallyOn(tally, facts, on.derived, terms)
  }
  if (out_of_order.length === 0) return true
  const back = foldBack(whole.kept, whole.state, out_of_order, terms, NEWS)
  if (!back) return false
  for (const [id, derived] of back.derived) whole.derived.set(id, derived)
  whole.trades.length = back.trades_before
  for (const trade of back.trades) whole.trades.push(trade)
  whole.state = back.state
  whole.tally = back.tally
  again.running = null
  again.cursor = Math.min(again.cursor, back.first_chain_seq - 1)
  return true
}

/** Brings the next stored records to what folding says. Inside a transaction that holds the strategy; counts once it is committed. */
async function rewriteSome(
  db: Db,
  { cursor, whole, closed_days, changed_from }: Again,
  row: StrategyRow,
): Promise<Pick<Again, 'cursor' | 'changed_from'>> {
  const stored = await linksAfter(db, row, cursor, ROWS)
    .select(['id', 'chain_seq', 'facts', 'flags', 'derived', 'trading_date', 'session'])
    .execute()
  const { changes, changed_from: lowest } = compared(stored, whole.derived)
  await rewriteDerived(db, changes)
  await rewritePlaces(
    db,
    stored.map((signal) => ({
      ...signal,
      place: marketPlace(JSON.parse(signal.facts) as Facts, closed_days),
    })),
  )
  return { cursor: stored.at(-1)?.chain_seq ?? row.chain_seq, changed_from: lower(changed_from, lowest) }
}

/** Writes head and figures as of the row's last record, under its version. */
export async function writeAgain(db: Db, { whole, running, terms, closed_days }: Again, row: StrategyRow) {
  if (!running) throw new Error('trades are not summed up')
  const positions = positionsOf(whole.state, terms)
  const folded = { state: whole.state, trades: whole.trades, running, positions }
  const view = viewOf(folded, whole.tally, row, closed_days)
  await writeView(db, row, { ...view, chain_seq: row.chain_seq }, calendarKey(closed_days, terms.tables))
}

// That it is to be done: a job, noted with the commit that made it necessary, so that no stop forgets it.

/** Records up to which a fold is done where it is asked for: some milliseconds. */
export const FOLD_AT_ONCE = 128

/** Notes that all of a strategy's records are to be folded again; `from_seq`: records from there on are news, said by who holds the strategy. */
export async function oweFold(
  db: Db,
  { id, scope }: Pick<StrategyRow, 'id' | 'scope'>,
  from_seq: number | null = null,
): Promise<void> {
  const known = from_seq === null ? undefined : await waitingJob(db, 'refold', id)
  const data = { from_seq: lower(from_seq, known?.from_seq ?? null) }
  const replace = from_seq === null ? 'keep' : 'replace'
  await enqueue(db, { kind: 'refold', key: id, owner: scope, data }, replace)
}

function lower(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}

const FOLDED = 'folded as'

/**
 * Before anything is folded or shown by a version that folds otherwise: the figures that are kept stay beside, until their owners have
 * been told which of them changed (notify/figures-changed.ts). Not those that the person's own change of terms left behind.
 */
export async function keepBefore(db: Kysely<Schema>): Promise<void> {
  const now = `${FOLDED_AS}`
  const noted = (on: Db) => on.selectFrom('ground').select('value').where('name', '=', FOLDED)
  if ((await noted(db).executeTakeFirst())?.value === now) return
  await db.transaction().execute(async (tx) => {
    await takeTurn(tx, FOLDED)
    if ((await noted(tx).executeTakeFirst())?.value === now) return
    await sql`insert into snapshots (strategy_id, kind, place, chain_seq, key, version, data)
      select f.strategy_id, 'before', 0, f.chain_seq, f.key, s.version, f.data
      from snapshots as f
      join snapshots as h on h.strategy_id = f.strategy_id and h.kind = 'head' and h.place = 0
      join strategies as s on s.id = f.strategy_id and s.version = h.version and s.deleted_at is null
      where f.kind = 'figures' and f.chain_seq > 0 and f.key not like ${`${now}.%`}
      on conflict (strategy_id, kind, place) do nothing`.execute(tx)
    const owners = await tx
      .selectFrom('snapshots')
      .innerJoin('strategies', 'strategies.id', 'snapshots.strategy_id')
      .select('strategies.scope')
      .distinct()
      .where('snapshots.kind', '=', 'before')
      .execute()
    for (const { scope } of owners)
      await enqueue(tx, { kind: 'figures', key: scope, owner: scope, data: null })
    await tx
      .insertInto('ground')
      .values({ name: FOLDED, value: now })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: now }))
      .execute()
  })
}

declare module '../context.ts' {
  interface App {
    /** What of strategies to be folded again is folded already. */
    readonly refolds: Refolds
  }
}

type Around = Pick<App, 'db' | 'engine' | 'background' | 'config' | 'log' | 'now' | 'events' | 'fold_cache'>
/** How far the stored records are brought, once it is committed. */
type Written = Pick<Again, 'cursor' | 'changed_from'>

/** What is folded ahead is for the job that begins now; another process may have taken it. */
const AHEAD_MS = 30_000
/** What a file brings is folded when all of it is there, which asks for it once more. */
const HIDDEN_MS = 60_000

export class Refolds {
  readonly #app: () => Around
  readonly #ahead = new Map<string, Again>()

  constructor(app: () => Around) {
    this.#app = app
  }

  /** This strategy is folded already, by the call that asked for it. */
  ahead(id: string, again: Again): void {
    this.#ahead.set(id, again)
    setTimeout(() => {
      if (this.#ahead.get(id) === again) this.#ahead.delete(id)
    }, AHEAD_MS).unref()
  }

  /** Gives when to come again where it is not to be done now. */
  async run(job: Job<'refold'>): Promise<string | undefined> {
    const app = this.#app()
    const again = this.#ahead.get(job.key) ?? (await this.#begin(job))
    this.#ahead.delete(job.key)
    if (again === 'gone') return
    const later = () => new Date(app.now() + HIDDEN_MS).toISOString()
    if (again === 'hidden') return later()
    const shorten = shortensLog(app, job.owner, 'fold')
    while (!job.over) {
      if (again.running === null) await sumAgain(app, again)
      const piece = () => inTransaction(app, (tx) => this.#piece(tx, job, again))
      const done = await app.background.piece(job.owner, piece, 'fold')
      await shorten()
      if (done === 'done') return
      if (done === 'hidden') return later()
      // What it goes by changed on the way: begun anew, after the others.
      if (done === 'anew') return ''
      Object.assign(again, done)
    }
  }

  async #begin({ key, owner }: Job<'refold'>): Promise<Again | 'gone' | 'hidden'> {
    const app = this.#app()
    const row = await app.db.selectFrom('strategies').selectAll().where('id', '=', key).executeTakeFirst()
    if (!row) return 'gone'
    return row.shown_seq === null ? foldAgain(app, row, owner, 'fold') : 'hidden'
  }

  async #piece(tx: Tx, job: Job<'refold'>, again: Again): Promise<'done' | 'anew' | 'hidden' | Written> {
    const app = this.#app()
    const id = job.key
    const query = tx.db.selectFrom('strategies').selectAll().where('id', '=', id)
    const row = await held(app, query).executeTakeFirst()
    const owed = await job.mine(tx)
    if (!row) return 'done'
    if (row.shown_seq !== null) return 'hidden'
    if (!(await bringOn(app, tx.db, again, row))) return 'anew'
    const written = await rewriteSome(tx.db, again, row)
    const from_seq = lower(owed.from_seq, written.changed_from)
    if (written.cursor < row.chain_seq || again.running === null) {
      if (from_seq !== owed.from_seq) await job.note(tx, { from_seq })
      return written
    }
    // What memory holds of it in any process was carried on from another state: the version tells.
    const now = { ...row, version: row.version + 1 }
    await writeAgain(tx.db, again, now)
    await tx.db.updateTable('strategies').set({ version: now.version }).where('id', '=', id).execute()
    await job.done(tx)
    if (from_seq !== null)
      await tx.append(row.scope as Scope, 'strategy', { id, change: 'refolded', from_chain_seq: from_seq })
    tx.afterCommit(() => app.fold_cache.forget(id))
    return 'done'
  }
}
