// Opens the database of the configuration: a SQLite file of our own, or PostgreSQL.
import { Kysely, PostgresDialect, type PostgresPool, SqliteAdapter, SqliteDialect, sql } from 'kysely'
import type { Config } from '../config.ts'
import { makeFolder } from '../make-folder.ts'
import { Condition } from './condition.ts'
import { WatchedPool } from './pool.ts'
import type { Schema } from './schema.ts'
import { openSqlite } from './sqlite.ts'
import { codeOf } from './storage.ts'

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
    throw new Error(`連不上 DATABASE_URL 的 PostgreSQL：${whyNot(error)}`, { cause: error })
  }
  return { db, engine: 'postgres', condition, hurry: () => pool.hurry(), close: () => db.destroy() }
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
