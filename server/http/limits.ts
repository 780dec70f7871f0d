// How often somebody may do something: counted in memory, per address, per account and per person.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { ApiError } from '#contract/errors.ts'
import { type SenderNetwork, senders } from './network.ts'

/** points per seconds, before the factor of the configuration. */
const LIMITS = {
  /** Wrong and right sign-ins from one address; beyond it they are slowed. */
  login_ip: { points: 60, seconds: 300 },
  /** Sign-ins tried on one account from one address: whoever guesses there does not lock its owner out elsewhere. */
  login_account: { points: 10, seconds: 60 },
  /** The same from everywhere together; beyond it they are slowed: more than several addresses can do within their own limits. */
  login_anywhere: { points: 300, seconds: 300 },
  /** Sign-ins on one account by a browser that was signed in before: its own, whatever strangers do. */
  login_device: { points: 10, seconds: 600 },
  /** A class that registers from one address has room. */
  register_ip: { points: 100, seconds: 3_600 },
  /** Mails to one address that somebody else can cause. */
  register_mail: { points: 3, seconds: 3_600 },
  verify_try: { points: 15, seconds: 600 },
  verify_send: { points: 10, seconds: 3_600 },
  /** Asking for links for a forgotten password from one address, and links that lead nowhere. */
  reset_ip: { points: 30, seconds: 600 },
  /** Mails with such links to one address. */
  reset_mail: { points: 3, seconds: 3_600 },
  /** Once these are used up: the same again, so that nobody's asking silences the owner's. */
  reset_again: { points: 1, seconds: 300 },
  /** Passwords typed to prove who one is while signed in: a stolen token must not guess them. */
  password_try: { points: 10, seconds: 600 },
  /** Each change tells whether an address is taken. */
  email_change: { points: 5, seconds: 3_600 },
  image: { points: 60, seconds: 3_600 },
  export: { points: 10, seconds: 3_600 },
  /** Whole records of strategies as files. */
  signal_export: { points: 60, seconds: 3_600 },
  /** Requests of applications and of their people to /oidc, from one address. */
  oidc_ip: { points: 600, seconds: 300 },
  /** Tickets that lead nowhere and sign-ins through others begun, from one address. */
  ticket_ip: { points: 60, seconds: 300 },
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
  /** Codes of invitations and links that lead nowhere, from one address. */
  invite_ip: { points: 120, seconds: 300 },
  /** Wrong join codes of one person (domain §7.8). */
  join_try: { points: 10, seconds: 600 },
  /** The same from one network, looking included. */
  join_ip: { points: 120, seconds: 600 },
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

export type LimitName = keyof typeof LIMITS

/** Where guesses of join codes count. */
export const JOIN_CODE = { account: 'join_try', from: 'join_ip' } as const

/** Those who are slowed wait so long, and no more of them at a time: in all, and of one subscriber (wider networks: network.ts). */
export const SLOW_MS = 2_000
const SLOWED_MOST = 50
const SLOWED_OF_ONE = 5

declare module '../context.ts' {
  interface App {
    readonly limits: Limiters
  }
}

export class Limiters {
  readonly #limiters = new Map<string, RateLimiterMemory>()
  readonly #factor: number
  /** How many are being slowed, of each network. */
  readonly #slowed = new Map<string, number>()
  #slowed_all = 0

  constructor(factor: number) {
    this.#factor = factor
  }

  /** Takes one turn, or several; ApiError 4290 with the seconds to wait when there are none left. */
  async take(name: LimitName, key: string, turns = 1): Promise<void> {
    if (turns > 0) refuseFor(await this.wait(name, key, 1, turns))
  }

  /** The same for whoever sends from this address, counted at every network it belongs to. */
  async takeFrom(name: LimitName, ip: string): Promise<void> {
    refuseFor(await this.waitFrom(name, ip))
  }

  /** Takes one turn; seconds to wait when there is none left, else 0. `times` = how many times the room this key has. */
  async wait(name: LimitName, key: string, times = 1, turns = 1): Promise<number> {
    try {
      await this.#limiter(name, times).consume(key, turns)
      return 0
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return Math.max(1, Math.ceil(refused.msBeforeNext / 1_000))
      throw refused
    }
  }

  /** The same for an address: the narrow network first, for what is refused there costs the neighbours nothing. */
  async waitFrom(name: LimitName, ip: string): Promise<number> {
    for (const { key, times } of senders(ip)) {
      const wait_s = await this.wait(name, key, times)
      if (wait_s > 0) return wait_s
    }
    return 0
  }

  /**
   * Looks up what only a secret of 80 bits and more leads to (links, tickets, resets): a right one is answered whatever the address
   * did before; misses count, and beyond the limit they are refused.
   */
  async lookUp<T>(name: LimitName, ip: string, find: () => Promise<T>): Promise<T> {
    try {
      return await find()
    } catch (error) {
      if (isMiss(error)) await this.takeFrom(name, ip)
      throw error
    }
  }

  /**
   * The same for a code that can be guessed: misses count by account and address, and who has used them up is refused before. The turns
   * are taken before it is looked up, and given back unless it was a miss: many tries at once are as many.
   */
  async guess<T>(
    { account, from }: { account: LimitName; from: LimitName },
    { uid, ip }: { uid: string | null; ip: string },
    find: () => Promise<T>,
  ): Promise<T> {
    const counted = [
      ...(uid === null ? [] : [{ name: account, key: uid, times: 1 }]),
      ...senders(ip).map(({ key, times }) => ({ name: from, key, times })),
    ]
    const taken: typeof counted = []
    const giveBack = async () => {
      for (const { name, key, times } of taken) await this.#limiter(name, times).reward(key)
    }
    try {
      for (const one of counted) {
        refuseFor(await this.wait(one.name, one.key, one.times))
        taken.push(one)
      }
      const found = await find()
      await giveBack()
      return found
    } catch (error) {
      if (!isMiss(error)) await giveBack()
      throw error
    }
  }

  /** Gives the turns back, after a success. */
  async clear(name: LimitName, key: string): Promise<void> {
    await this.#limiter(name, 1).delete(key)
  }

  /** Lets whoever sends from this address wait instead of refusing; false at once when too many wait already. */
  async slowDown(ip: string): Promise<boolean> {
    const from = senders(ip)
    const full = from.some(
      ({ key, holds }) => (this.#slowed.get(key) ?? 0) >= Math.floor(SLOWED_OF_ONE * holds),
    )
    if (this.#slowed_all >= SLOWED_MOST || full) return false
    this.#slow(from, 1)
    await new Promise((done) => setTimeout(done, SLOW_MS))
    this.#slow(from, -1)
    return true
  }

  #slow(from: readonly SenderNetwork[], one: 1 | -1): void {
    this.#slowed_all += one
    for (const { key } of from) {
      const count = (this.#slowed.get(key) ?? 0) + one
      if (count > 0) this.#slowed.set(key, count)
      else this.#slowed.delete(key)
    }
  }

  #limiter(name: LimitName, times: number): RateLimiterMemory {
    const id = `${name} ${times}`
    const known = this.#limiters.get(id)
    if (known) return known
    const { points, seconds } = LIMITS[name]
    const made = new RateLimiterMemory({ points: points * times * this.#factor, duration: seconds })
    this.#limiters.set(id, made)
    return made
  }
}

/** Nothing stands behind the code, or nothing any more. */
const isMiss = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 4040 || error.code === 4100)

function refuseFor(wait_s: number): void {
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
