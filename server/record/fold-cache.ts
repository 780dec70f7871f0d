// What memory holds of folds between commits and looks: of strategies that receive signals the newest state, so that one more record costs
// the same at 10 and at 100,000; of those that somebody looks at the closed trades, worked out in pieces and carried on at the next look.
// Nothing of it is needed but for speed: one bound over both, beyond which those that were quiet longest lose some, then all.

import type { MarketHours } from '#trading/calendar.ts'
import { shorten } from '#trading/fold/run.ts'
import { positionsOf } from '#trading/fold.ts'
import { type Parts, partsInSlices } from '#trading/statistics/summary.ts'
import { type Tables, tables } from '#trading/tables.ts'
import type { App, Tx } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { calendarKey } from './calendar.ts'
import {
  FoldSession,
  foldOutOfOrder,
  foundView,
  freshView,
  refoldedView,
  BOUNDS as SESSION_BOUNDS,
  type SessionBounds,
  type View,
} from './fold-session.ts'
import { type DerivedChange, oweFold, refold, rewriteDerived, tellRefolded } from './refold.ts'
import {
  dueState,
  findHeads,
  type Head,
  invalidateTrades,
  type Pieces,
  writeHeads,
  writeTrades,
} from './snapshots.ts'
import { loadTerms, termsKey } from './terms.ts'
import {
  foldHistory,
  foldHistoryOn,
  type HistoryLimits,
  type Look,
  type TradeHistory,
} from './trade-history.ts'
import type { UnitOfWork } from './unit-of-work.ts'

interface FoldCacheBounds extends SessionBounds {
  /** Over all that is held: a record kept weighs one, a closed trade with its sums, too. */
  readonly kilobytes: number
  /** Records that the quietest keep before they lose all. */
  readonly few: number
  readonly history: HistoryLimits
}

const BOUNDS: FoldCacheBounds = {
  ...SESSION_BOUNDS,
  kilobytes: 120_000,
  few: 128,
  history: { limits: { stride: 16, most: 512 }, chunk: 1_024 },
}
/** A state, its terms and its row. */
const LEAST_WEIGHT = 4

/** For somebody who holds a transaction. */
const AT_ONCE: Pieces = {
  piece: async (_account, work) => work(),
  async run(_account, steps) {
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
    }
  },
}

type Around = Pick<App, 'db' | 'background' | 'log'>

declare module '../context.ts' {
  interface App {
    /** What this process has at hand of folds. */
    readonly fold_cache: FoldCache
  }
}

/** What settling leaves. */
interface Settled {
  readonly refolded: ReadonlyMap<string, DerivedChange>
  /** Their records are to be folded again once the commit is done. */
  readonly owing: readonly StrategyRow[]
}

interface Held {
  /** What a commit works on, or worked on last. */
  session?: FoldSession
  /** Closed trades; only what is committed is in them. */
  history?: TradeHistory
  weight: number
}

export class FoldCache {
  /** By strategy and what it is, in order of last use. */
  readonly #held = new Map<string, Held>()
  #weight = 0
  /** What a commit works on, whatever is forgotten meanwhile. */
  readonly #open = new WeakMap<Tx, Map<string, FoldSession>>()
  /** Histories being folded, by strategy. */
  readonly #running = new Map<string, Promise<unknown>>()
  /** Whose trades are to be stored, with who looked last. */
  readonly #unwritten = new Map<string, string>()
  #writing: Promise<void> | null = null
  #closed = false
  readonly #bounds: FoldCacheBounds

  constructor(bounds: Partial<FoldCacheBounds> = {}) {
    this.#bounds = { ...BOUNDS, ...bounds }
  }

  /**
   * The sessions of strategies as their rows stand now: from memory when chain, terms and closed days are the same, else from
   * the stored head, and only when that was made with others from the records.
   */
  async open(
    tx: Tx,
    rows: readonly StrategyRow[],
    closed_days: ReadonlySet<string>,
  ): Promise<Map<string, FoldSession>> {
    const table = tables()
    const alike = (row: StrategyRow) => {
      const known = this.#session(row.id)
      return known && isSame(known, row, closed_days, table) ? known : undefined
    }
    const strange = rows.filter((row) => row.chain_seq > 0 && alike(row)?.chain_hash !== row.chain_hash)
    const key = calendarKey(closed_days, table)
    const stored = await findHeads(tx.db, strange, key, this.#bounds.state_every)
    const open = this.#open.get(tx) ?? new Map<string, FoldSession>()
    this.#open.set(tx, open)
    const opened = new Map<string, FoldSession>()
    for (const row of rows) {
      const known = alike(row)
      const found = stored.get(row.id)
      // Made with other terms or closed days, of a long record: it goes on from there, and all is folded beside everything else.
      const owes = found?.exact === false && row.chain_seq > this.#bounds.at_once
      const usable = found && (found.exact || owes) ? foundView(found, row, this.#bounds) : undefined
      const same = known?.chain_hash === row.chain_hash ? known.view : usable
      const again =
        same || row.chain_seq === 0 ? null : await refold(tx.db, row, closed_days, this.#bounds.limits, table)
      const view = again ? refoldedView(again, row.chain_hash) : (same ?? freshView(row, this.#bounds))
      const terms = known?.terms ?? loadTerms(row, closed_days, table)
      const session = new FoldSession(row, closed_days, { ...view, chain_hash: row.chain_hash }, terms)
      session.changed_from = again?.changed_from ?? null
      session.owes = owes && same === usable
      this.#hold(nameOf.session(row.id), { session })
      open.set(row.id, session)
      opened.set(row.id, session)
    }
    return opened
  }

  /**
   * What memory knows of a strategy under its present terms. It may belong to a commit that is still under way or was broken off,
   * or be behind another process: its chain_hash tells.
   */
  peek(row: Pick<StrategyRow, 'id' | 'version'>, closed_days: ReadonlySet<string>): View | undefined {
    const known = this.#session(row.id)
    return known && isSame(known, row, closed_days, tables()) ? known.view : undefined
  }

  /**
   * Writes what folding left behind after the sessions' new records are stored. Records of those that had some out of order are
   * given with their columns as they are now, by id; the screens are told from where on figures changed. What changes more than
   * a commit should fold is noted, and its strategies are given: a job does it after the commit.
   */
  async settle(tx: Tx, uow: UnitOfWork, strategy_ids: readonly string[]): Promise<Settled> {
    const refolded = new Map<string, DerivedChange>()
    const owing: StrategyRow[] = []
    const heads: Head[] = []
    const states: NonNullable<ReturnType<typeof dueState>>[] = []
    const changes: DerivedChange[] = []
    for (const strategy_id of strategy_ids) {
      const session = this.#open.get(tx)?.get(strategy_id)
      if (!session) throw new Error(`no session is open for strategy ${strategy_id}`)
      const { row, terms, changed_from, out_of_order, closed_days } = session
      if (changed_from !== null) await tellRefolded(uow, row, changed_from)
      session.changed_from = null
      if (out_of_order.length > 0) {
        await uow.flush()
        const { added, changes: own } = await foldOutOfOrder(tx, uow, session, this.#bounds)
        for (const one of added) refolded.set(one.id, one)
        changes.push(...own)
      }
      if (session.owes) {
        await oweFold(tx.db, row)
        owing.push(row)
        session.owes = false
      }
      const { view, chain_hash } = session
      const key = calendarKey(closed_days, terms.tables)
      const positions = positionsOf(view.state, terms)
      heads.push({ ...view, strategy_id, version: row.version, positions, key })
      const of = { strategy_id, chain_hash, key }
      const state = dueState(of, { state: view.state, tally: view }, view.due, this.#bounds.state_every)
      if (state) states.push(state)
      const name = nameOf.session(strategy_id)
      // Cleared or forgotten while its commit was under way: it is not held any more.
      if (this.#session(strategy_id) === session) this.#weigh(this.#held.get(name) as Held)
    }
    await rewriteDerived(tx.db, changes, uow)
    await writeHeads(uow, heads, states)
    this.#shrink(new Set(strategy_ids.map(nameOf.session)))
    return { refolded, owing }
  }

  /** The closed trades of a strategy, up to its row's record at least. Those who ask at the same time share the work. */
  async trades(
    app: Around,
    db: Db,
    row: StrategyRow,
    closed_days: ReadonlySet<string>,
    account: string,
  ): Promise<TradeHistory> {
    const key = `${calendarKey(closed_days)} ${termsKey(row)}`
    const { log, background } = app
    const in_transaction = db.isTransaction
    const look = { db, row, closed_days, terms: loadTerms(row, closed_days), key, account, log }
    const name = nameOf.history(row.id)
    for (;;) {
      const held = this.#held.get(name)
      if (held?.history && isAt(held.history, row, key)) {
        this.#hold(name, held)
        if (!in_transaction) this.#writeSoon(app, held.history, row.id, account)
        return held.history
      }
      const other = this.#running.get(row.id)
      if (other === undefined) break
      // Who holds a transaction must not wait for somebody who may need the connection.
      if (in_transaction) return foldHistory({ ...look, pieces: AT_ONCE }, this.#bounds.history)
      await other
    }
    const work = this.#bring({ ...look, pieces: in_transaction ? AT_ONCE : background })
    // A failure is told to whoever asked first; the others try themselves.
    const over = work.then(
      () => undefined,
      () => undefined,
    )
    this.#running.set(row.id, over)
    try {
      const history = await work
      if (!in_transaction) this.#writeSoon(app, history, row.id, account)
      return history
    } finally {
      this.#running.delete(row.id)
    }
  }

  /**
   * What `look` gives of a strategy's trades and of its sides and trading sessions, all of the same records: looked at in one piece, for
   * both are carried on in place.
   */
  async report<T>(
    app: Around,
    db: Db,
    row: StrategyRow,
    closed_days: ReadonlySet<string>,
    account: string,
    hours: MarketHours,
    look: (history: TradeHistory, parts: Parts) => T,
  ): Promise<T> {
    const pieces = db.isTransaction ? AT_ONCE : app.background
    for (;;) {
      const history = await this.trades(app, db, row, closed_days, account)
      const made = history.parts ? null : await pieces.run(account, partsInSlices(history.trades, hours))
      const told = await pieces.piece(account, () => {
        if (history.carried_on) return null
        history.parts ??= made && { hours, of: made }
        return history.parts && { of: look(history, history.parts.of) }
      })
      if (told) return told.of
    }
  }

  /** Drops a strategy's state, after its terms changed or it was deleted. */
  forget(strategy_id: string): void {
    this.#drop(nameOf.session(strategy_id))
  }

  clear(): void {
    this.#held.clear()
    this.#weight = 0
  }

  /** Trades that were folded are stored, or will be by whoever looks next. Nothing is stored after `stop`. */
  async settled(): Promise<void> {
    while (this.#writing !== null) await this.#writing
  }

  /** Ends when nothing is being stored. */
  stop(): Promise<void> {
    this.#closed = true
    return this.settled()
  }

  #writeSoon(app: Around, { chunks }: TradeHistory, strategy_id: string, account: string): void {
    if (chunks.endings.length === 0 || this.#closed) return
    this.#unwritten.set(strategy_id, account)
    this.#writing ??= this.#writeAll(app)
  }

  async #writeAll(app: Around): Promise<void> {
    for (const [strategy_id, account] of this.#unwritten) {
      this.#unwritten.delete(strategy_id)
      try {
        await this.#writeChunks(app, strategy_id, account)
      } catch (error) {
        // Nobody misses them but the first look after the next start.
        app.log.warn({ err: error, strategy_id }, 'trades could not be stored')
      }
    }
    this.#writing = null
  }

  /** Stores a history's chunks, one a piece, each only while it is the history's. */
  async #writeChunks({ db, background }: Around, strategy_id: string, account: string): Promise<void> {
    for (;;) {
      const done = await background.piece(account, () => this.#writeChunk(db, strategy_id), 'trades')
      if (done === null) return
      if (done > 0) return background.piece(account, () => invalidateTrades(db, strategy_id, done), 'trades')
    }
  }

  /** Gives 0 when there are more, how many are stored after the last one, null when there is nothing to do. */
  async #writeChunk(db: Db, strategy_id: string): Promise<number | null> {
    const history = this.#held.get(nameOf.history(strategy_id))?.history
    const ending = history?.chunks.endings[0]
    if (!history || !ending || this.#closed) return null
    const { chunks, trades: all } = history
    const { trades, ...where } = ending
    const before = chunks.written.at(-1)
    const draft = { strategy_id, place: chunks.written.length + 1, key: chunks.key, ...where }
    const some = all.slice(before?.trades ?? 0, trades)
    const sum = await writeTrades(db, { ...draft, before: before?.sum ?? '', trades: some })
    if (sum === null) {
      chunks.endings = []
      return null
    }
    // A late record took it away meanwhile: what is stored is true of the chain as it was, and the next one writes over it.
    if (chunks.endings[0] !== ending || chunks.written.at(-1) !== before) return 0
    chunks.endings.shift()
    chunks.written.push({ trades, sum })
    return chunks.endings.length === 0 ? chunks.written.length : 0
  }

  async #bring(look: Look): Promise<TradeHistory> {
    const { row, key } = look
    const name = nameOf.history(row.id)
    const known = this.#held.get(name)?.history
    // What is carried on changes in place: until that is done it is nobody's.
    this.#drop(name)
    if (known) known.carried_on = true
    const { history: limits } = this.#bounds
    const on = known?.key === key ? await foldHistoryOn(look, known, limits.chunk) : null
    const history = on ?? (await foldHistory(look, limits))
    this.#hold(name, { history })
    this.#shrink(new Set([name]))
    return history
  }

  #session(strategy_id: string): FoldSession | undefined {
    return this.#held.get(nameOf.session(strategy_id))?.session
  }

  #hold(name: string, one: Omit<Held, 'weight'>): void {
    this.#drop(name)
    const held = { ...one, weight: 0 }
    this.#held.set(name, held)
    this.#weigh(held)
  }

  #drop(name: string): void {
    this.#weight -= this.#held.get(name)?.weight ?? 0
    this.#held.delete(name)
  }

  #weigh(held: Held): void {
    const { session, history } = held
    const kept = session ? session.view.kept.held : (history?.kept.held ?? 0)
    const weight = LEAST_WEIGHT + kept + (history?.trades.length ?? 0)
    this.#weight += weight - held.weight
    held.weight = weight
  }

  #shrink(used: ReadonlySet<string>): void {
    const { kilobytes, few } = this.#bounds
    if (this.#weight <= kilobytes) return
    // A little more than needed, so that not every commit has to.
    for (const least of [few, 0])
      for (const [name, held] of this.#held) {
        if (this.#weight <= 0.9 * kilobytes) return
        if (used.has(name)) continue
        if (least === 0 || !held.session) this.#drop(name)
        else if (held.session.view.kept.held > least) {
          shorten(held.session.view.kept, least)
          this.#weigh(held)
        }
      }
  }
}

const nameOf = {
  session: (strategy_id: string) => `session ${strategy_id}`,
  history: (strategy_id: string) => `history ${strategy_id}`,
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

function isAt({ key, chain_seq, chain_hash }: TradeHistory, row: StrategyRow, wanted: string): boolean {
  if (key !== wanted) return false
  return chain_seq === row.chain_seq ? chain_hash === row.chain_hash : chain_seq > row.chain_seq
}
