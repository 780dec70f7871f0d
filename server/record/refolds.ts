// Records that are still to be folded again: a job written with the commit that made it necessary, done beside everything else, some
// records a transaction (docs/decisions/snapshots.md).
import type { Scope } from '#contract/events.ts'
import type { App, Tx } from '../context.ts'
import { held, shortensLog } from '../db/query.ts'
import { inTransaction } from '../events/append.ts'
import type { Job } from '../jobs/jobs.ts'
import { type Again, bringOn, foldAgain, rewriteSome, sumAgain, writeAgain } from './again.ts'
import { lower } from './owed.ts'

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
