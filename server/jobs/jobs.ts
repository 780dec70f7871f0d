// The runner: takes what is due by lease, of each kind one at a time, owners in turn; rests while signals press; what failed comes again
// later. Of several processes one does a job; of one that died or stands still another takes it over (docs/decisions/jobs.md).
import { setTimeout as sleep } from 'node:timers/promises'
import type { App, Tx } from '../context.ts'
import { isStorage } from '../db/condition.ts'
import { held } from '../db/query.ts'
import type { Db, JobRow } from '../db/schema.ts'
import { inTransaction } from '../events/append.ts'
import { newId } from '../ids.ts'
import { Lease, type LeaseTimes } from './lease.ts'
import {
  dueKinds,
  enqueue,
  iso,
  type JobData,
  type JobKind,
  type NewJob,
  REST_MOST_MS,
  restAfter,
  takeJob,
} from './table.ts'

declare module '../context.ts' {
  interface App {
    /** What is done later, again, or at a time. */
    readonly jobs: Jobs
  }
}

/** How often is looked for what another process wrote, or what became due. */
const LOOK_MS = 500
/** With the look after it another process goes on within three seconds. */
const LEASE: LeaseTimes = { ms: 2_400, renew_ms: 800, margin_ms: 0 }
/** Who held it for so long ends no process by it: who takes it over need not rest. */
const SOUND_MS = 60_000
/** A job that gave no sign of life for so long is given up: the next of its kind has its turn. */
const STUCK_MS = 5 * 60_000
/** So long at most the next job waits while signals press: its pieces let them pass anyway. */
const PATIENCE_MS = 3_000
const MINUTE_MS = 60_000

const STUCK = Symbol('stuck')

/** Another process has taken the job over: what is under way here is rolled back, and nothing more begins. */
export class LostJob extends Error {}

/** A job under way. */
export interface Job<K extends JobKind = JobKind> {
  readonly key: string
  readonly owner: string
  readonly data: JobData[K]
  /** Nothing more may begin: the server stops, or another process has the job. Whoever returns then has not done it. */
  readonly over: boolean
  /** Throws `LostJob` unless it is still this process's, and holds it until the transaction ends; gives what it knows now. Lock what it is about before. */
  mine(tx: On): Promise<JobData[K]>
  /** Keeps what a later piece, or another process, has to know. */
  note(tx: On, data: JobData[K]): Promise<void>
  /** It is done with this transaction, which holds what it is about: also what was asked for meanwhile. Else it is done when `run` returns. */
  done(tx: On): Promise<void>
  /** Lets signals pass. */
  pause(): Promise<void>
}

/** What a kind does. */
export interface Kind<K extends JobKind> {
  /** Begins anew or goes on where another stopped; what it does twice has no effect twice. Gives when it is to be done again (ISO). */
  readonly run: (job: Job<K>) => Promise<void> | Promise<string | undefined>
  /** It is there from the first start on, with an empty key, and is done again after so long, or when `run` says, but never later. */
  readonly every_ms?: number
}
export type Kinds = { readonly [K in JobKind]: Kind<K> }

/** What a statement runs on: a transaction. */
type On = { readonly db: Db }

type Around = Pick<App, 'db' | 'engine' | 'now' | 'log' | 'events'>

/**
 * Does each by itself, so that one that always fails holds up nobody behind it. Throws the first failure at the end: the job comes
 * again. What the storage cannot do is tried no further.
 */
export async function eachAlone<T>(items: Iterable<T>, work: (one: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = []
  for (const one of items)
    try {
      await work(one)
    } catch (error) {
      if (isStorage(error)) throw error
      failures.push(error)
    }
  if (failures.length > 0) throw failures[0]
}

export class Jobs {
  /** Kinds that this process leaves alone: those that a test does by hand. */
  readonly held = new Set<JobKind>()
  readonly #app: () => Around
  readonly #kinds: () => Kinds
  readonly #pressed: () => boolean
  readonly #stuck_ms: number
  readonly #running = new Map<JobKind, Promise<void>>()
  /** Asked for while its kind was at work. */
  readonly #again = new Set<JobKind>()
  /** Whose turn was last. */
  readonly #last = new Map<JobKind, string>()
  #made: Kinds | undefined
  #timers: NodeJS.Timeout[] = []
  #looking: Promise<void> | null = null
  #closed = false

  constructor(
    app: () => Around,
    kinds: () => Kinds,
    pressed: () => boolean = () => false,
    stuck_ms = STUCK_MS,
  ) {
    this.#app = app
    this.#stuck_ms = stuck_ms
    this.#kinds = kinds
    this.#pressed = pressed
  }

  /** Goes on with what was left undone, and looks from then on. */
  async start(): Promise<void> {
    const { db, engine } = this.#app()
    // SQLite has one process: whoever held a job before is dead.
    if (engine === 'sqlite')
      await db
        .updateTable('jobs')
        .set({ lease: null, lease_until: null })
        .where('lease', 'is not', null)
        .execute()
    for (const kind of this.#names)
      if (this.#kind(kind).every_ms !== undefined)
        await db
          .insertInto('jobs')
          .values({
            ...{
              id: newId(),
              kind,
              key: '',
              owner: 'server',
              data: 'null',
              due_at: '',
              attempts: 0,
              asked: 1,
            },
            ...{ lease: null, lease_until: null, last_error: null },
          })
          .onConflict((conflict) => conflict.columns(['kind', 'key']).doNothing())
          .execute()
    const look = () => {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = null
      })
    }
    const back = () =>
      this.#bringBack().catch((error: unknown) =>
        this.#app().log.warn({ err: error }, 'jobs: put off too far'),
      )
    await back()
    look()
    this.#timers = [setInterval(look, LOOK_MS), setInterval(() => void back(), MINUTE_MS)]
    for (const timer of this.#timers) timer.unref()
  }

  /** Leaves alone what is done by the time: a test moves its clock as it likes. */
  holdTimed(): void {
    for (const kind of this.#names) if (this.#kind(kind).every_ms !== undefined) this.held.add(kind)
  }

  /** Writes it with the transaction, and begins it after the commit. */
  async add<K extends JobKind>(tx: Pick<Tx, 'db' | 'afterCommit'>, job: NewJob<K>): Promise<void> {
    await enqueue(tx.db, job)
    tx.afterCommit(() => this.wake(job.kind))
  }

  /** Something of this kind was written just now. */
  wake(kind: JobKind): void {
    if (this.#closed || this.held.has(kind)) return
    if (this.#running.has(kind)) {
      this.#again.add(kind)
      return
    }
    this.#running.set(kind, this.#through(kind))
  }

  /** Does everything that is due by now, and waits for it; what fails rests. For tests, too: their clock stands where they put it. */
  async settled(...kinds: JobKind[]): Promise<void> {
    const wanted = kinds.length > 0 ? kinds : this.#names
    for (;;) {
      await Promise.all(wanted.map((kind) => this.#running.get(kind)))
      if (this.#closed) return
      const open = wanted.filter((kind) => !this.held.has(kind))
      const due = await dueKinds(this.#app().db, open, this.#app().now())
      if (due.length === 0 && !wanted.some((kind) => this.#running.has(kind))) return
      for (const kind of due) this.wake(kind)
    }
  }

  /** Begins nothing more; resolves when the pieces that are under way are done. What was not finished is free for others. */
  async stop(): Promise<void> {
    this.#closed = true
    for (const timer of this.#timers) clearInterval(timer)
    await this.#looking
    await Promise.all(this.#running.values())
  }

  get #names(): JobKind[] {
    this.#made ??= this.#kinds()
    return Object.keys(this.#made) as JobKind[]
  }

  #kind<K extends JobKind>(kind: K): Kind<K> {
    this.#made ??= this.#kinds()
    return this.#made[kind]
  }

  async #look(): Promise<void> {
    const { db, log, now } = this.#app()
    try {
      const idle = this.#names.filter((kind) => !this.#running.has(kind) && !this.held.has(kind))
      for (const kind of await dueKinds(db, idle, now())) this.wake(kind)
    } catch (error) {
      log.warn({ err: error }, 'jobs could not be looked for')
    }
  }

  /** A clock that was ahead put them off for longer than their kind ever rests. */
  async #bringBack(): Promise<void> {
    const { db, now } = this.#app()
    const periodic = this.#names.flatMap((kind) => {
      const { every_ms } = this.#kind(kind)
      return every_ms === undefined ? [] : { kind, latest: iso(now() + every_ms) }
    })
    await db
      .updateTable('jobs')
      .set({ due_at: '' })
      .where((eb) =>
        eb.or([
          eb.and([eb('attempts', '>', 0), eb('due_at', '>', iso(now() + REST_MOST_MS))]),
          ...periodic.map(({ kind, latest }) => eb.and([eb('kind', '=', kind), eb('due_at', '>', latest)])),
        ]),
      )
      .execute()
  }

  /** One after the other, until nothing of the kind is due. */
  async #through(kind: JobKind): Promise<void> {
    const { log } = this.#app()
    try {
      do {
        this.#again.delete(kind)
        while (!this.#closed && !this.held.has(kind)) {
          await this.#pause()
          if (this.#closed || !(await this.#next(kind))) break
        }
      } while (this.#again.has(kind) && !this.#closed)
    } catch (error) {
      log.error({ err: error, kind }, 'jobs could not be taken')
    } finally {
      this.#running.delete(kind)
    }
  }

  async #pause(): Promise<void> {
    const until = performance.now() + PATIENCE_MS
    while (this.#pressed() && !this.#closed && performance.now() < until)
      await sleep(50, undefined, { ref: false })
  }

  async #next(kind: JobKind): Promise<boolean> {
    const { db, now } = this.#app()
    // What comes each minute does so while it fails, too: who looks for silence would take a longer rest for one.
    const rest_most_ms = this.#kind(kind).every_ms
    const lease = { token: newId(), now_ms: now(), ms: LEASE.ms, rest_most_ms }
    const row = await takeJob(db, kind, this.#last.get(kind) ?? '', lease)
    if (!row) return false
    this.#last.set(kind, row.owner)
    await this.#run(kind, row, lease.token)
    return true
  }

  async #run<K extends JobKind>(kind: K, row: JobRow, token: string): Promise<void> {
    const { db, log, now, engine } = this.#app()
    const own = (on: Db) => on.updateTable('jobs').where('id', '=', row.id).where('lease', '=', token)
    const began = performance.now()
    let ended = false
    let sign = began
    const lease = new Lease(
      async () => {
        const rested = performance.now() - began > SOUND_MS && { attempts: 1, due_at: '' }
        const { numUpdatedRows } = await own(db)
          .set({ lease_until: iso(now() + LEASE.ms), ...rested })
          .executeTakeFirstOrThrow()
        return numUpdatedRows > 0n || ended
      },
      LEASE,
      (error) => log.warn({ err: error, kind }, 'jobs: a lease could not be renewed'),
    )
    const [closed, pause] = [() => this.#closed, () => this.#pause()]
    const lives = () => {
      sign = performance.now()
    }
    const lose = (): never => {
      lease.lost = true
      throw new LostJob(`${kind} ${row.key}`)
    }
    const job: Job<K> = {
      ...{ key: row.key, owner: row.owner, data: JSON.parse(row.data) as JobData[K] },
      get over() {
        lives()
        return lease.lost || closed()
      },
      async mine({ db: on }) {
        lives()
        const query = on.selectFrom('jobs').select('data').where('id', '=', row.id).where('lease', '=', token)
        const found = await held({ engine }, query).executeTakeFirst()
        return found ? (JSON.parse(found.data) as JobData[K]) : lose()
      },
      async note({ db: on }, data) {
        lives()
        const { numUpdatedRows } = await own(on)
          .set({ data: JSON.stringify(data) })
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) lose()
      },
      async done({ db: on }) {
        const gone = on.deleteFrom('jobs').where('id', '=', row.id).where('lease', '=', token)
        if ((await gone.executeTakeFirstOrThrow()).numDeletedRows === 0n) lose()
        ended = true
      },
      async pause() {
        lives()
        await pause()
        lives()
      },
    }
    lease.start()
    const over = new AbortController()
    const free = { lease: null, lease_until: null }
    try {
      const running = this.#kind(kind).run(job)
      const next = await Promise.race([running, this.#silence(() => sign, over.signal)])
      if (next === STUCK) {
        lease.lost = true
        // Whatever it still does finds that it is not its job any more.
        running.catch((error: unknown) =>
          log.warn({ err: error, kind, key: row.key }, 'jobs: one that was given up'),
        )
        throw new Error(`沒有動靜超過 ${Math.round(this.#stuck_ms / 1_000)} 秒，先讓給後面的`)
      }
      if (ended || lease.lost) return
      if (this.#closed)
        await own(db)
          .set({ ...free, due_at: '', attempts: row.attempts - 1 })
          .execute()
      else await this.#end(kind, row, token, next ?? undefined)
    } catch (error) {
      if (error instanceof LostJob) {
        log.info({ kind, key: row.key }, 'jobs: another process has taken this one over')
        return
      }
      log.error({ err: error, kind, key: row.key, attempts: row.attempts }, 'jobs: failed, and comes again')
      const last_error = (error instanceof Error ? error.message : String(error)).slice(0, 500)
      // When it comes again was written when it was taken; of what has held on for long that is over.
      const later = iso(now() + restAfter(row.attempts, this.#kind(kind).every_ms))
      const due_at = performance.now() - began > SOUND_MS || row.due_at < iso(now()) ? later : row.due_at
      await own(db)
        .set({ ...free, last_error, attempts: row.attempts, due_at })
        .execute()
    } finally {
      over.abort()
      await lease.stop()
    }
  }

  /** Resolves when nothing was heard for too long. */
  async #silence(heard_at: () => number, signal: AbortSignal): Promise<typeof STUCK> {
    for (let left = this.#stuck_ms; left > 0; left = heard_at() + this.#stuck_ms - performance.now())
      if (signal.aborted) break
      else await sleep(left, undefined, { ref: false, signal }).catch(() => undefined)
    return STUCK
  }

  /** Done, unless it was asked for again meanwhile; or due again at its time. */
  async #end(kind: JobKind, row: JobRow, token: string, next: string | undefined): Promise<void> {
    const app = this.#app()
    const { every_ms } = this.#kind(kind)
    const latest = every_ms === undefined ? null : iso(app.now() + every_ms)
    const at = next !== undefined && (latest === null || next < latest) ? next : latest
    await inTransaction(app, async ({ db }) => {
      const query = db.selectFrom('jobs').select('asked').where('id', '=', row.id).where('lease', '=', token)
      const found = await held(app, query).executeTakeFirst()
      if (!found) return
      if (at === null && found.asked === row.asked) {
        await db.deleteFrom('jobs').where('id', '=', row.id).execute()
        return
      }
      const due_at = found.asked === row.asked ? (at ?? '') : ''
      await db
        .updateTable('jobs')
        .set({ due_at, attempts: 0, lease: null, lease_until: null, last_error: null })
        .where('id', '=', row.id)
        .execute()
    })
  }
}
