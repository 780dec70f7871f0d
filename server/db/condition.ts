// How the storage is: what /readyz says, and whether anything may still be committed to it.
import type { Logger } from 'pino'

// Which failures are the storage's: full, locked, damaged or out of reach. Whoever meets one may try again later.

/** The `code` of a database error, '' when it has none. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''
}

/** Somebody else has it already: what may be there once only. 23505 is PostgreSQL's. */
export function isTaken(error: unknown): boolean {
  return ['23505', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'].includes(codeOf(error))
}

/** Somebody else was first and has committed: run again, the same work finds what it became. */
export class Overtaken extends Error {
  readonly code = '40001'
  constructor(cause: unknown) {
    super('overtaken by another transaction', { cause })
    this.name = 'Overtaken'
  }
}

/** The database does not answer: cut off, silent for too long, or known to be away. */
export class DatabaseAway extends Error {
  readonly code = 'ECONNRESET'
  constructor(why: string, cause?: unknown) {
    super(`database away: ${why}`, { cause })
    this.name = 'DatabaseAway'
  }
}

/** What reads beside the server ended in the middle, or could not begin: the next one begins anew. */
export class ReaderGone extends Error {
  readonly code = 'ECONNRESET'
  constructor(cause: unknown) {
    super('the reading thread has ended', { cause })
    this.name = 'ReaderGone'
  }
}

/** What is open is not what lies at its place any more: a commit would be kept by nobody. */
class GroundMoved extends Error {
  readonly code = 'SQLITE_IOERR_GROUND'
  constructor(text: string) {
    super(text)
    this.name = 'GroundMoved'
  }
}

/** SQLite's codes; the network's; PostgreSQL's classes for connection, resources, lock timeout, shutdown, conflict, I/O, read only. */
const STORAGE =
  /^(SQLITE_(FULL|BUSY|LOCKED|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)|ECONN|ETIMEDOUT|EPIPE|EHOST|ENET|08|53|55P03|57|58|25006|40001|40P01)/

/** No room left on the disk: it has to be made by a person. */
export function isFull(error: unknown): boolean {
  return /^(SQLITE_FULL|ENOSPC|EDQUOT|53100)/.test(codeOf(error))
}

/** Disk full, locked, damaged, or the database is not reachable: the same work may succeed later. */
export function isStorage(error: unknown): boolean {
  return (
    STORAGE.test(codeOf(error)) ||
    (error instanceof Error &&
      /connection terminated|not queryable|timeout exceeded when trying to connect/i.test(error.message))
  )
}

/** Failures of the storage itself, on both engines; not of its being away, which shows by itself. */
const FULL = /^(SQLITE_FULL|53|ENOSPC|EDQUOT)/
const REFUSES = /^(SQLITE_(IOERR|READONLY|CANTOPEN)|58|25006)/
const DAMAGED = /^(SQLITE_(CORRUPT|NOTADB)|XX00[12])/
/** A little change still fits into a full disk: one that worked does not mean yet that there is room. */
const BELIEVED_AFTER_MS = 10_000

interface Finding {
  /** For machines. */
  readonly status: string
  /** For the operator. */
  readonly text: string
}

export class Condition {
  #log: Logger | null = null
  #look: () => void = () => undefined
  #moved: Finding | null = null
  #damaged: Finding | null = null
  #failed: (Finding & { at: number }) | null = null
  /** What the checks after the start are doing and have found (server/check). */
  readonly checks: Record<string, string> = {}

  /** Where findings are told; the storage is opened before there is a log. */
  tellTo(log: Logger): void {
    this.#log = log
  }

  /** How something stands that the server can do without: said when it changes. */
  tells(what: string, how: string): void {
    if (this.checks[what] === how) return
    this.checks[what] = how
    this.#log?.[how === 'ok' ? 'info' : 'warn']({ [what]: how }, 'storage')
  }

  /** How to look at the storage without using it. */
  looksBy(look: () => void): void {
    this.#look = look
  }

  look(): void {
    this.#look()
  }

  /** Why this storage cannot do its work now, null when it can. */
  get problem(): Finding | null {
    const found = this.#moved ?? this.#damaged ?? this.#failed
    return found && { status: found.status, text: found.text }
  }

  /** Before a transaction: throws when nothing must be committed any more. */
  gate(): void {
    const stop = this.#moved ?? this.#damaged
    if (stop) throw new GroundMoved(stop.text)
  }

  /** The ground is another one than we stood on; gives the error to throw. Told once. */
  moved(text: string): GroundMoved {
    if (this.#moved?.text !== text)
      this.#log?.fatal({ found: text }, 'database moved: nothing is taken any more')
    this.#moved = { status: 'database moved', text }
    return new GroundMoved(text)
  }

  /** It is where it was after all. */
  stands(): void {
    if (this.#moved) this.#log?.warn('database is where it was: taking again')
    this.#moved = null
  }

  /** Pages that cannot be read as what they should be: what is written now might be lost. */
  damaged(text: string): void {
    if (!this.#damaged) this.#log?.fatal({ found: text }, 'database damaged: nothing is taken any more')
    this.#damaged = { status: 'database damaged', text }
  }

  failed(error: unknown): void {
    const code = codeOf(error)
    if (FULL.test(code)) this.#fail('disk full', '磁碟已滿，什麼都存不進去；空出空間就會自己恢復')
    else if (REFUSES.test(code)) this.#fail('storage refuses', `儲存空間拒絕寫入（${code}）`)
    else if (DAMAGED.test(code))
      this.damaged('資料庫讀到損壞的內容。請停止伺服器、複製整個資料夾，再從備份還原')
  }

  worked(): void {
    if (!this.#failed || performance.now() - this.#failed.at < BELIEVED_AFTER_MS) return
    this.#log?.warn({ was: this.#failed.status }, 'storage works again')
    this.#failed = null
  }

  #fail(status: string, text: string): void {
    if (this.#failed?.status !== status) this.#log?.error({ found: text }, status)
    this.#failed = { status, text, at: performance.now() }
  }
}
