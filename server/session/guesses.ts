// Passwords tried on one account: counted per sender, so that whoever guesses stops only themselves and never the owner at another place.
import type { App } from '../context.ts'
import { network } from './network.ts'

/** Takes a turn before a password is looked at; ApiError 4290 when there is none left. `account` is the address, `ip` whoever asks. */
export async function takeGuess(app: Pick<App, 'limits'>, account: string, ip: string): Promise<void> {
  await app.limits.take('login_account', senderOn(account, ip))
  // Only after the sender's own: what is refused there is no guess and costs the account nothing.
  await app.limits.take('login_anywhere', account)
}

/** Gives the turns back, after the right password or a new one. */
export async function forgetGuesses(app: Pick<App, 'limits'>, account: string, ip: string): Promise<void> {
  await app.limits.clear('login_account', senderOn(account, ip))
  await app.limits.clear('login_anywhere', account)
}

function senderOn(account: string, ip: string): string {
  return `${account} ${network(ip)}`
}
