// Passwords: argon2id, a few at a time, and the same work for accounts that do not exist.
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { ApiError } from '#contract/errors.ts'
import { fewAtOnce, SLOW_MS } from '../limits/concurrency.ts'

/** What one try takes: KiB of memory, rounds, lanes. */
export interface PasswordWork {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}
/** OWASP's first choice for argon2id: 19 MiB, 2 rounds, 1 lane. */
const WORK: PasswordWork = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Hashing must not take all threads from the rest of the server. */
const AT_ONCE = Math.max(1, Math.min(4, availableParallelism() - 1))
const inTurn = fewAtOnce({
  at_once: AT_ONCE,
  waiting_most: 100,
  patience_ms: SLOW_MS,
  refused: () => new ApiError(4290, { retry_after_s: 5, text: '登入的人太多，請 5 秒後再試' }),
})

export interface Passwords {
  /** The hash to store. */
  hash(password: string): Promise<string>
  /** True when the password fits; with null (no such account, no password) false after the same work. `first`: before all who are strangers. */
  fits(stored: string | null, password: string, first?: boolean): Promise<boolean>
}

declare module '../context.ts' {
  interface App {
    readonly passwords: Passwords
  }
}

/** Stores at `work`, the whole of it unless a test says otherwise: no configuration can make it less. */
export function openPasswords(work = WORK): Passwords {
  let nobody: Promise<string> | undefined
  return {
    hash: (password) => inTurn(() => hash(password, work)),
    async fits(known, password, first) {
      // not in its turn: refused there once, it would refuse everybody without an account from then on
      nobody ??= hash('no account has this password', work)
      const right = await inTurn(async () => verify(known ?? (await nobody) ?? '', password), first)
      return right && known !== null
    },
  }
}
