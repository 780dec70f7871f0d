// Who is next: those who wait take turns, account after account, and what can wait gives way to the intake.
import { performance } from 'node:perf_hooks'
import { FairQueue } from '../turns.ts'

declare module '../context.ts' {
  interface App {
    /** Long work, in pieces that let others in between. */
    readonly background: Background
  }
}

/** Most calls take less than a millisecond. */
const CALLS_A_TURN = 3

/**
 * Calls begin a few per turn of the event loop, the callers one after the other: what else waits on the loop, webhooks first of
 * all, waits for a few of them and not for all that a crowd sends at once.
 */
export class CallQueue {
  readonly #waiting = new FairQueue<() => void>()
  #left = CALLS_A_TURN
  #planned = false

  /** Resolves when the caller may begin: at once unless others began in this very turn. */
  enter(caller: string): Promise<void> {
    this.#plan()
    // Nobody waits while there is room.
    if (this.#left > 0) {
      this.#left -= 1
      return Promise.resolve()
    }
    return new Promise((go) => this.#waiting.push(go, caller))
  }

  #plan(): void {
    if (this.#planned) return
    this.#planned = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#planned = false
    for (this.#left = CALLS_A_TURN; this.#left > 0 && this.#waiting.length > 0; this.#left--)
      this.#waiting.shift()?.()
    if (this.#left < CALLS_A_TURN) this.#plan()
  }
}

/** What a piece of computing may take before the loop turns. */
const PIECE_MS = 4
/** Of what nobody waits for: beside it the intake is to be as quick as alone. */
const UNHURRIED_MS = 2
const UNHURRIED: ReadonlySet<PieceKind> = new Set(['import', 'fold'])

/** Whether a piece that begins now has had its time; asked between parts too small to be worth a turn each. */
export function pieceTime(ms = PIECE_MS): () => boolean {
  const until = performance.now() + ms
  return () => performance.now() >= until
}

/** While signals are being stored a piece waits, so many milliseconds at most: on a loop that turns slowly that is one turn. */
const PATIENCE_MS = 2

interface BackgroundOptions {
  /** Pieces that run at the same time: several where the database answers from elsewhere, else one. */
  readonly at_once: number
  /** Whether signals are being stored at this moment. */
  readonly busy: () => boolean
}

/** What a piece belongs to: the kinds of one account take turns, so that one that never ends does not hold up the others. */
export type PieceKind = 'look' | 'file' | 'stream' | 'trades' | 'fold' | 'erase' | 'import' | 'room'

/** Long work in pieces: a few at a time, a turn of the event loop between them, the intake first, and the accounts one after the other. */
export class Background {
  readonly #options: BackgroundOptions
  readonly #waiting = new FairQueue<() => Promise<void>>()
  #running = 0
  #planned = false

  constructor(options: BackgroundOptions) {
    this.#options = options
  }

  /** Runs a piece of an account's work when its turn comes. It should take milliseconds. */
  piece<T>(account: string, work: () => T | Promise<T>, kind: PieceKind = 'look'): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const job = async () => {
        try {
          resolve(await work())
        } catch (error) {
          reject(error)
        }
      }
      this.#waiting.push(job, account, kind)
      this.#plan()
    })
  }

  /** Runs a computation that pauses wherever it can be taken up again, to its end. */
  async run<T>(account: string, steps: Generator<unknown, T>, kind: PieceKind = 'look'): Promise<T> {
    for (;;) {
      const step = await this.piece(
        account,
        () => stepsOf(steps, UNHURRIED.has(kind) ? UNHURRIED_MS : PIECE_MS),
        kind,
      )
      if (step.done) return step.value
    }
  }

  #plan(): void {
    if (this.#planned || this.#waiting.length === 0 || this.#running >= this.#options.at_once) return
    this.#planned = true
    // What the sockets hold is read before the next piece.
    setImmediate(() => this.#next(performance.now() + PATIENCE_MS))
  }

  #next(until: number): void {
    if (this.#options.busy() && performance.now() < until) {
      setTimeout(() => this.#next(until), 1)
      return
    }
    this.#planned = false
    const job = this.#waiting.shift()
    if (!job) return
    this.#running += 1
    void job().then(() => {
      this.#running -= 1
      this.#plan()
    })
    this.#plan()
  }
}

function stepsOf<T>(steps: Generator<unknown, T>, ms: number): IteratorResult<unknown, T> {
  const over = pieceTime(ms)
  for (;;) {
    const step = steps.next()
    if (step.done || over()) return step
  }
}
