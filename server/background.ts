// Long work in pieces: a few at a time, a turn of the event loop between them, the intake first, and the accounts one after the other.
import { performance } from 'node:perf_hooks'

/** What a piece of computing may take before the loop turns. */
const PIECE_MS = 4
/** While signals are being stored a piece waits, so many milliseconds at most. */
const PATIENCE = 2

export interface BackgroundOptions {
  /** Pieces that run at the same time: several where the database answers from elsewhere, else one. */
  readonly at_once: number
  /** Whether signals are being stored at this moment. */
  readonly busy: () => boolean
}

type Job = () => Promise<void>

export class Background {
  readonly #options: BackgroundOptions
  /** Whose turn is next comes first; nobody is in it without a job. */
  readonly #waiting = new Map<string, Job[]>()
  #running = 0
  #planned = false
  #waited = 0

  constructor(options: BackgroundOptions) {
    this.#options = options
  }

  /** Runs a piece of an account's work when its turn comes. It should take milliseconds. */
  piece<T>(account: string, work: () => T | Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const jobs = this.#waiting.get(account) ?? []
      this.#waiting.set(account, jobs)
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
  async run<T>(account: string, steps: Generator<unknown, T>): Promise<T> {
    for (;;) {
      const step = await this.piece(account, () => stepsFor(steps, PIECE_MS))
      if (step.done) return step.value
    }
  }

  #plan(): void {
    if (this.#planned || this.#waiting.size === 0 || this.#running >= this.#options.at_once) return
    this.#planned = true
    // What the sockets hold is read before the next piece.
    setImmediate(() => this.#next())
  }

  #next(): void {
    if (this.#options.busy() && this.#waited < PATIENCE) {
      this.#waited += 1
      setTimeout(() => this.#next(), 1)
      return
    }
    this.#planned = false
    this.#waited = 0
    const [next] = this.#waiting
    if (!next) return
    const [account, jobs] = next
    const job = jobs.shift()
    this.#waiting.delete(account)
    // To the end of the row: with however many pieces an account waits, the others are in between.
    if (jobs.length > 0) this.#waiting.set(account, jobs)
    this.#running += 1
    void job?.().then(() => {
      this.#running -= 1
      this.#plan()
    })
    this.#plan()
  }
}

function stepsFor<T>(steps: Generator<unknown, T>, ms: number): IteratorResult<unknown, T> {
  const until = performance.now() + ms
  for (;;) {
    const step = steps.next()
    if (step.done || performance.now() >= until) return step
  }
}
