// Who is signed in and in which context: the start-up rules and transitions of spec.md §4, the only writer of their keys.
import { jwtDecode } from 'jwt-decode'
import { proxy } from 'valtio'
import type { TokenClaims } from '#contract/session.ts'
import { preferences } from './preferences.ts'
import { KEYS, type StorageLike } from './storage.ts'

export type AuthState =
  | 'unauthenticated'
  | 'authenticating'
  | 'authenticated_personal'
  | 'authenticated_organization'
  | 'authentication_error'

/** What screens and guards read. `org_id` null = personal context. */
export const auth = proxy<{
  state: AuthState
  uid: string | null
  org_id: string | null
  error: string | null
}>({
  state: 'unauthenticated',
  uid: null,
  org_id: null,
  error: null,
})

/** Thrown by `sign_in` when the token lacks `uid` (spec §5). */
export const BAD_TOKEN = '無效的令牌數據'

/** The session's one owner. Satisfies `SessionPort` of src/data. */
export interface Session {
  /** Applies the start-up rules; call once before the first render. */
  start(): AuthState
  authenticating(): void
  fail(message: string): void
  /** Stores token and user, personal context, privacy off, just-logged-in flag. Throws `Error(BAD_TOKEN)`. */
  sign_in(access_token: string): void
  /** Puts a renewed token in place of the old one; the identity stays. */
  renew(access_token: string): void
  token(): string | null
  uid(): string | null
  org_id(): string | null
  claims(): TokenClaims | null
  set_organization(org_id: string | null): void
  /** On profile load: keeps the organization if it is one of these, otherwise personal. True when it was dropped. */
  adopt(organizations: readonly { id: string }[]): boolean
  just_logged_in(): boolean
  clear_just_logged_in(): void
  /** After a 401: token and user go, everything else stays. */
  drop_identity(): void
  /** Signing out: everything spec §4 names goes. */
  clear(): void
}

const read = (token: string): Partial<TokenClaims> | null => {
  try {
    return jwtDecode<Partial<TokenClaims>>(token)
  } catch {
    return null // undecodable: the start-up rules treat it as no token
  }
}

const readUser = (text: string | null): { id: string } | null => {
  if (text === null) return null
  try {
    const user: unknown = JSON.parse(text)
    if (typeof user === 'object' && user !== null && 'id' in user && typeof user.id === 'string')
      return { id: user.id }
  } catch {
    return null // damaged: as if it were missing
  }
  return null
}

/** `now_ms` is the device's clock; expiry is compared in seconds (spec §4). */
export function createSession(storage: StorageLike, now_ms: () => number): Session {
  const settle = (uid: string | null, org_id: string | null, error: string | null = null): AuthState => {
    auth.uid = uid
    auth.org_id = uid === null ? null : org_id
    auth.error = error
    auth.state =
      uid !== null
        ? org_id === null
          ? 'authenticated_personal'
          : 'authenticated_organization'
        : 'unauthenticated'
    return auth.state
  }
  const remove = (...keys: (keyof typeof KEYS)[]) => {
    for (const key of keys) storage.removeItem(KEYS[key])
  }
  const claims = (): TokenClaims | null => {
    const token = storage.getItem(KEYS.token)
    const found = token === null ? null : read(token)
    return found?.uid !== undefined && found.exp !== undefined
      ? { uid: found.uid, exp: found.exp, sid: found.sid ?? '', iat: found.iat ?? 0 }
      : null
  }
  return {
    start() {
      const user = readUser(storage.getItem(KEYS.user))
      const found = claims()
      if (!user || !found || found.uid !== user.id || found.exp <= now_ms() / 1000) {
        remove('token', 'user', 'organization')
        return settle(null, null)
      }
      return settle(user.id, storage.getItem(KEYS.organization))
    },
    authenticating() {
      auth.state = 'authenticating'
      auth.error = null
    },
    fail(message) {
      settle(null, null, message)
      auth.state = 'authentication_error'
    },
    sign_in(access_token) {
      const found = read(access_token)
      if (!found?.uid || !found.exp || found.exp <= now_ms() / 1000) throw new Error(BAD_TOKEN)
      storage.setItem(KEYS.token, access_token)
      storage.setItem(KEYS.user, JSON.stringify({ id: found.uid, role: 'user', defaultContext: 'personal' }))
      storage.setItem(KEYS.just_logged_in, '1')
      storage.setItem(KEYS.privacy, 'false')
      preferences.privacy = false
      remove('organization')
      settle(found.uid, null)
    },
    renew(access_token) {
      if (auth.uid !== null && read(access_token)?.uid === auth.uid) storage.setItem(KEYS.token, access_token)
    },
    // Another tab may have renewed it, so it is read each time; the context is this tab's own (pwa.md §3.7).
    token: () => (auth.uid === null ? null : storage.getItem(KEYS.token)),
    uid: () => auth.uid,
    org_id: () => auth.org_id,
    claims,
    set_organization(org_id) {
      if (org_id === null) remove('organization')
      else storage.setItem(KEYS.organization, org_id)
      if (auth.uid !== null) settle(auth.uid, org_id)
    },
    adopt(organizations) {
      if (auth.org_id === null || organizations.some(({ id }) => id === auth.org_id)) return false
      remove('organization')
      settle(auth.uid, null)
      return true
    },
    just_logged_in: () => storage.getItem(KEYS.just_logged_in) === '1',
    clear_just_logged_in: () => remove('just_logged_in'),
    drop_identity() {
      remove('token', 'user')
      settle(null, null)
    },
    clear() {
      remove(
        'token',
        'user',
        'organization',
        'strategy_list',
        'visited_strategies',
        'just_logged_in',
        'from_my_organization',
        'draft',
      )
      settle(null, null)
    },
  }
}
