// Passwords tried on one account: whoever guesses stops only themselves. The owner gets in from a device that was signed in before,
// and from any other place at worst a moment later.
import type { App } from '../context.ts'
import { tooOften } from '../http/limits.ts'
import { network, senders } from '../http/network.ts'
import { knownDevice } from './known-device.ts'

interface Asking {
  readonly ip: string
  readonly cookie: string
}
type Limited = Pick<App, 'limits' | 'keys' | 'config' | 'now'>

/**
 * Takes a turn before a password is looked at; ApiError 4290 when there is none left. `account` is the address. True for a
 * browser that signed in before: it goes before the strangers there, too.
 */
export async function takeGuess(app: Limited, account: string, { ip, cookie }: Asking): Promise<boolean> {
  const device = knownDevice(app, account, cookie)
  if (device !== null && (await app.limits.wait('login_device', device)) === 0) return true
  // What is refused here is no guess and costs the account and the neighbours nothing.
  await app.limits.take('login_account', senderOn(account, ip))
  // From here on others may have used it up, who share the address or know the account: slower, but never shut.
  let crowded = (await app.limits.waitFrom('login_ip', ip)) > 0
  for (const { key, times } of senders(ip).slice(1))
    if ((await app.limits.wait('login_account', `${account} ${key}`, times)) > 0) crowded = true
  if ((await app.limits.wait('login_anywhere', account)) > 0) crowded = true
  if (crowded && !(await app.limits.slowDown(ip))) throw tooOften(2)
  return false
}

/** Gives the turns back, after the right password or a new one. */
export async function forgetGuesses(app: Limited, account: string, { ip, cookie }: Asking): Promise<void> {
  const device = knownDevice(app, account, cookie)
  if (device !== null) await app.limits.clear('login_device', device)
  await app.limits.clear('login_account', senderOn(account, ip))
  await app.limits.clear('login_anywhere', account)
}

function senderOn(account: string, ip: string): string {
  return `${account} ${network(ip)}`
}
