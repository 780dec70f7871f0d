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

/** What is open is not what lies at its place any more: a commit would be kept by nobody. */
export class GroundMoved extends Error {
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
