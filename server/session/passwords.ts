// Passwords: argon2id, a few at a time, and the same work for accounts that do not exist.
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { fewAtOnce } from '../few-at-once.ts'

/** OWASP's first choice for argon2id: 19 MiB, 2 rounds, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Hashing must not take all threads from the rest of the server. */
const AT_ONCE = Math.max(1, Math.min(4, availableParallelism() - 1))
const inTurn = fewAtOnce({ at_once: AT_ONCE, waiting_most: 100, text: '登入的人太多，請稍後再試' })

let nobody: Promise<string> | undefined

/** The hash to store. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, COST))
}

/** True when the password fits; with null (no such account, no password) false after the same work. */
export async function fits(stored: string | null, password: string): Promise<boolean> {
  nobody ??= inTurn(() => hash('no account has this password', COST))
  const right = await inTurn(async () => verify(stored ?? (await nobody) ?? '', password))
  return right && stored !== null
}
