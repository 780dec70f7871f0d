// Opens the database of the configuration: a SQLite file of our own, or PostgreSQL.
import { mkdirSync } from 'node:fs'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import pg from 'pg'
import type { Config } from '../config.ts'
import type { Schema } from './schema.ts'
import { openSqlite } from './sqlite.ts'

export interface Database {
  readonly db: Kysely<Schema>
  readonly engine: 'sqlite' | 'postgres'
  close(): Promise<void>
}

/** int8 as a number as in SQLite: our counters stay far below 2^53. */
pg.types.setTypeParser(20, Number)

/** Opens and checks the connection; the error says in Chinese what to do. `onLost` hears of idle connections that broke. */
export async function openDatabase(
  config: Pick<Config, 'data_dir' | 'database_url'>,
  onLost: (error: Error) => void = () => undefined,
): Promise<Database> {
  mkdirSync(config.data_dir, { recursive: true, mode: 0o700 })
  if (config.database_url === null) {
    const sqlite = openSqlite(config.data_dir)
    const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: sqlite }) })
    return {
      db,
      engine: 'sqlite',
      close: async () => {
        await db.destroy()
        // Kysely closes only what it has used; closing twice is allowed.
        sqlite.close()
      },
    }
  }
  const pool = new pg.Pool({
    connectionString: config.database_url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    application_name: 'lingbo',
    // A twin of a keyed call waits on its row for at most this long.
    options: '-c lock_timeout=10000',
  })
  // Without a listener a lost idle connection would end the process.
  pool.on('error', onLost)
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  try {
    await pool.query('select 1')
  } catch (error) {
    await pool.end()
    throw new Error('連不上 DATABASE_URL 的 PostgreSQL，請檢查位址、帳號與密碼', { cause: error })
  }
  return { db, engine: 'postgres', close: () => db.destroy() }
}
