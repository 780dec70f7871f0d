// Whether the SQLite file at its path is still the one that is open: a file that was deleted or replaced takes every commit and
// keeps none of them.
import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { LogWatch } from './log-watch.ts'

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
export type FileMoved = 'gone' | 'another' | 'overwritten'

export class FileWatch {
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
