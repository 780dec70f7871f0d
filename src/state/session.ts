// Who is signed in and in which context: the start-up rules and transitions of spec.md §4, the only writer of their keys.
import { jwtDecode } from 'jwt-decode'
import { proxy } from 'valtio'
import type { TokenClaims } from '#contract/session.ts'
import { preferences } from './preferences.ts'
import { createServerClock, KEYS, type ServerClock, type StorageLike } from './storage.ts'

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

/** What is stored of the person beside the token (wire §1). */
export interface StoredUser {
  id: string
  role: 'user'
  defaultContext: 'personal'
}

/** The session's one owner. Satisfies `SessionPort` of src/data. */
export interface SessionOwner {
  /** The server's clock as this device knows it: what expiry is judged by. */
  readonly clock: ServerClock
  /** Applies the start-up rules; call once before the first render. */
  start(): AuthState
  /** Takes over the session that another tab has stored; what is incomplete yet is left alone. */
  resume(): AuthState
  authenticating(): void
  fail(message: string): void
  /** Stores token and user, personal context, privacy off, just-logged-in flag. Throws `Error(BAD_TOKEN)`. */
  sign_in(access_token: string): void
  /** Puts a renewed token in place of the old one; the identity stays. */
  renew(access_token: string): void
  token(): string | null
  uid(): string | null
  /** The stored user, null when absent or damaged. */
  user(): StoredUser | null
  /** The context of this tab. */
  org_id(): string | null
  /** The stored one, which another tab may have changed. */
  stored_org_id(): string | null
  claims(): TokenClaims | null
  set_organization(org_id: string | null): void
  just_logged_in(): boolean
  clear_just_logged_in(): void
  /** The switch that follows began with 管理 on /my-organizations. */
  from_my_organization(): boolean
  set_from_my_organization(on: boolean): void
  /** This tab only: what is stored is another tab's, or gone already. */
  forget(): void
  /** However the session ended, everything of it that spec §4 names goes. */
  clear(): void
}

const read = (token: string): Partial<TokenClaims> | null => {
  try {
    return jwtDecode<Partial<TokenClaims>>(token)
  } catch {
    return null // undecodable: the start-up rules treat it as no token
  }
}

const readUser = (text: string | null): StoredUser | null => {
  if (text === null) return null
  try {
    const user: unknown = JSON.parse(text)
    if (typeof user === 'object' && user !== null && 'id' in user && typeof user.id === 'string')
      return { id: user.id, role: 'user', defaultContext: 'personal' }
  } catch {
    return null // damaged: as if it were missing
  }
  return null
}

/** `now_ms` is the device's clock; expiry is compared in seconds (spec §4), by the server's clock where it is known. */
export function createSession(storage: StorageLike, now_ms: () => number): SessionOwner {
  const clock = createServerClock(storage, now_ms)
  const over = (exp: number) => exp <= clock.now() / 1000
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
  /** Whose complete and valid session is stored. */
  const stored = (): string | null => {
    const user = readUser(storage.getItem(KEYS.user))
    const found = claims()
    return user && found && found.uid === user.id && !over(found.exp) ? user.id : null
  }
  return {
    clock,
    start() {
      if (stored() === null) this.clear()
      return this.resume()
    },
    resume() {
      const uid = stored()
      return settle(uid, uid === null ? null : storage.getItem(KEYS.organization))
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
      if (!found?.uid || !found.exp || over(found.exp)) throw new Error(BAD_TOKEN)
      const user: StoredUser = { id: found.uid, role: 'user', defaultContext: 'personal' }
      remove('organization', 'from_my_organization')
      storage.setItem(KEYS.just_logged_in, '1')
      storage.setItem(KEYS.privacy, 'false')
      preferences.privacy = false
      // the token last: other tabs take the session over when they see it
      storage.setItem(KEYS.user, JSON.stringify(user))
      storage.setItem(KEYS.token, access_token)
      settle(found.uid, null)
    },
    renew(access_token) {
      if (auth.uid !== null && read(access_token)?.uid === auth.uid) storage.setItem(KEYS.token, access_token)
    },
    // Another tab may have renewed it, so it is read each time; the context is this tab's own (pwa.md §3.7).
    token: () => (auth.uid === null ? null : storage.getItem(KEYS.token)),
    uid: () => auth.uid,
    user: () => readUser(storage.getItem(KEYS.user)),
    org_id: () => auth.org_id,
    stored_org_id: () => storage.getItem(KEYS.organization),
    claims,
    set_organization(org_id) {
      if (org_id === null) remove('organization')
      else storage.setItem(KEYS.organization, org_id)
      if (auth.uid !== null) settle(auth.uid, org_id)
    },
    just_logged_in: () => storage.getItem(KEYS.just_logged_in) === '1',
    clear_just_logged_in: () => remove('just_logged_in'),
    from_my_organization: () => storage.getItem(KEYS.from_my_organization) === '1',
    set_from_my_organization(on) {
      if (on) storage.setItem(KEYS.from_my_organization, '1')
      else remove('from_my_organization')
    },
    forget() {
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
