// Whole records as files are rationed: one per account and two in all; the next waits a little, or is told when to come back.
import type { FileAnswer } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { type Background, pieceTime } from '../background.ts'

export interface RationBounds {
  readonly at_once: number
  /** What a piece may take. More than other pieces: there are two files at most, and everybody else has a turn between two pieces. */
  readonly piece_ms: number
  readonly waiting_most: number
  /** How long one waits for its turn. */
  readonly wait_ms: number
  /** A reader that takes nothing for so long lets others go first; it goes on when it reads again. */
  readonly rest_ms: number
  /** A reader that takes nothing for so long gets no more. */
  readonly stalled_ms: number
}

const BOUNDS: RationBounds = {
  at_once: 2,
  piece_ms: 8,
  waiting_most: 20,
  wait_ms: 10_000,
  rest_ms: 1_000,
  stalled_ms: 30_000,
}
const RETRY_AFTER_S = 10

declare module '../context.ts' {
  interface App {
    /** Whole records as files. */
    readonly exports: Rations
  }
}

export class Rations {
  readonly #background: Background
  readonly #bounds: RationBounds
  readonly #accounts = new Set<string>()
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(background: Background, bounds = BOUNDS) {
    this.#background = background
    this.#bounds = bounds
    this.#free = bounds.at_once
  }

  /** The file, read piece by piece as the account's turns come; ApiError 4290 when there is no place for it. */
  async file(account: string, open: () => Promise<FileAnswer> | FileAnswer): Promise<FileAnswer> {
    if (this.#accounts.has(account))
      throw new ApiError(4290, {
        retry_after_s: RETRY_AFTER_S,
        text: '一次只能匯出一個檔案，請等前一個下載完再試',
      })
    this.#accounts.add(account)
    try {
      await this.#take(this.#bounds.wait_ms)
    } catch (error) {
      this.#accounts.delete(account)
      throw error
    }
    const reading = new Reading(
      () => this.#give(),
      () => this.#take(null),
      () => this.#accounts.delete(account),
      this.#bounds,
    )
    try {
      const file = await open()
      const source = file.chunks[Symbol.asyncIterator]()
      const piece = () => pieceOf(source, this.#bounds.piece_ms)
      return {
        ...file,
        chunks: reading.of({
          next: () => this.#background.piece(account, piece, 'file'),
          return: async () => (await source.return?.()) ?? { done: true, value: undefined },
        }),
      }
    } catch (error) {
      reading.end()
      throw error
    }
  }

  /** Takes a place, or waits for one: at most `wait_ms`, null = until there is one. */
  #take(wait_ms: number | null): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1
      return Promise.resolve()
    }
    const busy = () =>
      new ApiError(4290, {
        retry_after_s: RETRY_AFTER_S,
        text: `正在匯出的人太多，請 ${RETRY_AFTER_S} 秒後再試`,
      })
    if (wait_ms !== null && this.#waiting.length >= this.#bounds.waiting_most) return Promise.reject(busy())
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const go = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#waiting.push(go)
      if (wait_ms === null) return
      timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1)
        reject(busy())
      }, wait_ms)
    })
  }

  /** Hands the place on, so that nobody slips in between. */
  #give(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }
}

/** As many parts as there is time for: counted by parts, a file among many who wait would take as many rounds as it has parts. */
async function pieceOf(source: AsyncIterator<string>, ms: number): Promise<IteratorResult<string>> {
  const over = pieceTime(ms)
  let text = ''
  for (;;) {
    const step = await source.next()
    // Asked once more, what is over says so again.
    if (step.done) return text === '' ? step : { done: false, value: text }
    text += step.value
    if (over()) return { done: false, value: text }
  }
}

/** One file's place while it is read. Whoever does not read holds nobody up: the place is given to others meanwhile. */
class Reading {
  readonly #give: () => void
  readonly #take: () => Promise<void>
  readonly #leave: () => void
  readonly #bounds: RationBounds
  #holds = true
  #over = false
  #timers: NodeJS.Timeout[] = []

  constructor(give: () => void, take: () => Promise<void>, leave: () => void, bounds: RationBounds) {
    this.#give = give
    this.#take = take
    this.#leave = leave
    this.#bounds = bounds
    // An answer may be asked for and never read (HEAD, a connection that is gone).
    this.#watch()
  }

  of(source: { next(): Promise<IteratorResult<string>>; return(): Promise<unknown> }): AsyncIterable<string> {
    const iterator: AsyncIterator<string> = {
      next: async () => {
        this.#unwatch()
        if (this.#over) throw new Error('the reader of a file took nothing for too long')
        if (!this.#holds) {
          await this.#take()
          this.#holds = true
        }
        try {
          const result = await source.next()
          if (result.done) this.end()
          else if (!this.#over) this.#watch()
          return result
        } catch (error) {
          this.end()
          throw error
        }
      },
      return: async () => {
        this.end()
        await source.return()
        return { done: true, value: undefined }
      },
    }
    return { [Symbol.asyncIterator]: () => iterator }
  }

  end(): void {
    this.#unwatch()
    if (this.#over) return
    this.#over = true
    this.#rest()
    this.#leave()
  }

  #rest(): void {
    if (this.#holds) this.#give()
    this.#holds = false
  }

  #watch(): void {
    const { rest_ms, stalled_ms } = this.#bounds
    this.#timers = [setTimeout(() => this.#rest(), rest_ms), setTimeout(() => this.end(), stalled_ms)]
    for (const timer of this.#timers) timer.unref()
  }

  #unwatch(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers = []
  }
}
