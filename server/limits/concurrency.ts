// How many at a time: heavy work and files wait in line for a place, sending takes one or comes back later, and who is slowed is held
// for a moment.
import type { ChannelId } from '#contract/channels.ts'
import type { FileAnswer } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { FairQueue } from '../turns.ts'
import { type Background, pieceTime } from './fair-queue.ts'
import { type SenderNetwork, senders } from './network.ts'

/** So many places; who finds none waits in line, those who go first before the rest, and of either the keys take turns. */
class Slots {
  #free: number
  readonly #first = new FairQueue<() => void>()
  readonly #rest = new FairQueue<() => void>()

  constructor(places: number) {
    this.#free = places
  }

  get free(): boolean {
    return this.#free > 0
  }

  waiting(first = false): number {
    return (first ? this.#first : this.#rest).length
  }

  /** True with a place; false when none came in time (without `wait_ms` there is no end to waiting). */
  async take({ key = '', first = false, wait_ms }: { key?: string; first?: boolean; wait_ms?: number } = {}) {
    if (this.#free > 0) {
      this.#free -= 1
      return true
    }
    const line = first ? this.#first : this.#rest
    return new Promise<boolean>((done) => {
      let timer: NodeJS.Timeout | undefined
      const go = () => {
        clearTimeout(timer)
        done(true)
      }
      line.push(go, key)
      if (wait_ms === undefined) return
      timer = setTimeout(() => {
        line.remove(go, key)
        done(false)
      }, wait_ms)
    })
  }

  /** The place is handed on, so that nobody slips in between. */
  give(): void {
    const next = this.#first.shift() ?? this.#rest.shift()
    if (next) next()
    else this.#free += 1
  }
}

interface FewAtOnceOptions {
  /** How many run at the same time. */
  readonly at_once: number
  /** How many may wait for that; the next one is refused. */
  readonly waiting_most: number
  /** Who would wait longer than this, by what the last works took, is refused at once; those who go first are not. */
  readonly patience_ms?: number
  /** What the refused are told. */
  readonly refused: () => ApiError
  /** Milliseconds of a clock that is never set. */
  readonly clock?: () => number
}

/** So many works say how long the next will take: the middle one of them, so that a machine that slept once says nothing. */
const LAST = 9

/**
 * Heavy work: so many at a time, so many waiting, and those not for long. Runs each work when it is its turn and gives its result;
 * throws what `refused` gives when too many wait already. Works that go `first` wait for each other only.
 */
export function fewAtOnce({
  at_once,
  waiting_most,
  patience_ms = Number.POSITIVE_INFINITY,
  refused,
  clock = () => performance.now(),
}: FewAtOnceOptions) {
  const slots = new Slots(at_once)
  const took_ms: number[] = []
  /** What a work takes, of late; nothing is known before the first. */
  const takesMs = () => took_ms.toSorted((a, b) => a - b)[took_ms.length >> 1] ?? 0
  const full = (first: boolean) =>
    slots.waiting(first) >= waiting_most ||
    (!first && ((slots.waiting(true) + slots.waiting() + 1) * takesMs()) / at_once > patience_ms)
  return async function inTurn<T>(work: () => Promise<T>, first = false): Promise<T> {
    if (!slots.free && full(first)) throw refused()
    await slots.take({ first })
    const began = clock()
    try {
      return await work()
    } finally {
      took_ms.push(clock() - began)
      if (took_ms.length > LAST) took_ms.shift()
      slots.give()
    }
  }
}

/** The same for each account by itself, so that whoever comes with many at once waits for the own ones only. */
export function fewOfEach(options: FewAtOnceOptions) {
  const accounts = new Map<string, { inTurn: ReturnType<typeof fewAtOnce>; count: number }>()
  return async function inTurn<T>(account: string, work: () => Promise<T>): Promise<T> {
    const own = accounts.get(account) ?? { inTurn: fewAtOnce(options), count: 0 }
    accounts.set(account, own)
    own.count++
    try {
      return await own.inTurn(work)
    } finally {
      own.count--
      if (own.count === 0) accounts.delete(account)
    }
  }
}

/** Those who are slowed wait so long, and no more of them at a time: in all, and of one subscriber (wider networks: network.ts). */
export const SLOW_MS = 2_000
const SLOWED_MOST = 50
const SLOWED_OF_ONE = 5

/** Waiting instead of being refused. */
export class SlowLane {
  /** How many wait, of each network. */
  readonly #of = new Map<string, number>()
  #all = 0

  /** Lets whoever sends from this address wait; false at once when too many wait already. */
  async wait(ip: string): Promise<boolean> {
    const from = senders(ip)
    const full = from.some(({ key, holds }) => (this.#of.get(key) ?? 0) >= Math.floor(SLOWED_OF_ONE * holds))
    if (this.#all >= SLOWED_MOST || full) return false
    this.#count(from, 1)
    await new Promise((done) => setTimeout(done, SLOW_MS))
    this.#count(from, -1)
    return true
  }

  #count(from: readonly SenderNetwork[], one: 1 | -1): void {
    this.#all += one
    for (const { key } of from) {
      const count = (this.#of.get(key) ?? 0) + one
      if (count > 0) this.#of.set(key, count)
      else this.#of.delete(key)
    }
  }
}

interface ExportBounds {
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

const EXPORTS: ExportBounds = {
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
    readonly exports: Exports
  }
}

/** Whole records as files: one per account and two in all; the next waits a little, or is told when to come back. */
export class Exports {
  readonly #background: Background
  readonly #bounds: ExportBounds
  readonly #accounts = new Set<string>()
  readonly #slots: Slots

  constructor(background: Background, bounds = EXPORTS) {
    this.#background = background
    this.#bounds = bounds
    this.#slots = new Slots(bounds.at_once)
  }

  /** The file, read piece by piece as the account's turns come; ApiError 4290 when there is no place for it. */
  async file(account: string, open: () => Promise<FileAnswer> | FileAnswer): Promise<FileAnswer> {
    const { waiting_most, wait_ms } = this.#bounds
    if (this.#accounts.has(account))
      throw new ApiError(4290, {
        retry_after_s: RETRY_AFTER_S,
        text: '一次只能匯出一個檔案，請等前一個下載完再試',
      })
    this.#accounts.add(account)
    const crowded = !this.#slots.free && this.#slots.waiting() >= waiting_most
    if (crowded || !(await this.#slots.take({ wait_ms }))) {
      this.#accounts.delete(account)
      throw new ApiError(4290, {
        retry_after_s: RETRY_AFTER_S,
        text: `正在匯出的人太多，請 ${RETRY_AFTER_S} 秒後再試`,
      })
    }
    const reading = new Reading(this.#slots, () => this.#accounts.delete(account), this.#bounds)
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
  readonly #slots: Slots
  readonly #leave: () => void
  readonly #bounds: ExportBounds
  #holds = true
  #over = false
  #timers: NodeJS.Timeout[] = []

  constructor(slots: Slots, leave: () => void, bounds: ExportBounds) {
    this.#slots = slots
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
          await this.#slots.take()
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
    if (this.#holds) this.#slots.give()
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

/** A slow receiver that was not written to for so long is slow no more. */
const FORGET_MS = 600_000
/** Nobody is waited for longer: an hour for who asks for patience. */
const PACED_MOST_MS = 2 * 3_600_000

/** How a receiver comes back; `next_at` is when it may get its next message. */
export interface Returned {
  /** Its answer took long, or did not come. */
  readonly slow: boolean
  readonly next_at: number
}

/**
 * Receivers of a channel that are being written to: neither those that are slow to answer nor one person with many receivers take
 * the places of the others. Who fails is left alone by every process (backoff.ts). Times are milliseconds since 1970.
 */
export class InFlight {
  readonly #at_once: number
  /** Who is being sent to, and whose it is. */
  readonly #held = new Map<string, string>()
  /** From when a receiver may get the next message. */
  readonly #paced = new Map<string, number>()
  /** Kept us waiting at their last try, and when that was. A quick failure holds no place for long. */
  readonly #slow = new Map<string, number>()

  /** `at_once`: how many receivers the channel sends to at a time. */
  constructor(at_once: number) {
    this.#at_once = at_once
  }

  get full(): boolean {
    return this.#held.size >= this.#at_once
  }

  /** Half of the places are there: looking for who takes them pays. */
  get half_free(): boolean {
    return this.#held.size <= this.#at_once >> 1
  }

  /** From when this receiver may be written to. */
  freeAt(receiver_id: string): number {
    return this.#paced.get(receiver_id) ?? 0
  }

  holds(receiver_id: string): boolean {
    return this.#held.has(receiver_id)
  }

  /**
   * Takes a place for it, or says when to ask again: 'soon', as soon as a place is given back; 'later', because those that are
   * slow hold the quarter that is theirs. One person holds an eighth at most.
   */
  take(receiver_id: string, uid: string): 'taken' | 'soon' | 'later' {
    const held = [...this.#held]
    const own = held.filter(([, other]) => other === uid).length
    if (held.length >= this.#at_once || own >= Math.max(2, this.#at_once >> 3)) return 'soon'
    const slow = held.filter(([id]) => this.#slow.has(id)).length
    if (this.#slow.has(receiver_id) && slow >= Math.max(1, this.#at_once >> 2)) return 'later'
    this.#held.set(receiver_id, uid)
    return 'taken'
  }

  /** Nothing was sent to these after all. */
  drop(receiver_ids: Iterable<string>): void {
    for (const id of receiver_ids) this.#held.delete(id)
  }

  /** Gives the place back. */
  giveBack(receiver_id: string, { slow, next_at }: Returned, now: number): void {
    this.#held.delete(receiver_id)
    if (slow) this.#slow.set(receiver_id, now)
    else this.#slow.delete(receiver_id)
    if (next_at > now) this.#paced.set(receiver_id, next_at)
  }

  /** Somebody wants it tried now: that it was slow is forgotten; its pace still counts. */
  forgive(receiver_id: string): void {
    this.#slow.delete(receiver_id)
  }

  /** Forgets what is over, and what is so far ahead that the clock was. */
  tidy(now: number): void {
    for (const [id, at] of this.#paced) if (at <= now || at > now + PACED_MOST_MS) this.#paced.delete(id)
    for (const [id, at] of this.#slow) if (at + FORGET_MS < now) this.#slow.delete(id)
  }
}

/** So many messages may be out at once of which nothing is written down: these go twice if the process is killed now (docs/decisions/notifications.md). */
const UNRECORDED_MOST = 2
const YOUNG_MS = 5

/** A message that is out. */
export interface UnrecordedSend {
  /** The answer is here. */
  answered(): void
  /** It is written down. */
  noted(): void
}

/**
 * Messages that are out and not written down, of all channels together. A receiver that is slow to answer gives its place to the
 * next: nobody waits for one that is stuck. One that has answered keeps it until that is written down: more is never sent than can
 * be noted.
 */
export class UnrecordedSends {
  readonly #slots = new Slots(UNRECORDED_MOST)

  /** Waits for a place; the channels take turns, so that none waits behind all that another has. */
  async take(channel: ChannelId): Promise<UnrecordedSend> {
    await this.#slots.take({ key: channel })
    let left = false
    const leave = () => {
      if (!left) this.#slots.give()
      left = true
    }
    let answered = false
    // An answer that waits to be read is one: on a busy machine the time is over before anybody could look.
    const timer = setTimeout(() => setImmediate(() => !answered && leave()), YOUNG_MS)
    return {
      answered() {
        answered = true
        clearTimeout(timer)
      },
      noted() {
        clearTimeout(timer)
        leave()
      },
    }
  }
}
