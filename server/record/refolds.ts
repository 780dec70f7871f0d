// Records that are still to be folded again: noted with the commit that made it necessary, done beside everything else, one strategy
// at a time, the accounts one after the other. Whoever stops in between goes on with the next start.
import type { Scope } from '#contract/events.ts'
import type { App, Tx } from '../context.ts'
import { held, shortensLog } from '../db/query.ts'
import type { StrategyRow } from '../db/schema.ts'
import { inTransaction } from '../events/transaction.ts'
import { type Again, bringOn, foldAgain, rewriteSome, sumAgain, writeAgain } from './again.ts'
import { OwedWork } from './owed-work.ts'

declare module '../context.ts' {
  interface App {
    /** Strategies whose records are folded again beside everything else. */
    readonly refolds: Refolds
  }
}

type Around = Pick<App, 'db' | 'engine' | 'background' | 'config' | 'log' | 'now' | 'events' | 'ledger'>
/** How far the stored records are brought, once it is committed. */
type Written = Pick<Again, 'cursor' | 'changed_from'>
type Owing = Pick<StrategyRow, 'id' | 'scope'>

export class Refolds {
  readonly #app: () => Around
  /** By account: what waits there, with what is folded of it already. The account whose turn it is comes first. */
  readonly #waiting = new Map<string, Map<string, Again | undefined>>()
  readonly #work = new OwedWork({
    look: () => this.#look(),
    next: () => this.#next(),
    forget: () => this.#waiting.clear(),
  })

  constructor(app: () => Around) {
    this.#app = app
  }

  /** Goes on with what was left undone, now and from time to time. */
  start(): void {
    this.#work.start()
  }

  /** Does what is noted of a strategy when its account's turn comes; `again` = it is folded already. */
  soon({ id, scope }: Owing, again?: Again): void {
    if (this.#work.closed) return
    const own = this.#waiting.get(scope) ?? new Map<string, Again | undefined>()
    this.#waiting.set(scope, own)
    own.set(id, again ?? own.get(id))
    this.#work.begin()
  }

  /** Nothing is being folded, or waits for it. */
  settled(): Promise<void> {
    return this.#work.settled()
  }

  stop(): Promise<void> {
    return this.#work.stop()
  }

  async #look(): Promise<void> {
    const { db, log } = this.#app()
    try {
      const owing = await db
        .selectFrom('owed_folds as owed')
        .innerJoin('strategies', 'strategies.id', 'owed.strategy_id')
        .select(['strategies.id', 'strategies.scope'])
        // What a file brings is folded when all of it is there.
        .where('strategies.shown_seq', 'is', null)
        .execute()
      for (const one of owing) this.soon(one)
    } catch (error) {
      log.warn({ err: error }, 'folds that are owed could not be looked for')
    }
  }

  #next(): Promise<void> | null {
    const [scope, own] = this.#waiting.entries().next().value ?? []
    if (scope === undefined || !own) return null
    const [id, again] = own.entries().next().value as [string, Again | undefined]
    own.delete(id)
    this.#waiting.delete(scope)
    if (own.size > 0) this.#waiting.set(scope, own)
    return this.#fold(id, scope, again).then(
      (done) => {
        if (!done) this.soon({ id, scope })
      },
      // It stays noted: the next look does it.
      (error: unknown) =>
        this.#app().log.error({ err: error, strategy_id: id }, 'records could not be folded again'),
    )
  }

  /** False when it is to be begun anew: what it goes by changed on the way. */
  async #fold(id: string, account: string, ahead: Again | undefined): Promise<boolean> {
    const app = this.#app()
    const again = ahead ?? (await this.#begin(id, account))
    if (!again) return true
    const shorten = shortensLog(app, account, 'fold')
    for (;;) {
      if (this.#work.closed) return true
      if (again.running === null) await sumAgain(app, again)
      const piece = () => inTransaction(app, (tx) => this.#piece(tx, id, again))
      const done = await app.background.piece(account, piece, 'fold')
      await shorten()
      if (typeof done === 'string') return done === 'done'
      Object.assign(again, done)
    }
  }

  async #begin(id: string, account: string): Promise<Again | null> {
    const app = this.#app()
    const row = await app.db
      .selectFrom('strategies')
      .selectAll()
      .where('id', '=', id)
      .where('shown_seq', 'is', null)
      .where((eb) => eb.exists(eb.selectFrom('owed_folds').select('since').where('strategy_id', '=', id)))
      .executeTakeFirst()
    return row ? foldAgain(app, row, account, 'fold') : null
  }

  async #piece(tx: Tx, id: string, again: Again): Promise<'done' | 'anew' | Written> {
    const app = this.#app()
    const query = tx.db.selectFrom('strategies').selectAll().where('id', '=', id)
    const row = await held(app, query).executeTakeFirst()
    const owed = await tx.db
      .selectFrom('owed_folds')
      .select('from_seq')
      .where('strategy_id', '=', id)
      .executeTakeFirst()
    // The strategy is gone, or another process was quicker.
    if (!row || !owed || row.shown_seq !== null) return 'done'
    if (!(await bringOn(app, tx.db, again, row))) return 'anew'
    const written = await rewriteSome(tx.db, again, row)
    const from_seq = lower(owed.from_seq, written.changed_from)
    if (written.cursor < row.chain_seq || again.running === null) {
      if (from_seq !== owed.from_seq)
        await tx.db.updateTable('owed_folds').set({ from_seq }).where('strategy_id', '=', id).execute()
      return written
    }
    // What memory holds of it in any process was carried on from another state: the version tells.
    const now = { ...row, version: row.version + 1 }
    await writeAgain(tx.db, again, now)
    await tx.db.updateTable('strategies').set({ version: now.version }).where('id', '=', id).execute()
    await tx.db.deleteFrom('owed_folds').where('strategy_id', '=', id).execute()
    if (from_seq !== null)
      await tx.append(row.scope as Scope, 'strategy', { id, change: 'refolded', from_chain_seq: from_seq })
    tx.afterCommit(() => app.ledger.forget(id))
    return 'done'
  }
}

function lower(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}
