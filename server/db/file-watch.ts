// Whether the SQLite file at its path is still the one that is open: a file that was deleted or replaced takes every commit and
// keeps none of them.
import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs'

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

export class LogWatch {
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
