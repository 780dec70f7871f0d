// Where what only reads is asked, away from the connection that takes signals in: of SQLite in threads beside the server.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  SqliteQueryCompiler,
} from 'kysely'
import { FairQueue } from '../turns.ts'
import { type Condition, ReaderGone } from './condition.ts'
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
        // biome-ignore lint/correctness/useYield: nobody reads so
        async *streamQuery() {
          throw new Error('read in pages')
        },
      }
      const executor = new DefaultQueryExecutor(compiler, adapter, {
        provideConnection: (consumer) => consumer(connection),
      })
      return new Kysely<Schema>({ config: { dialect }, dialect, driver, executor })
    },
    close: () => readers.close(),
  }
}
