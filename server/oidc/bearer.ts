// Reads the tokens of other people's applications: only on endpoints that declare a scope, only while the grant stands (ruling A20).
import type { Endpoint } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import type { EventKind } from '#contract/events.ts'
import type { TokenClaims } from '#contract/session.ts'
import type { Actor, App } from '../context.ts'
import { hashed } from './store.ts'

/** In place of a session's id: streams of a revoked grant end by it. */
export const grantSid = (grant_hash: string): string => `grant:${grant_hash}`

/** What `signals:read` stands for on the event stream. */
const SIGNAL_EVENTS: ReadonlySet<EventKind> = new Set(['signal', 'signal-voided', 'reset'])

/** True when this caller may hear such events: people everything, applications only signals. */
export function mayHear(actor: Pick<Actor, 'sid'>, kind: EventKind): boolean {
  return !actor.sid.startsWith(grantSid('')) || SIGNAL_EVENTS.has(kind)
}

/** Who the token speaks for, as a session row would say it. */
export interface Bearer {
  readonly claims: TokenClaims
  readonly name: string
  readonly email: string
  readonly email_verified: number
  readonly need_force_update_password: number
}

/** Null when the token is none of ours, has expired, or its grant is gone; ApiError 4034 when it may not call this endpoint. */
export async function readBearer(
  app: App,
  token: string,
  endpoint: Pick<Endpoint, 'scope'>,
): Promise<Bearer | null> {
  if (!app.oidc) return null
  const { provider, clients } = app.oidc
  const found = await provider.AccessToken.find(token)
  if (!found?.grantId || !found.accountId || !clients.has(found.clientId ?? '')) return null
  const grant_hash = hashed(found.grantId)
  const now = new Date(app.now()).toISOString()
  // The token's own row was just read; the grant and the person are asked here, so that a withdrawal counts at once.
  const person = await app.db
    .selectFrom('oidc_rows')
    .innerJoin('users', 'users.id', 'oidc_rows.account')
    .select([
      'users.id',
      'users.name',
      'users.email',
      'users.email_verified',
      'users.need_force_update_password',
    ])
    .where('oidc_rows.model', '=', 'Grant')
    .where('oidc_rows.id_hash', '=', grant_hash)
    .where('oidc_rows.account', '=', found.accountId)
    .where('oidc_rows.expires_at', '>', now)
    .executeTakeFirst()
  const exp = found.exp ?? 0
  if (!person || exp * 1_000 <= app.now()) return null
  if (!endpoint.scope || !found.scopes.has(endpoint.scope)) throw new ApiError(4034)
  const { id, ...rest } = person
  return { ...rest, claims: { uid: id, sid: grantSid(grant_hash), iat: found.iat, exp } }
}
