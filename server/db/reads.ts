// Where what only reads is asked, away from the connection that takes signals in: of SQLite in threads beside the server, of
// PostgreSQL of a replica, where there is one.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  PostgresDialect,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import { FairQueue } from '../turns.ts'
import { type Condition, codeOf, isStorage, ReaderGone } from './condition.ts'
import type { Answer, Opened, Question, Rows } from './reader.worker.ts'
import type { Db, Schema } from './schema.ts'

export interface Reads {
  /** For what an account reads now: whatever was committed before is in it. It has no transactions, and a write is a fault. */
  of(account: string): Db | Promise<Db>
  close(): Promise<void>
}

/** A statement that took longer is a long one, of that account, from then on. */
const LONG_MS = 25
/** Long ones remembered. */
const LONG_MOST = 2_000
/** What is asked when the server stops is waited for, so long. */
const CLOSE_MS = 5_000

interface Asked {
  readonly account: string
  readonly sql: string
  readonly parameters: readonly unknown[]
  done(found: Rows): void
  failed(error: Error): void
}

/** A thread with the file open. It begins with the first question, and after an end with the next one. */
class Reader {
  readonly #path: string
  readonly #file: Pick<Opened, 'dev' | 'ino'>
  readonly #free: () => void
  #worker: Worker | null = null
  #asked: Asked | null = null

  constructor(path: string, file: Pick<Opened, 'dev' | 'ino'>, free: () => void) {
    this.#path = path
    this.#file = file
    this.#free = free
  }

  get idle(): boolean {
    return this.#asked === null
  }

  ask(asked: Asked): void {
    this.#asked = asked
    this.#worker ??= this.#start()
    this.#worker.ref()
    const { sql, parameters } = asked
    try {
      this.#worker.postMessage({ sql, parameters } satisfies Question)
    } catch (error) {
      // A parameter that is no value of a database.
      this.#end((one) => one.failed(error as Error))
    }
  }

  async close(): Promise<void> {
    const worker = this.#worker
    if (!worker) return
    const ended = new Promise((next) => worker.once('exit', next))
    worker.ref()
    worker.postMessage(null satisfies Question)
    const late = setTimeout(() => void worker.terminate(), CLOSE_MS)
    await ended
    clearTimeout(late)
  }

  #start(): Worker {
    const workerData: Opened = { path: this.#path, ...this.#file }
    const worker = new Worker(join(import.meta.dirname, 'reader.worker.ts'), { workerData, name: 'reader' })
    let why: unknown = null
    worker.on('message', (answer: Answer) =>
      this.#end((one) => {
        if ('rows' in answer) one.done(answer)
        else one.failed(Object.assign(new Error(answer.failed), answer.code && { code: answer.code }))
      }),
    )
    worker.on('error', (error) => {
      why = error
    })
    // Whoever waited for it tries again later; the next question begins a new one.
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null
      this.#end((one) => one.failed(new ReaderGone(why)))
    })
    return worker
  }

  #end(tell: (one: Asked) => void): void {
    const asked = this.#asked
    if (!asked) return
    this.#asked = null
    this.#worker?.unref()
    tell(asked)
    this.#free()
  }
}

/**
 * Two threads. Accounts take turns; what took long the last time runs in the first one only, so that one is left for all the
 * others: a statement cannot be interrupted.
 */
class Readers {
  readonly #condition: Condition
  readonly #first: Reader
  readonly #second: Reader
  readonly #quick = new FairQueue<Asked>()
  readonly #long = new FairQueue<Asked>()
  /** Whose statements took long. */
  readonly #took = new Set<string>()
  #closed = false

  constructor(path: string, condition: Condition) {
    this.#condition = condition
    const { dev, ino } = statSync(path)
    const reader = () => new Reader(path, { dev, ino }, () => this.#next())
    this.#first = reader()
    this.#second = reader()
  }

  run(account: string, sql: string, parameters: readonly unknown[]): Promise<Record<string, unknown>[]> {
    return new Promise((resolve, failed) => {
      if (this.#closed) return failed(new ReaderGone('closed'))
      const key = `${account} ${sql}`
      const done = ({ columns, rows, ms }: Rows) => {
        if (ms < LONG_MS) this.#took.delete(key)
        else this.#note(key)
        resolve(rows.map((row) => named(columns, row)))
      }
      const told = (error: Error) => {
        this.#condition.failed(error)
        failed(error)
      }
      const line = this.#took.has(key) ? this.#long : this.#quick
      line.push({ account, sql, parameters, done, failed: told }, account)
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([this.#first.close(), this.#second.close()])
  }

  #next(): void {
    if (this.#second.idle) this.#give(this.#second, this.#quick.shift())
    if (this.#first.idle) this.#give(this.#first, this.#long.shift() ?? this.#quick.shift())
  }

  #give(reader: Reader, asked: Asked | undefined): void {
    if (asked) reader.ask(asked)
  }

  #note(key: string): void {
    if (this.#took.size >= LONG_MOST) this.#took.clear()
    this.#took.add(key)
  }
}

function named(columns: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let i = 0; i < columns.length; i++) {
    const value = values[i]
    // Between threads a Buffer becomes what it is made of.
    row[columns[i] as string] = value instanceof Uint8Array ? Buffer.from(value.buffer) : value
  }
  return row
}

/** Nobody reads row by row from an open statement. */
// biome-ignore lint/correctness/useYield: it never comes to that
async function* notInPieces(): AsyncIterableIterator<never> {
  throw new Error('read in pages')
}

/** Any number of questions at a time, each by itself. */
class ReadingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}
/** For what Kysely would need it: nothing begins a transaction here. */
class NoTransactions extends DummyDriver {
  override beginTransaction(): Promise<void> {
    throw new Error('what only reads has no transaction')
  }
}

/** The file's readers; nothing is opened before somebody asks. */
export function readsOfFile(path: string, condition: Condition): Reads {
  const readers = new Readers(path, condition)
  const adapter = new ReadingAdapter()
  const compiler = new SqliteQueryCompiler()
  const driver = new NoTransactions()
  const dialect = new SqliteDialect({
    database: () => {
      throw new Error('read by its threads')
    },
  })
  return {
    of(account) {
      const connection: DatabaseConnection = {
        executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => ({
          rows: (await readers.run(account, sql, parameters)) as R[],
        }),
        streamQuery: notInPieces,
      }
      const executor = new DefaultQueryExecutor(compiler, adapter, {
        provideConnection: (consumer) => consumer(connection),
      })
      return new Kysely<Schema>({ config: { dialect }, dialect, driver, executor })
    },
    close: () => readers.close(),
  }
}

/** So long a call waits for what was committed before it; then it reads where that is. */
const REACHED_WITHIN_MS = 30
const LOOK_MS = 2
/** After one that came too late, or was away, nobody waits for so long. */
const REST_MS = 500
const BEHIND_TOLD_MS = 5_000
/** Something else in the place of a replica is looked at again after so long. */
const WRONG_REST_MS = 10_000

/**
 * A replica that holds whatever was committed before a call began, by whomever and through which process: where the primary's log
 * ended then is asked for, and that the replica has come so far. Who asks at the same time shares the question.
 */
class Replica {
  readonly #primary: Kysely<Schema>
  readonly #replica: Kysely<Schema>
  readonly #condition: Condition
  #asking: Promise<boolean> | null = null
  #next: Promise<boolean> | null = null
  #rests_until = 0
  /** It was seen to be of this very cluster. */
  #known = false
  #behind_since: number | null = null

  constructor(primary: Kysely<Schema>, replica: Kysely<Schema>, condition: Condition) {
    this.#primary = primary
    this.#replica = replica
    this.#condition = condition
  }

  /** Whether it may be read now. A question that is under way began too early for whoever comes. */
  isFresh(): Promise<boolean> {
    if (performance.now() < this.#rests_until) return Promise.resolve(false)
    if (!this.#asking) return this.#ask()
    this.#next ??= this.#asking.then(() => {
      this.#next = null
      return this.isFresh()
    })
    return this.#next
  }

  rest(why: string, ms = REST_MS): void {
    this.#rests_until = performance.now() + ms
    this.#known = false
    this.#condition.tells('replica', why)
  }

  #ask(): Promise<boolean> {
    this.#asking = this.#reached()
      .catch((error: unknown) => this.rest(`away ${codeOf(error)}`.trim()))
      .then((reached) => {
        this.#asking = null
        return reached === true
      })
    return this.#asking
  }

  async #reached(): Promise<boolean> {
    // An answered commit is flushed: what stands behind this place is nobody's yet.
    const { rows } = await sql<{ at: string }>`select pg_current_wal_flush_lsn()::text as at`.execute(
      this.#primary,
    )
    const at = rows[0]?.at ?? null
    const until = performance.now() + REACHED_WITHIN_MS
    if (!(await this.#isOurs())) {
      this.rest('not a replica of DATABASE_URL', WRONG_REST_MS)
      return false
    }
    for (;;) {
      const found = await sql<{ reached: boolean | null }>`select pg_is_in_recovery()
        and pg_last_wal_replay_lsn() >= ${at}::pg_lsn as reached`.execute(this.#replica)
      if (found.rows[0]?.reached === true) break
      if (performance.now() >= until) {
        this.#fallBehind()
        return false
      }
      await sleep(LOOK_MS)
    }
    this.#behind_since = null
    this.#condition.tells('replica', 'ok')
    return true
  }

  /** Now and then for a moment is usual; for longer it is told. */
  #fallBehind(): void {
    const now = performance.now()
    this.#rests_until = now + REST_MS
    this.#behind_since ??= now
    if (now - this.#behind_since >= BEHIND_TOLD_MS) this.#condition.tells('replica', 'behind')
  }

  /** Places in the log of another cluster mean nothing here, and one that was promoted goes its own way. */
  async #isOurs(): Promise<boolean> {
    if (this.#known) return true
    const [of, is] = await Promise.all(
      [this.#primary, this.#replica].map((db) =>
        sql<{ id: string; database: string; standby: boolean }>`select system_identifier::text as id,
          current_database() as database, pg_is_in_recovery() as standby from pg_control_system()`.execute(
          db,
        ),
      ),
    )
    const [primary, replica] = [of?.rows[0], is?.rows[0]]
    this.#known =
      replica?.standby === true && replica.id === primary?.id && replica.database === primary?.database
    return this.#known
  }
}

/** Reads of a replica as long as it is there and holds all that was committed, else of the primary. */
export function readsOfReplica(
  primary: Kysely<Schema>,
  replica: Kysely<Schema>,
  condition: Condition,
): Reads {
  const watched = new Replica(primary, replica, condition)
  const [first, other] = [primary.getExecutor(), replica.getExecutor()]
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      try {
        return await other.executeQuery<R>(query as CompiledQuery<R>)
      } catch (error) {
        // Nothing was written: asked once more it is the same question. A write is a fault of ours.
        if (!isStorage(error) || codeOf(error) === '25006') throw error
        watched.rest(`away ${codeOf(error)}`.trim())
        return first.executeQuery<R>(query as CompiledQuery<R>)
      }
    },
    streamQuery: notInPieces,
  }
  const executor = first.withConnectionProvider({ provideConnection: (consumer) => consumer(connection) })
  const driver = new NoTransactions()
  const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('read by its connections')) })
  const db = new Kysely<Schema>({ config: { dialect }, dialect, driver, executor })
  return {
    of: async () => ((await watched.isFresh()) ? db : primary),
    close: () => replica.destroy(),
  }
}
