// How often: what people and addresses do, counted in memory; messages of a webhook and to a chat; and whether the intake is pressed.
// Guesses at secrets are counted in the database (guesses.ts).

import { setTimeout as sleep } from 'node:timers/promises'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { ApiError } from '#contract/errors.ts'
import type { App } from '../context.ts'
import { senders } from './network.ts'

/** points per seconds, before the factor of the configuration. */
const LIMITS = {
  /** A class that registers from one address has room. */
  register_ip: { points: 100, seconds: 3_600 },
  /** Mails to one address that somebody else can cause. */
  register_mail: { points: 3, seconds: 3_600 },
  verify_send: { points: 10, seconds: 3_600 },
  /** Asking for links for a forgotten password, from one address. */
  reset_ip: { points: 30, seconds: 600 },
  /** Mails with such links to one address. */
  reset_mail: { points: 3, seconds: 3_600 },
  /** Once these are used up: the same again, so that nobody's asking silences the owner's. */
  reset_again: { points: 1, seconds: 300 },
  /** Each change tells whether an address is taken. */
  email_change: { points: 5, seconds: 3_600 },
  image: { points: 60, seconds: 3_600 },
  export: { points: 10, seconds: 3_600 },
  /** Whole records of strategies as files. */
  signal_export: { points: 60, seconds: 3_600 },
  /** Requests of applications and of their people to /oidc, from one address. */
  oidc_ip: { points: 600, seconds: 300 },
  /** Sign-ins through others begun, from one address. */
  sso_ip: { points: 60, seconds: 300 },
  /** Links out of mails, from one address: mail providers press them for many people. */
  unsubscribe_ip: { points: 600, seconds: 300 },
  /** Addresses for notifications that somebody enters: each is looked up, or asked. */
  channel_address: { points: 60, seconds: 3_600 },
  /** Strategies given to groups, or given with other dates, of one organization: each is noted for good. */
  access_given: { points: 5_000, seconds: 3_600 },
  /** Changes of what an organization's members are shown of figures: every strategy is told as another. */
  figures_shared: { points: 20, seconds: 3_600 },
  organization_create: { points: 20, seconds: 3_600 },
  /** Rounds of invitations by mail, each to at most fifty addresses. */
  invite_send: { points: 30, seconds: 3_600 },
  /** Invitations to one address, from whomever. */
  invite_mail: { points: 10, seconds: 3_600 },
  /** Links made and changed, and codes anew, by one person. */
  join_link: { points: 120, seconds: 3_600 },
  /** Files of XQ read by the server, tried or taken: each is up to 20,000 rows. */
  original_data: { points: 60, seconds: 3_600 },
  /** Signals that a person (or an application in their name) enters. */
  manual_signal: { points: 120, seconds: 60 },
  /** Tests of one channel (domain.md §7.7). */
  self_test: { points: 1, seconds: 30 },
  /** Event streams opened: each reads what its cursor missed. */
  streams: { points: 240, seconds: 60 },
  /** Links begun that bind a chat. */
  bind: { points: 30, seconds: 600 },
  /** Links for signing in that a bot gives to one person. */
  bot_ticket: { points: 10, seconds: 3_600 },
  /** All calls of one person together. */
  calls: { points: 1_200, seconds: 60 },
} as const satisfies Record<string, { points: number; seconds: number }>

type RateName = keyof typeof LIMITS

declare module '../context.ts' {
  interface App {
    readonly limits: Rates
  }
}

/** So many in so many seconds, of each key. */
export class Rates {
  readonly #limiters = new Map<string, RateLimiterMemory>()
  readonly #factor: number

  constructor(factor: number) {
    this.#factor = factor
  }

  /** Takes one turn, or several; ApiError 4290 with the seconds to wait when there are none left. */
  async take(name: RateName, key: string, turns = 1): Promise<void> {
    if (turns > 0) refuseFor(await this.wait(name, key, 1, turns))
  }

  /** The same for whoever sends from this address, counted at every network it belongs to. */
  async takeFrom(name: RateName, ip: string): Promise<void> {
    refuseFor(await this.waitFrom(name, ip))
  }

  /** Takes one turn; seconds to wait when there is none left, else 0. `times` = how many times the room this key has. */
  async wait(name: RateName, key: string, times = 1, turns = 1): Promise<number> {
    try {
      await this.#limiter(name, times).consume(key, turns)
      return 0
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return Math.max(1, Math.ceil(refused.msBeforeNext / 1_000))
      throw refused
    }
  }

  /** The same for an address: the narrow network first, for what is refused there costs the neighbours nothing. */
  async waitFrom(name: RateName, ip: string): Promise<number> {
    for (const { key, times } of senders(ip)) {
      const wait_s = await this.wait(name, key, times)
      if (wait_s > 0) return wait_s
    }
    return 0
  }

  #limiter(name: RateName, times: number): RateLimiterMemory {
    const id = `${name} ${times}`
    const known = this.#limiters.get(id)
    if (known) return known
    const { points, seconds } = LIMITS[name]
    const made = new RateLimiterMemory({ points: points * times * this.#factor, duration: seconds })
    this.#limiters.set(id, made)
    return made
  }
}

/** Refuses who has to wait; 0 seconds = nobody. */
export function refuseFor(wait_s: number): void {
  if (wait_s > 0) throw tooOften(wait_s)
}

/** The refusal of who comes too often: for whole seconds, and its sentence says for how long. */
export function tooOften(retry_after_s: number): ApiError {
  return new ApiError(4290, { retry_after_s, text: `操作太頻繁，請 ${spanOf(retry_after_s)}後再試` })
}

/** Never less than it is: a span of seconds as one says it. */
function spanOf(seconds: number): string {
  if (seconds <= 90) return `${seconds} 秒`
  if (seconds <= 5_400) return `${Math.ceil(seconds / 60)} 分鐘`
  return `${Math.ceil(seconds / 3_600)} 小時`
}

/** Keys whose bucket is kept. */
const BUCKETS_MOST = 50_000

interface Level {
  tokens: number
  at_ms: number
}

/**
 * A steady refill and a burst, of each key. The library's window counters cannot say «60 a minute, 300 at once» (ruling C12), and this
 * runs before every webhook request, so it stays a few lines of arithmetic.
 */
export class TokenBuckets {
  readonly #levels = new Map<string, Level>()
  readonly #per_ms: number
  readonly #burst: number

  /** `per_minute` refills, `burst` is the most a key may save up. */
  constructor(per_minute: number, burst: number) {
    this.#per_ms = per_minute / 60_000
    this.#burst = burst
  }

  /** Takes one token. Gives 0 when taken, else the seconds until there is one. `times` = how many times the room this key has. */
  take(key: string, now_ms: number, times = 1): number {
    const level = this.#levels.get(key) ?? { tokens: this.#burst, at_ms: now_ms }
    const share = 1 / times
    const tokens = Math.min(this.#burst, level.tokens + Math.max(0, now_ms - level.at_ms) * this.#per_ms)
    const taken = tokens >= share
    this.#levels.set(key, { tokens: taken ? tokens - share : tokens, at_ms: now_ms })
    if (this.#levels.size > BUCKETS_MOST) this.#forgetFull(now_ms)
    return taken ? 0 : Math.max(1, Math.ceil((share - tokens) / this.#per_ms / 1_000))
  }

  /** A full bucket says nothing: dropping it changes no answer, and keeps a scan of unknown tokens from filling the memory. */
  #forgetFull(now_ms: number): void {
    for (const [key, level] of this.#levels) {
      if (level.tokens + (now_ms - level.at_ms) * this.#per_ms >= this.#burst) this.#levels.delete(key)
    }
    if (this.#levels.size > BUCKETS_MOST) this.#levels.clear()
  }
}

/** So many within any stretch of so long. */
export interface Window {
  readonly most: number
  readonly within_ms: number
}

/** Keys that are remembered; those who were silent for the longest window are forgotten first. */
const WINDOWS_MOST = 5_000

/** Sliding windows, several of a key and of several keys at once: what the other side counts in this way. */
export class SlidingWindows {
  readonly #taken = new Map<string, number[]>()
  readonly #longest_ms: number

  constructor(longest_ms: number) {
    this.#longest_ms = longest_ms
  }

  /** 0 = go now, and it counts at each key; else the milliseconds after which to ask again. `now` on any clock that only rises. */
  take(asked: Readonly<Record<string, readonly Window[]>>, now: number): number {
    const keys = Object.entries(asked).map(([key, windows]) => ({
      ...{ key, windows, most: Math.max(...windows.map(({ most }) => most)) },
      taken: (this.#taken.get(key) ?? []).filter((at) => at > now - this.#longest_ms),
    }))
    const wait = Math.max(
      ...keys.flatMap(({ windows, taken }) => windows.map((one) => untilRoom(taken, one, now))),
    )
    if (wait > 0) return Math.ceil(wait)
    for (const { key, taken, most } of keys) {
      this.#taken.delete(key)
      this.#taken.set(key, [...taken, now].slice(-most))
    }
    if (this.#taken.size > WINDOWS_MOST) this.#forget(now)
    return 0
  }

  #forget(now: number): void {
    for (const [key, taken] of this.#taken) {
      if ((taken.at(-1) ?? 0) > now - this.#longest_ms) return
      this.#taken.delete(key)
    }
  }
}

function untilRoom(taken: readonly number[], { most, within_ms }: Window, now: number): number {
  const first = taken.at(-most)
  return first === undefined ? 0 : first + within_ms - now
}

/** So many in a second are no stream of signals any more. */
const PRESSED_PER_S = 500
/** Counted over so long: by the second, a flood was half a second old before it was known for one. */
const PRESSED_WINDOW_MS = 200
const PRESSED = (PRESSED_PER_S * PRESSED_WINDOW_MS) / 1_000

/**
 * Whether messages come faster than strategies fire: then what else there is to do can wait (`yieldToIntake`). Counts by
 * windows of 200 ms; `now_ms` on the clock of the process.
 */
export class Pressure {
  #window = 0
  #now = 0
  #before = 0

  add(messages: number, now_ms: number): void {
    this.#turn(now_ms)
    this.#now += messages
  }

  /** In this window or the one before it. */
  isHigh(now_ms: number): boolean {
    this.#turn(now_ms)
    return Math.max(this.#now, this.#before) >= PRESSED
  }

  #turn(now_ms: number): void {
    const window = Math.floor(now_ms / PRESSED_WINDOW_MS)
    if (window === this.#window) return
    this.#before = window === this.#window + 1 ? this.#now : 0
    this.#now = 0
    this.#window = window
  }
}

// The intake comes first: while it is pressed, all channels that send and the watch for silence take a thirtieth of the time together, in
// small portions (docs/decisions/notifications.md).

const SHARE = 30
const MOST_MS = 3_000
/** The rest ends when the crowd does. */
const LOOK_MS = 100
/** What was begun is a part of the work, as far as it ends so soon: the rest of it is waiting for others. */
const ENDS_MS = 250

declare module '../context.ts' {
  interface App {
    /** Whether messages come faster than strategies fire: what else there is to do can wait. */
    readonly pressed: () => boolean
  }
}

/** When the next of them may work, on the clock of the process. */
const free_at = new WeakMap<App['pressed'], number>()

/** Rests after work that took so long, with the messages it has `begun`, if signals crowd at the intake; longer if others worked, too. */
export async function yieldToIntake(
  { pressed }: Pick<App, 'pressed'>,
  began: number,
  begun: Iterable<Promise<unknown>> = [],
): Promise<void> {
  if (!pressed()) return
  await Promise.race([Promise.allSettled(begun), sleep(ENDS_MS, undefined, { ref: false })])
  const now = performance.now()
  const due = Math.max(now, free_at.get(pressed) ?? 0) + (now - began) * (SHARE - 1)
  const until = Math.min(now + MOST_MS, due)
  free_at.set(pressed, until)
  let left = until - now
  for (; left > 0 && pressed(); left = until - performance.now()) await sleep(Math.min(LOOK_MS, left))
  // The crowd is gone: the next one begins anew.
  if (left > 0) free_at.delete(pressed)
}
