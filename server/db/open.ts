// Opens the database of the configuration: a SQLite file of our own, or PostgreSQL.

import type { Socket } from 'node:net'
import { join } from 'node:path'
import { Kysely, PostgresDialect, type PostgresPool, SqliteAdapter, SqliteDialect, sql } from 'kysely'
import pg from 'pg'
import type { Config } from '../config.ts'
import { makeFolder } from '../make-folder.ts'
import { nameOf } from './bulk.ts'
import { Condition, codeOf, DatabaseAway } from './condition.ts'
import { type Reads, readsOfFile, readsOfReplica } from './reads.ts'
import type { Schema } from './schema.ts'
import { openSqlite } from './sqlite.ts'

export interface Database {
  readonly db: Kysely<Schema>
  readonly engine: 'sqlite' | 'postgres'
  readonly condition: Condition
  /** Where what only reads is asked. */
  readonly reads: Reads
  /** After the migrations: from now on every statement has to answer in time. */
  hurry(): Promise<void>
  close(): Promise<void>
}

/** SQLite's DDL is as transactional as its rows; Kysely does not count on it and would leave half a migration behind. */
class WholeMigrations extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}
class OwnSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new WholeMigrations()
  }
}

/** Opens and checks the connection; the error says in Chinese what to do. `onLost` hears of connections that broke. */
export async function openDatabase(
  config: Pick<Config, 'data_dir' | 'database_url'> &
    Partial<Pick<Config, 'database_patience_ms' | 'database_read_url'>>,
  onLost: (error: Error) => void = () => undefined,
): Promise<Database> {
  makeFolder(config.data_dir)
  const condition = new Condition()
  if (config.database_url === null) {
    const sqlite = openSqlite(config.data_dir, condition)
    const db = new Kysely<Schema>({ dialect: new OwnSqliteDialect({ database: sqlite }) })
    const reads = readsOfFile(join(config.data_dir, 'lingbo.db'), condition)
    return {
      db,
      engine: 'sqlite',
      condition,
      reads,
      hurry: () => Promise.resolve(),
      close: async () => {
        // Who closes the file last brings the log into it: the writer.
        await reads.close()
        await db.destroy()
        // Kysely closes only what it has used; closing twice is allowed.
        sqlite.close()
      },
    }
  }
  const pool = new WatchedPool(config.database_url, onLost, condition, config.database_patience_ms)
  // Kysely's own type also asks for cursors, which it uses only where they are configured.
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: pool as unknown as PostgresPool }) })
  try {
    await sql`select 1`.execute(db)
  } catch (error) {
    await db.destroy()
    throw new Error(`連不上 DATABASE_URL 的 PostgreSQL：${whyNot(error)}`, { cause: error })
  }
  const reads = await openReads(config, db, condition)
  const close = async () => {
    await reads.close()
    await db.destroy()
  }
  return { db, engine: 'postgres', condition, reads, hurry: () => pool.hurry(), close }
}

/** The replica, where one is named. That it is away is no reason not to start, and no failure of the storage. */
async function openReads(
  { database_read_url: url, database_patience_ms }: Partial<Config>,
  db: Kysely<Schema>,
  condition: Condition,
): Promise<Reads> {
  if (!url) return { of: () => db, close: () => Promise.resolve() }
  const pool = new WatchedPool(url, () => undefined, new Condition(), database_patience_ms)
  await pool.hurry()
  return readsOfReplica(
    db,
    new Kysely<Schema>({ dialect: new PostgresDialect({ pool: pool as unknown as PostgresPool }) }),
    condition,
  )
}

/** What to look at: who answered, and what was refused. */
function whyNot(error: unknown): string {
  const code = codeOf(error)
  if (code === '3D000') return '伺服器上沒有這個名稱的資料庫，請先建立（createdb），或改網址最後的名稱'
  if (code.startsWith('28')) return '帳號或密碼不對，或不允許從這裡登入（pg_hba.conf）'
  if (code.startsWith('53')) return '連線數已滿或資源不足，請稍後再啟動'
  if (code === '57P03') return '它還在啟動，請稍後再啟動'
  if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code)) return '找不到這個主機名稱，請檢查網址'
  if (code === 'ECONNREFUSED') return '那個位址沒有 PostgreSQL 在聽，請檢查主機與連接埠，以及它是否已啟動'
  return '請檢查位址、資料庫名稱、帳號與密碼'
}

// Connections to PostgreSQL that never leave a caller waiting: what does not answer in time is cut off, everybody else is
// told at once that the database is away, and a probe looks until it is back.

/** TradingView hangs up after three seconds: its answer has to be there before. DATABASE_PATIENCE_MS says otherwise. */
const PATIENCE_MS = 2_000
/** A busy event loop may fire the timer before it reads what has arrived: the socket gets this long to be read. */
const READ_FIRST_MS = 100
const PROBE_EVERY_MS = 250
/** Of one process, beside the one that listens (events/relay.ts): docs/running.md counts them. */
const CONNECTIONS = 10

/** int8 as a number as in SQLite: our counters stay far below 2^53. */
pg.types.setTypeParser(20, Number)

interface Answered {
  command: 'UPDATE' | 'DELETE' | 'INSERT' | 'SELECT' | 'MERGE'
  rowCount: number
  rows: never[]
}
interface Connection {
  query(sql: string, parameters: readonly unknown[]): Promise<Answered>
  release(error?: boolean): void
}

/** What Kysely takes for a pool. */
class WatchedPool {
  readonly options: Record<string, unknown> = {}
  readonly #url: string
  readonly #onLost: (error: Error) => void
  readonly #patience_ms: number
  #pool: pg.Pool
  #hurried = false
  #away = false
  #ended = false

  readonly #condition: Condition

  constructor(url: string, onLost: (error: Error) => void, condition: Condition, patience_ms = PATIENCE_MS) {
    this.#url = url
    this.#condition = condition
    this.#onLost = onLost
    this.#patience_ms = patience_ms
    this.#pool = this.#make()
  }

  /** From now on every statement has to answer in time. Before, migrations may take as long as they need. */
  async hurry(): Promise<void> {
    this.#hurried = true
    const patient = this.#pool
    this.#pool = this.#make()
    await patient.end()
  }

  /** A connection; DatabaseAway when the database is known to be, or gives none in time. */
  async connect(): Promise<Connection> {
    if (this.#away) throw new DatabaseAway('not back yet')
    const client = await this.#pool.connect()
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    return {
      query: (sql, parameters) => this.#ask(client, stream, sql, parameters),
      release: (error) => client.release(error || stream.destroyed),
    }
  }

  async end(): Promise<void> {
    this.#ended = true
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS)
    })
    // A dead network does not confirm a goodbye.
    await Promise.race([this.#pool.end(), late])
    clearTimeout(timer)
  }

  async #ask(
    client: pg.PoolClient,
    stream: Socket,
    sql: string,
    parameters: readonly unknown[],
  ): Promise<Answered> {
    if (stream.destroyed) {
      // What was open on it ended with it; the failure that led here is the one to be told.
      if (sql === 'rollback') return { command: 'SELECT', rowCount: 0, rows: [] }
      throw new DatabaseAway('connection closed')
    }
    if (sql === 'begin') this.#condition.gate()
    let timer: NodeJS.Timeout | undefined
    let read = stream.bytesRead
    const look = (last: boolean) => {
      if (stream.bytesRead !== read) {
        read = stream.bytesRead
        timer = setTimeout(look, this.#patience_ms, false)
      } else if (!last) timer = setTimeout(look, READ_FIRST_MS, true)
      else this.#giveUp(stream)
    }
    if (this.#hurried) timer = setTimeout(look, this.#patience_ms, false)
    try {
      const name = nameOf(sql)
      const given = { text: sql, values: parameters as unknown[], ...(name !== undefined && { name }) }
      const answer = (await client.query(given)) as unknown as Answered
      if (sql === 'commit') this.#condition.worked()
      return answer
    } catch (error) {
      this.#condition.failed(error)
      if (stream.destroyed || /connection terminated|not queryable/i.test(String(error)))
        throw new DatabaseAway('connection lost', error)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Silent connections are like those beside them: all are given up, and a new set is made when the database answers. */
  #giveUp(stream: Socket): void {
    stream.destroy(new DatabaseAway(`no answer within ${this.#patience_ms} ms`))
    if (this.#away || this.#ended) return
    this.#away = true
    const old = this.#pool
    this.#pool = this.#make()
    old.end().catch(this.#onLost)
    this.#onLost(new DatabaseAway(`no answer within ${this.#patience_ms} ms`))
    void this.#untilBack()
  }

  async #untilBack(): Promise<void> {
    while (this.#away && !this.#ended) {
      const probe = new pg.Client({
        connectionString: this.#url,
        connectionTimeoutMillis: 1_000,
        query_timeout: 1_000,
        application_name: 'lingbo-probe',
      })
      // Its failures are what it is for.
      probe.on('error', () => undefined)
      try {
        await probe.connect()
        await probe.query('select 1')
        this.#away = false
      } catch {
        await new Promise((next) => setTimeout(next, PROBE_EVERY_MS))
      }
      probe.end().catch(() => undefined)
    }
  }

  #make(): pg.Pool {
    const limits = [
      // A twin of a keyed call waits on its row for at most this long; shorter than our patience, so that the reason is known.
      `set lock_timeout = ${Math.round(this.#patience_ms * 0.9)}`,
      // What nobody waits for any more must not keep its locks.
      `set statement_timeout = ${Math.max(15_000, this.#patience_ms)}`,
      'set idle_in_transaction_session_timeout = 60000',
    ].join('; ')
    const hurried = this.#hurried
    const pool = new pg.Pool({
      connectionString: this.#url,
      max: CONNECTIONS,
      connectionTimeoutMillis: hurried ? this.#patience_ms : Math.max(5_000, this.#patience_ms),
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      application_name: 'lingbo',
    })
    // Without a listener a lost idle connection would end the process.
    pool.on('error', this.#onLost)
    // The same for one that is lost between two statements of a transaction: the next statement tells its caller.
    pool.on('connect', (client) => {
      client.on('error', () => undefined)
      // Said as a statement, which also goes through pgbouncer; the next one on this connection tells of a failure.
      if (hurried) client.query(limits).catch(() => undefined)
    })
    return pool
  }
}
