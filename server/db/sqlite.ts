// One SQLite file, one process, one connection: durable (WAL, FULL), locked, with its statements kept prepared.
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { SqliteDatabase, SqliteStatement } from 'kysely'

/** Distinct statements kept; ours are some hundreds, lists of ids make more. */
const STATEMENTS_KEPT = 500

/** Opens `data_dir`/lingbo.db. Throws in Chinese when another process holds it. */
export function openSqlite(data_dir: string): SqliteDatabase {
  const lock = takeLock(data_dir)
  try {
    const db = new Sqlite(join(data_dir, 'lingbo.db'))
    db.pragma('journal_mode = WAL')
    // A reopened WAL file comes up with NORMAL, which loses acknowledged rows in a power cut: set it every time and look.
    db.pragma('synchronous = FULL')
    db.pragma('busy_timeout = 5000')
    db.pragma('foreign_keys = ON')
    const durable =
      db.pragma('synchronous', { simple: true }) === 2 &&
      db.pragma('journal_mode', { simple: true }) === 'wal'
    if (!durable)
      throw new Error(`${data_dir} 所在的磁碟不支援安全寫入（WAL 與 synchronous=FULL），請換一個資料夾`)
    return kept(db, lock)
  } catch (error) {
    lock.close()
    throw error
  }
}

/** An exclusive lock that ends with the process, whatever ends it: the operating system's own, taken through SQLite. */
function takeLock(data_dir: string): Sqlite.Database {
  const lock = new Sqlite(join(data_dir, 'lingbo.lock'), { timeout: 1_000 })
  try {
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    throw new Error(`資料夾 ${data_dir} 正由另一個凌波伺服器使用。請先停止它，或用 DATA_DIR 指定別的資料夾`, {
      cause: error,
    })
  }
}

function kept(db: Sqlite.Database, lock: Sqlite.Database): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    prepare(sql) {
      // Deferred transactions would fail in the middle when they turn into writers: ours take the lock at the start.
      const text = sql === 'begin' ? 'begin immediate' : sql
      const known = statements.get(text)
      if (known) return known
      const statement = db.prepare(text) as unknown as SqliteStatement
      if (statements.size >= STATEMENTS_KEPT) statements.delete(statements.keys().next().value as string)
      statements.set(text, statement)
      return statement
    },
    close() {
      statements.clear()
      db.close()
      lock.close()
    },
  }
}
