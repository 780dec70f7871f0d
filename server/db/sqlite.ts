// One SQLite file, one process, one connection: durable (WAL, FULL), locked, with its statements kept prepared.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import type { Condition } from './condition.ts'
import { Footing } from './footing.ts'
import { codeOf } from './storage.ts'

/** Distinct statements kept; ours are some hundreds, lists of ids make more. */
const STATEMENTS_KEPT = 500
/** A log of usual work is half as long. */
export const LOG_MOST = 64 * 1024 * 1024
/** Checked page by page before the start, in a quarter of a second; what is larger is checked beside the work (server/check.ts). */
export const CHECKED_MOST = 128 * 1024 * 1024

/** Opens `data_dir`/lingbo.db. Throws in Chinese when another process holds it. */
export function openSqlite(data_dir: string, condition: Condition): SqliteDatabase {
  const lock = takeLock(data_dir)
  try {
    const db = openFile(data_dir)
    db.pragma('journal_mode = WAL')
    // A reopened WAL file comes up with NORMAL, which loses acknowledged rows in a power cut: set it every time and look.
    db.pragma('synchronous = FULL')
    // Every commit touches pages all over the indexes: kept in memory, and moved out of the log in larger portions.
    db.pragma('cache_size = -65536')
    db.pragma('wal_autocheckpoint = 8000')
    // One large piece of work grew the log: when it begins anew it is cut back to this, at the cost of one truncate.
    db.pragma(`journal_size_limit = ${LOG_MOST}`)
    db.pragma('busy_timeout = 5000')
    db.pragma('foreign_keys = ON')
    const durable =
      db.pragma('synchronous', { simple: true }) === 2 &&
      db.pragma('journal_mode', { simple: true }) === 'wal'
    if (!durable)
      throw new Error(`${data_dir} 所在的磁碟不支援安全寫入（WAL 與 synchronous=FULL），請換一個資料夾`)
    const footing = new Footing(db, join(data_dir, 'lingbo.db'), condition)
    condition.looksBy(() => footing.look())
    return kept(db, lock, footing, condition)
  } catch (error) {
    lock.close()
    throw error
  }
}

/**
 * The database of the folder, whole. Where the server has worked before, a file that is gone, empty or damaged stops the
 * start: an empty database in its place would look like everything was lost, and would take new signals on top of it.
 */
function openFile(data_dir: string): Sqlite.Database {
  const path = join(data_dir, 'lingbo.db')
  // The keys are made after the first migration: where they are, there was a database.
  const known = existsSync(join(data_dir, 'keys', 'data.key'))
  if (known && !(statSync(path, { throwIfNoEntry: false })?.size ?? 0)) throw new Error(goneText(path))
  const db = new Sqlite(path)
  try {
    const tables = db.prepare("select count(*) from sqlite_master where type = 'table'").pluck().get()
    if (known && tables === 0) throw new Error(goneText(path))
    if (statSync(path).size <= CHECKED_MOST && db.pragma('quick_check(1)', { simple: true }) !== 'ok')
      throw new Error(damagedText(path))
    return db
  } catch (error) {
    db.close()
    if (error instanceof Sqlite.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code))
      throw new Error(damagedText(path), { cause: error })
    throw error
  }
}

const goneText = (path: string) =>
  `資料庫檔 ${path} 不見了或是空的，但這個資料夾用過。請從備份還原（npm run restore -- 備份檔 --force）；若真的要從頭開始，請用 DATA_DIR 指定新的資料夾`
const damagedText = (path: string) =>
  `資料庫檔 ${path} 已損壞，伺服器不啟動，也沒有改動它。請先複製整個資料夾，再從備份還原`

/** An exclusive lock that ends with the process, whatever ends it: the operating system's own, taken through SQLite. */
export function takeLock(data_dir: string): Sqlite.Database {
  const lock = new Sqlite(join(data_dir, 'lingbo.lock'), { timeout: 1_000 })
  try {
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    // Anything but a lock that is held has another reason, which is to be told.
    if (!/^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))) throw error
    throw new Error(`資料夾 ${data_dir} 正由另一個凌波伺服器使用。請先停止它，或用 DATA_DIR 指定別的資料夾`, {
      cause: error,
    })
  }
}

const BEGIN = 'begin immediate'

/** A text that begins so is run once for each of its parameters, which are rows of parameters (server/db/bulk.ts). */
export const EACH = '/* each */ '

/** Statements that run row by row inside one call. */
function forEachRow(statement: SqliteStatement): SqliteStatement {
  return {
    reader: statement.reader,
    all: (rows) => (rows as unknown[][]).flatMap((row) => statement.all(row)),
    run(rows) {
      let changes = 0
      for (const row of rows as unknown[][]) changes += Number(statement.run(row).changes)
      return { changes, lastInsertRowid: 0 }
    },
    iterate: (rows) => (rows as unknown[][]).flatMap((row) => statement.all(row))[Symbol.iterator](),
  }
}

const NOTHING: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [][Symbol.iterator](),
}

/** Hands every failure on to who keeps the storage's condition, and every write outside of transactions to the footing. */
function watched(
  prepared: Sqlite.Statement,
  db: Sqlite.Database,
  footing: Footing,
  condition: Condition,
): SqliteStatement {
  const { reader, readonly } = prepared
  // A transaction's beginning looks for itself (`guarded`).
  const alone = () => !readonly && !db.inTransaction && prepared.source !== BEGIN
  const noting =
    <A extends unknown[], R>(work: (...given: A) => R) =>
    (...given: A): R => {
      const by_itself = alone()
      if (by_itself) footing.writing()
      try {
        const result = work(...given)
        if (by_itself) footing.written()
        return result
      } catch (error) {
        condition.failed(error)
        throw error
      }
    }
  const plain = prepared as unknown as SqliteStatement
  return {
    reader,
    all: noting((rows) => plain.all(rows)),
    run: noting((rows) => plain.run(rows)),
    iterate: (rows) => plain.iterate(rows),
  }
}

/** Begins only on firm ground, and a commit counts only when the file it went into still lies in its place. */
function guarded(text: string, statement: SqliteStatement, footing: Footing): SqliteStatement {
  const run = (rows: ReadonlyArray<unknown>) => {
    if (text === BEGIN) footing.before()
    const result = statement.run(rows)
    if (text === 'commit') footing.after()
    if (text === 'rollback') footing.undone()
    return result
  }
  return { ...statement, run }
}

function kept(
  db: Sqlite.Database,
  lock: Sqlite.Database,
  footing: Footing,
  condition: Condition,
): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    prepare(sql) {
      // A full disk ends the transaction by itself: rolling back once more would hide the reason.
      if (sql === 'rollback' && !db.inTransaction) {
        footing.undone()
        return NOTHING
      }
      // Deferred transactions would fail in the middle when they turn into writers: ours take the lock at the start.
      const text = sql === 'begin' ? BEGIN : sql
      const known = statements.get(text)
      if (known) return known
      const prepared = watched(db.prepare(text), db, footing, condition)
      const statement = text.startsWith(EACH)
        ? forEachRow(prepared)
        : /^(begin|commit|rollback)$/.test(sql)
          ? guarded(text, prepared, footing)
          : prepared
      if (statements.size >= STATEMENTS_KEPT) statements.delete(statements.keys().next().value as string)
      statements.set(text, statement)
      return statement
    },
    close() {
      statements.clear()
      // Closing moves the log into the file, which must not happen to somebody else's: the end of the process closes it.
      if (!footing.lost) db.close()
      footing.close()
      lock.close()
    },
  }
}
