// Opens the database of the configuration: a SQLite file of our own, or PostgreSQL.
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, PostgresDialect, type PostgresPool, SqliteAdapter, SqliteDialect, sql } from 'kysely'
import type { Config } from '../config.ts'
import { Condition } from './condition.ts'
import { WatchedPool } from './pool.ts'
import type { Schema } from './schema.ts'
import { openSqlite } from './sqlite.ts'

export interface Database {
  readonly db: Kysely<Schema>
  readonly engine: 'sqlite' | 'postgres'
  readonly condition: Condition
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
  config: Pick<Config, 'data_dir' | 'database_url'> & Partial<Pick<Config, 'database_patience_ms'>>,
  onLost: (error: Error) => void = () => undefined,
): Promise<Database> {
  makeFolder(config.data_dir)
  const condition = new Condition()
  if (config.database_url === null) {
    const sqlite = openSqlite(config.data_dir, condition)
    const db = new Kysely<Schema>({ dialect: new OwnSqliteDialect({ database: sqlite }) })
    return {
      db,
      engine: 'sqlite',
      condition,
      hurry: () => Promise.resolve(),
      close: async () => {
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
    throw new Error('連不上 DATABASE_URL 的 PostgreSQL，請檢查位址、帳號與密碼', { cause: error })
  }
  return { db, engine: 'postgres', condition, hurry: () => pool.hurry(), close: () => db.destroy() }
}

/** The folder, writable. SQLite only says that it cannot open something, and making a folder that nothing is there: the system knows why. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    let above = dirname(path)
    while (!existsSync(above) && above !== dirname(above)) above = dirname(above)
    accessSync(above, constants.W_OK)
    throw error
  }
  accessSync(path, constants.R_OK | constants.W_OK)
}
