// One SQLite file, one process, one connection: durable (WAL, FULL), locked, with its statements kept prepared.

import { closeSync, existsSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { type Condition, codeOf } from './condition.ts'

// Whether the SQLite file at its path is still the one that is open: a file that was deleted or replaced takes every commit and
// keeps none of them.

// Whether SQLite's log still holds what we committed into it. A copy put back over it in place keeps its number, and SQLite, which
// goes by the index beside the log, does not notice: every later commit would be lost with the next start.

/** The first copy of the index's head, in the machine's own order of bytes (sqlite.org/walformat.html). */
const INDEX_HEAD = 48
const LOG_HEAD = 32
const FRAME_HEAD = 24

interface Index {
  /** Made anew whenever the log begins again; the first half counts up by one. */
  readonly salts: Buffer
  /** Number of the last committed frame, 0 = the log holds nothing. */
  readonly frames: number
  /** Where the head of that frame stands. */
  readonly at: number
}

class LogWatch {
  readonly #path: string
  /** Kept open: closing the index would drop every lock that SQLite holds on it in this process (POSIX). */
  #fds: { log: number; index: number } | null = null
  #known: (Index & { head: Buffer }) | null = null

  /** The path of the database file. */
  constructor(path: string) {
    this.#path = path
  }

  /** After a write of our own. */
  remember(): void {
    const index = this.#index()
    this.#known = index && { ...index, head: this.#frame(index.at) }
  }

  /** Whether what we committed still stands in the log. A write of our own adds to it, or begins the log anew. */
  isOurs(between_writes: boolean): boolean {
    const known = this.#known
    // What is in the file already cannot be lost by the log.
    if (!known || known.frames === 0) return true
    const index = this.#index()
    if (!index) return false
    if (!index.salts.equals(known.salts)) {
      const begun = (known.salts.readUInt32BE(0) + 1) >>> 0 === index.salts.readUInt32BE(0)
      return !between_writes && begun && this.#carries(index)
    }
    return index.frames >= known.frames && this.#frame(known.at).equals(known.head) && this.#carries(index)
  }

  /** After SQLite has closed the file; closing twice is allowed. */
  close(): void {
    for (const fd of Object.values(this.#fds ?? {})) closeSync(fd)
    this.#fds = null
    this.#known = null
  }

  #carries({ frames, salts, at }: Index): boolean {
    return frames === 0 || this.#frame(at).subarray(8, 16).equals(salts)
  }

  #index(): Index | null {
    this.#fds ??= this.#open()
    if (!this.#fds) return null
    const head = Buffer.alloc(INDEX_HEAD)
    if (readSync(this.#fds.index, head, 0, INDEX_HEAD, 0) < INDEX_HEAD || head[12] === 0) return null
    const page = head.readUInt16LE(14)
    const frames = head.readUInt32LE(16)
    const size = (page === 1 ? 65_536 : page) + FRAME_HEAD
    return { salts: head.subarray(32, 40), frames, at: LOG_HEAD + Math.max(0, frames - 1) * size }
  }

  #open(): { log: number; index: number } | null {
    // SQLite makes both with the first look into a new file.
    for (const name of ['wal', 'shm'])
      if (!statSync(`${this.#path}-${name}`, { throwIfNoEntry: false })) return null
    return { log: openSync(`${this.#path}-wal`, 'r'), index: openSync(`${this.#path}-shm`, 'r') }
  }

  #frame(at: number): Buffer {
    const head = Buffer.alloc(FRAME_HEAD)
    if (this.#fds) readSync(this.#fds.log, head, 0, FRAME_HEAD, at)
    return head
  }
}

/** SQLite's header: size, change counter and schema of the file stand in it. */
const HEADER = 100
/** Where its change counter and its count of pages stand, four bytes each. Neither is ever less after a write of our own. */
const GROWS = [24, 28]

interface Seen {
  readonly dev: number
  readonly ino: number
  readonly mtimeMs: number
  readonly size: number
}

/** What is wrong with a file. */
type FileMoved = 'gone' | 'another' | 'overwritten'

class FileWatch {
  readonly #path: string
  #file: Seen
  #log: Seen | null
  readonly #frames: LogWatch
  /** Kept open: closing it would drop every lock that SQLite holds on the file in this process (POSIX). */
  readonly #fd: number
  #header: Buffer
  #closed = false

  /** Call when the file is open. */
  constructor(path: string) {
    this.#path = path
    this.#file = statSync(path)
    this.#log = statSync(`${path}-wal`, { throwIfNoEntry: false }) ?? null
    this.#fd = openSync(path, 'r')
    this.#header = this.#readHeader()
    this.#frames = new LogWatch(path)
    this.#frames.remember()
  }

  /** After a write of our own: it may have moved the log into the file. */
  remember(): void {
    this.#frames.remember()
    const now = statSync(this.#path, { throwIfNoEntry: false })
    if (!now || !isSame(now, this.#file) || isUntouched(now, this.#file)) return
    this.#file = now
    this.#header = this.#readHeader()
  }

  /**
   * What happened to the file, null when it is ours. Between two writes nobody else changes it. A write of our own may move the log
   * into it, by which it never gets older.
   */
  file(between_writes: boolean): FileMoved | null {
    const now = statSync(this.#path, { throwIfNoEntry: false })
    if (!now) return 'gone'
    if (!isSame(now, this.#file)) return 'another'
    if (isUntouched(now, this.#file)) return null
    const header = this.#readHeader()
    if (!between_writes) return isOlder(header, this.#header) ? 'overwritten' : null
    // A new time alone is harmless; another head means that somebody copied another file over it.
    if (!header.equals(this.#header)) return 'overwritten'
    this.#file = now
    return null
  }

  /** The same for the log beside it. */
  log(between_writes: boolean): FileMoved | null {
    const now = statSync(`${this.#path}-wal`, { throwIfNoEntry: false })
    // SQLite makes it with the first look into a new file.
    if (!now) return this.#log ? 'gone' : null
    this.#log ??= now
    if (!isSame(now, this.#log)) return 'another'
    return this.#frames.isOurs(between_writes) ? null : 'overwritten'
  }

  /** After SQLite has closed the file; closing twice is allowed. */
  close(): void {
    if (!this.#closed) closeSync(this.#fd)
    this.#frames.close()
    this.#closed = true
  }

  #readHeader(): Buffer {
    const header = Buffer.alloc(HEADER)
    readSync(this.#fd, header, 0, HEADER, 0)
    return header
  }
}

function isSame(now: Stats, then: Seen): boolean {
  return now.ino === then.ino && now.dev === then.dev
}

function isUntouched(now: Stats, then: Seen): boolean {
  return now.mtimeMs === then.mtimeMs && now.size === then.size
}

function isOlder(header: Buffer, known: Buffer): boolean {
  return GROWS.some((at) => header.readUInt32BE(at) < known.readUInt32BE(at))
}

// Where SQLite stands: the file and its log are looked at before and after every commit, for a few microseconds each.

const WHAT: Record<FileMoved, string> = {
  gone: '不見了（被刪除或移走）',
  another: '被換成另一個檔案',
  overwritten: '被別的程式蓋寫',
}
const OVER = '蓋上去的那份沒有的與之後收到的，都沒有存下。請停止伺服器，把整個資料夾複製一份，再從備份還原'
const THEN = '之後收到的都沒有存下。請停止伺服器，把整個資料夾複製一份，再從備份還原'

class Footing {
  readonly #db: Sqlite.Database
  readonly #path: string
  readonly #condition: Condition
  readonly #watch: FileWatch
  /** The log went, and what stood in it was brought into the file. */
  #rescued = false
  #moved = false
  /** What was found when somebody else's content lay where ours was: for good. */
  #overwritten: string | null = null

  constructor(db: Sqlite.Database, path: string, condition: Condition) {
    this.#db = db
    this.#path = path
    this.#condition = condition
    this.#watch = new FileWatch(path)
  }

  /** Somebody else's file lies where ours was. */
  get lost(): boolean {
    return this.#overwritten !== null
  }

  /** Before a transaction begins; throws when nothing it commits would be kept. */
  before(): void {
    this.#look(true)
    this.#condition.gate()
  }

  /** After a commit, before anybody hears of it; throws when it went into a file that is gone. */
  after(): void {
    this.#look(false)
    this.#watch.remember()
    this.#condition.worked()
  }

  /** After a transaction that was given up: some of it may stand in the log, which may have begun anew for it. */
  undone(): void {
    try {
      this.#look(false)
    } catch {
      // The condition has it, and the log.
    }
    this.#watch.remember()
  }

  /** Before a write outside of a transaction; throws when it would go into a file that is gone, or take another one for ours. */
  writing(): void {
    this.#look(true)
  }

  /** After a write outside of a transaction. */
  written(): void {
    this.#watch.remember()
  }

  /** Looks without writing; what is found stands in the condition. */
  look(): void {
    if (this.#db.inTransaction) return
    try {
      this.#look(true)
    } catch {
      // The condition has it, and the log.
    }
  }

  close(): void {
    this.#watch.close()
  }

  #look(between_writes: boolean): void {
    if (this.#overwritten !== null) throw this.#condition.moved(this.#overwritten)
    const file = this.#watch.file(between_writes)
    if (file) throw this.#stop(file, `資料庫檔 ${this.#path}`)
    const log = this.#watch.log(between_writes)
    if (log === 'overwritten') throw this.#stop(log, `資料庫的記錄檔 ${this.#path}-wal`)
    if (log) {
      this.#moved = true
      throw this.#condition.moved(`資料庫的記錄檔 ${this.#path}-wal ${WHAT[log]}；${this.#rescue()}`)
    }
    if (!this.#moved) return
    this.#moved = false
    this.#condition.stands()
  }

  #stop(found: FileMoved, name: string): Error {
    this.#moved = true
    const text = `${name} ${WHAT[found]}；${found === 'overwritten' ? OVER : THEN}`
    if (found === 'overwritten') this.#overwritten = text
    return this.#condition.moved(text)
  }

  /** What was committed stands in the log alone, which only we still have open: into the file with it, once. */
  #rescue(): string {
    try {
      if (!this.#rescued && !this.#db.inTransaction) {
        const [row] = this.#db.pragma('wal_checkpoint(FULL)') as { busy: number }[]
        this.#rescued = row?.busy === 0
        this.#watch.remember()
      }
    } catch (error) {
      this.#condition.failed(error)
    }
    return this.#rescued ? '先前收下的已搶救回資料庫檔。請重新啟動伺服器，在那之前不再收任何資料' : THEN
  }
}

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
