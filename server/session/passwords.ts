// Passwords: argon2id, a few at a time, and the same work for accounts that do not exist.

import { createHash, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import { isCommon, TOO_COMMON } from '#contract/common-passwords.ts'
import { ApiError, invalid } from '#contract/errors.ts'
import { PASSWORD_MIN, RESET_LIFE_S } from '#contract/limits.ts'
import type { App, Tx } from '../context.ts'
import type { Db } from '../db/schema.ts'
import { fewAtOnce, SLOW_MS } from '../limits/concurrency.ts'
import { type Counted, fromAddress, type Taken } from '../limits/guesses.ts'
import { network, senders } from '../limits/network.ts'
import { refuseFor, tooOften } from '../limits/rate.ts'
import { knownDevice } from './store.ts'

// What a new password may not be: of the leak lists everything that is long enough, about 18,000.

/** Made when the first password is set: a start does not wait for it. */
let leaked: ReadonlySet<string> | undefined

/** Throws 4220 on the field when guessing lists contain the password. */
export function refuseCommon(field: string, password: string): void {
  leaked ??= new Set(dictionary['passwords-common'].filter(({ length }) => length >= PASSWORD_MIN))
  if (isCommon(password, leaked)) throw invalid({ [field]: TOO_COMMON })
}

/** What one try takes: KiB of memory, rounds, lanes. */
interface PasswordWork {
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

// Passwords tried: at signing in, and once more before what cannot be undone. Whoever guesses stops only themselves: the owner gets in
// from a device that was signed in before, and from any other place at worst a moment later.

interface Asking {
  readonly ip: string
  readonly cookie: string
}
type Limited = Pick<App, 'guesses' | 'keys' | 'config' | 'now'>

/**
 * Tries a password on an account (its address), from somewhere. Gives what `prove` finds; ApiError 6002 when that is nothing, 4290
 * when there is no try left. `first`: a browser that signed in before; it goes before the strangers at the passwords, too.
 */
export async function trySignIn<T>(
  app: Limited,
  account: string,
  asking: Asking,
  prove: (first: boolean) => Promise<T | null>,
): Promise<T> {
  const { taken, first } = await takeSignIn(app, account, asking)
  let proved: T | null
  try {
    proved = await prove(first)
  } catch (error) {
    taken.giveBack()
    throw error
  }
  if (proved === null) throw new ApiError(6002)
  taken.forgive(missesOf(app, account, asking))
  return proved
}

async function takeSignIn(
  app: Limited,
  account: string,
  { ip, cookie }: Asking,
): Promise<{ taken: Taken; first: boolean }> {
  const device = knownDevice(app, account, cookie)
  if (device !== null) {
    const taken = await app.guesses.take([{ limit: 'login_device', of: device }])
    if (taken.wait_s === 0) return { taken, first: true }
  }
  const from = fromAddress('login_ip', ip)
  // Others may have used these up, who share the address or know the account: slower, but never shut.
  const shared: Counted[] = [
    ...from,
    ...senders(ip)
      .slice(1)
      .map(({ key, times }) => ({ limit: 'login_account' as const, of: `${account} ${key}`, times })),
    { limit: 'login_anywhere', of: account },
  ]
  // What is refused here is no guess and costs the account and the neighbours nothing.
  const taken = await app.guesses.take([{ limit: 'login_account', of: senderOn(account, ip) }], shared)
  refuseFor(taken.wait_s)
  const narrowest = from.findIndex((counted) => taken.full.includes(counted))
  if (narrowest >= 0) taken.giveBack(from.slice(narrowest + 1))
  if (taken.full.length > 0 && !(await app.guesses.slowDown(ip))) {
    taken.giveBack()
    throw tooOften(2)
  }
  return { taken, first: false }
}

/** What the right password forgets, and a new one. */
export function missesOf(app: Limited, account: string, { ip, cookie }: Asking): Counted[] {
  const device = knownDevice(app, account, cookie)
  return [
    ...(device === null ? [] : [{ limit: 'login_device' as const, of: device }]),
    { limit: 'login_account', of: senderOn(account, ip) },
    { limit: 'login_anywhere', of: account },
  ]
}

function senderOn(account: string, ip: string): string {
  return `${account} ${network(ip)}`
}

/**
 * The hash the password fits (so that the change can insist on it): a token alone, perhaps stolen, must not be enough. ApiError 6003
 * for a wrong one, 4220 for an account without a password, 4290 after ten tries.
 */
export async function provePassword(
  app: App,
  uid: string,
  password: string,
  field = 'password',
): Promise<string> {
  const turn: Counted = { limit: 'password_try', of: uid }
  const { wait_s, giveBack, forgive } = await app.guesses.take([turn])
  refuseFor(wait_s)
  let right: boolean
  let hash: string
  try {
    const { password_hash } = await app.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', uid)
      .executeTakeFirstOrThrow()
    if (password_hash === null) throw invalid({ [field]: '這個帳號還沒有密碼，請先設定密碼' })
    hash = password_hash
    right = await app.passwords.fits(hash, password, true)
  } catch (error) {
    giveBack()
    throw error
  }
  if (!right) throw new ApiError(6003)
  forgive([turn])
  return hash
}

// Links for a forgotten password: random, kept as their hash, good once and for half an hour.

interface OpenReset {
  readonly uid: string
  readonly email: string
  readonly name: string
}

/** A fresh token for the account; for nobody (null) one that opens nothing, so that both cost the same. */
export async function openReset(tx: Tx, uid: string | null): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expires_at = new Date(Date.parse(tx.at) + RESET_LIFE_S * 1_000).toISOString()
  await tx.db
    .insertInto('password_resets')
    .values({ token_hash: hashOf(token), uid, created_at: tx.at, expires_at, used_at: null })
    .execute()
  return token
}

/** The account a token opens now; ApiError 4100 says whether it was used, is too old, or never was. */
export async function findReset(db: Db, token: string, now: string): Promise<OpenReset> {
  const row = await db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.uid')
    .select(['uid', 'email', 'name', 'used_at', 'expires_at'])
    .where('token_hash', '=', hashOf(token))
    .executeTakeFirst()
  if (!row || row.uid === null) throw new ApiError(4100, { msg: 'link unknown or withdrawn' })
  if (row.used_at !== null)
    throw new ApiError(4100, { msg: 'link used', text: '這個連結已經用過，請重新申請' })
  if (row.expires_at <= now)
    throw new ApiError(4100, {
      msg: 'link expired',
      text: `這個連結已超過 ${RESET_LIFE_S / 60} 分鐘，請重新申請`,
    })
  return { uid: row.uid, email: row.email, name: row.name }
}

/** Uses the token up; of many at once exactly one gets through, the others hear 4100. */
export async function spendReset(tx: Tx, token: string): Promise<string> {
  const row = await tx.db
    .updateTable('password_resets')
    .set({ used_at: tx.at })
    .where('token_hash', '=', hashOf(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', tx.at)
    .returning('uid')
    .executeTakeFirst()
  if (!row?.uid) throw new ApiError(4100, { msg: 'link used', text: '這個連結已經用過，請重新申請' })
  return row.uid
}

/** Withdraws every open link of the account: its password or its address has changed. */
export async function withdrawResets(tx: Tx, uid: string): Promise<void> {
  await tx.db.deleteFrom('password_resets').where('uid', '=', uid).where('used_at', 'is', null).execute()
}

/**
 * From now on every identity of this account asks for its password first: whoever has just set that by mail holds the address,
 * and need not be who once came here by another provider (an account can be made first and be given somebody's address later).
 */
export async function doubtIdentities(tx: Tx, uid: string): Promise<void> {
  await tx.db.updateTable('identities').set({ confirmed: 0 }).where('uid', '=', uid).execute()
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
