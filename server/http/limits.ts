// How often somebody may do something: counted in memory, per address, per account and per person.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { ApiError } from '#contract/errors.ts'

/** points per seconds, before the factor of the configuration. */
const LIMITS = {
  /** Wrong and right sign-ins from one address. */
  login_ip: { points: 60, seconds: 300 },
  /** Sign-ins tried on one account from one address: whoever guesses there does not lock its owner out elsewhere. */
  login_account: { points: 10, seconds: 60 },
  /** The same from everywhere together: more than several addresses can do within their own limits. */
  login_anywhere: { points: 300, seconds: 300 },
  register_ip: { points: 20, seconds: 3_600 },
  /** Mails to one address that somebody else can cause. */
  register_mail: { points: 3, seconds: 3_600 },
  verify_try: { points: 15, seconds: 600 },
  verify_send: { points: 10, seconds: 3_600 },
  /** Asking for, looking at and using links for a forgotten password, from one address. */
  reset_ip: { points: 30, seconds: 600 },
  /** Mails with such links to one address. */
  reset_mail: { points: 3, seconds: 3_600 },
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
  /** Tickets tried and sign-ins through others begun, from one address. */
  ticket_ip: { points: 60, seconds: 300 },
  organization_create: { points: 20, seconds: 3_600 },
  /** Rounds of invitations by mail, each to at most fifty addresses. */
  invite_send: { points: 30, seconds: 3_600 },
  /** Invitations to one address, from whomever. */
  invite_mail: { points: 10, seconds: 3_600 },
  /** Invitations looked at without signing in, from one address. */
  invite_ip: { points: 120, seconds: 300 },
  invite_answer: { points: 60, seconds: 600 },
  /** Event streams opened: each reads what its cursor missed. */
  streams: { points: 240, seconds: 60 },
  /** All calls of one person together. */
  calls: { points: 1_200, seconds: 60 },
} as const satisfies Record<string, { points: number; seconds: number }>

export type LimitName = keyof typeof LIMITS

export class Limiters {
  readonly #limiters = new Map<LimitName, RateLimiterMemory>()

  constructor(factor: number) {
    for (const [name, { points, seconds }] of Object.entries(LIMITS))
      this.#limiters.set(
        name as LimitName,
        new RateLimiterMemory({ points: points * factor, duration: seconds }),
      )
  }

  /** Takes one turn; ApiError 4290 with the seconds to wait when there is none left. */
  async take(name: LimitName, key: string): Promise<void> {
    const wait_s = await this.wait(name, key)
    if (wait_s > 0) throw new ApiError(4290, { retry_after_s: wait_s })
  }

  /** Takes one turn; seconds to wait when there is none left, else 0. */
  async wait(name: LimitName, key: string): Promise<number> {
    try {
      await this.#limiters.get(name)?.consume(key)
      return 0
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return Math.max(1, Math.ceil(refused.msBeforeNext / 1_000))
      throw refused
    }
  }

  /** Gives the turns back, after a success. */
  async clear(name: LimitName, key: string): Promise<void> {
    await this.#limiters.get(name)?.delete(key)
  }
}
