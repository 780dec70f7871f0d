// Long work in pieces: a few at a time, a turn of the event loop between them, the intake first, and the accounts one after the other.
import { performance } from 'node:perf_hooks'

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

export interface BackgroundOptions {
  /** Pieces that run at the same time: several where the database answers from elsewhere, else one. */
  readonly at_once: number
  /** Whether signals are being stored at this moment. */
  readonly busy: () => boolean
}

/** What a piece belongs to: the kinds of one account take turns, so that one that never ends does not hold up the others. */
export type PieceKind = 'look' | 'file' | 'stream' | 'chapter' | 'fold' | 'erase' | 'import' | 'room'

type Job = () => Promise<void>

export class Background {
  readonly #options: BackgroundOptions
  /** Whose turn is next comes first; nobody is in it without a job. */
  readonly #waiting = new Map<string, Map<PieceKind, Job[]>>()
  #running = 0
  #planned = false

  constructor(options: BackgroundOptions) {
    this.#options = options
  }

  /** Runs a piece of an account's work when its turn comes. It should take milliseconds. */
  piece<T>(account: string, work: () => T | Promise<T>, kind: PieceKind = 'look'): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const kinds = this.#waiting.get(account) ?? new Map<PieceKind, Job[]>()
      this.#waiting.set(account, kinds)
      const jobs = kinds.get(kind) ?? []
      kinds.set(kind, jobs)
      jobs.push(async () => {
        try {
          resolve(await work())
        } catch (error) {
          reject(error)
        }
      })
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
    if (this.#planned || this.#waiting.size === 0 || this.#running >= this.#options.at_once) return
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
    const job = this.#take()
    if (!job) return
    this.#running += 1
    void job().then(() => {
      this.#running -= 1
      this.#plan()
    })
    this.#plan()
  }

  /** The first of the kind whose turn it is, of the account whose turn it is; both go to the end of their row. */
  #take(): Job | undefined {
    const [account, kinds] = first(this.#waiting) ?? []
    const [kind, jobs] = (kinds && first(kinds)) ?? []
    if (account === undefined || !kinds || kind === undefined) return undefined
    const job = jobs?.shift()
    kinds.delete(kind)
    if (jobs && jobs.length > 0) kinds.set(kind, jobs)
    this.#waiting.delete(account)
    if (kinds.size > 0) this.#waiting.set(account, kinds)
    return job
  }
}

function first<K, V>(map: ReadonlyMap<K, V>): [K, V] | undefined {
  for (const entry of map) return entry
  return undefined
}

function stepsOf<T>(steps: Generator<unknown, T>, ms: number): IteratorResult<unknown, T> {
  const over = pieceTime(ms)
  for (;;) {
    const step = steps.next()
    if (step.done || over()) return step
  }
}
