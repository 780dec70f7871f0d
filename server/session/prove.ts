// Passwords tried: at signing in, and once more before what cannot be undone. Whoever guesses stops only themselves: the owner gets in
// from a device that was signed in before, and from any other place at worst a moment later.
import { ApiError, invalid } from '#contract/errors.ts'
import type { App } from '../context.ts'
import { type Counted, fromAddress, type Taken } from '../limits/guesses.ts'
import { network, senders } from '../limits/network.ts'
import { refuseFor, tooOften } from '../limits/rate.ts'
import { knownDevice } from './known-device.ts'

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
  forgetMisses(app, account, asking)
  taken.giveBack()
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
  if (taken.full.length > 0 && !(await app.guesses.slowDown(ip))) throw tooOften(2)
  return { taken, first: false }
}

/** After the right password, or a new one. */
export function forgetMisses(app: Limited, account: string, { ip, cookie }: Asking): void {
  const device = knownDevice(app, account, cookie)
  app.guesses.forget([
    ...(device === null ? [] : [{ limit: 'login_device' as const, of: device }]),
    { limit: 'login_account', of: senderOn(account, ip) },
    { limit: 'login_anywhere', of: account },
  ])
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
  const { wait_s, giveBack } = await app.guesses.take([turn])
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
  app.guesses.forget([turn])
  return hash
}
