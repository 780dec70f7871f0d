// Signing in: while the server is asked one is `authenticating`; then the token is kept, the personal context opens, the data starts (spec §4).

import { proxy } from 'valtio'
import { JUST_LOGGED_IN_MS } from '#contract/limits.ts'
import { getData } from '#data/current.ts'
import { profileQueries } from '#data/nouns/profile.ts'
import { ringing } from '#state/install.ts'
import { auth } from '#state/session.ts'
import { SIGNED_OUT } from '#text/spec.ts'
import { session } from './device.ts'
import { switched } from './switch.ts'
import { clearToasts, toast } from './toast.ts'

/** Takes a token over. Throws `Error(無效的令牌數據)` for one without what it must have. */
export function signIn(access_token: string): void {
  const from = auth.org_id
  session.sign_in(access_token)
  clearToasts()
  ringing.asked = true
  setTimeout(() => session.clear_just_logged_in(), JUST_LOGGED_IN_MS)
  const data = getData()
  data.begin()
  switched(from, 'stay')
  // asked for now so that the shell finds it; what goes wrong is the shell's to show
  void data.query.prefetchQuery(profileQueries.mine())
}

/**
 * Asks for a token and signs in with it. A failure leaves `authentication_error` with what `words` says of it, and is
 * thrown on.
 */
export async function signInWith(
  ask: () => Promise<{ access_token: string }>,
  words: (error: unknown) => string,
): Promise<void> {
  session.authenticating()
  try {
    const { access_token } = await ask()
    signIn(access_token)
  } catch (error) {
    session.fail(words(error))
    throw error
  }
}

// Signing out: everything leaves this device, then the landing page (spec §4, §2). What still waits to be sent is asked about first.

/** The question 送出 / 保留 / 捨棄 stands on the screen. */
export const leaving = proxy({ asking: false })

/** Never rejects; with calls waiting it asks and leaves the rest to the question. The way to / is `on_signed_out` of start.ts, which also serves the other tabs. */
export async function signOut(): Promise<void> {
  if (getData().outbox.getSnapshot().rows.length > 0) leaving.asking = true
  else await leave()
}

/** Signs out without a question. Never rejects; what still waits stays on the device for its owner. */
export async function leave(): Promise<void> {
  leaving.asking = false
  await getData().signOut()
  toast({ title: SIGNED_OUT, icon: 'check' })
}
