// Signing in: while the server is asked one is `authenticating`; then the token is kept, the personal context opens, the data starts (spec §4).
import { JUST_LOGGED_IN_MS } from '#contract/limits.ts'
import { getData } from '#data/current.ts'
import { profileQueries } from '#data/nouns/profile.ts'
import { ringing } from '#state/install.ts'
import { auth } from '#state/session.ts'
import { session } from './device.ts'
import { switched } from './switch.ts'
import { clearToasts } from './toast.ts'

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
