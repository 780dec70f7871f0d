// Reads the tokens of other people's applications: only on endpoints that declare a scope, only while the grant stands (ruling A20).
import { ApiError } from '#contract/errors.ts'
import { grantSid, PERSON, type ReadBearer } from '../access/actor.ts'
import type { App } from '../context.ts'
import type { Oidc } from './provider.ts'
import { hashed } from './store.ts'

/** The reader of a provider's tokens; without a provider there are none. */
export function bearersOf(app: Pick<App, 'db' | 'now'>, oidc: Oidc | null): ReadBearer {
  if (!oidc) return () => Promise.resolve(null)
  const { provider, clients } = oidc
  return async (token, endpoint) => {
    const found = await provider.AccessToken.find(token)
    if (!found?.grantId || !found.accountId || !clients.has(found.clientId ?? '')) return null
    const grant_hash = hashed(found.grantId)
    const now = new Date(app.now()).toISOString()
    // The token's own row was just read; the grant and the person are asked here, so that a withdrawal counts at once.
    const person = await app.db
      .selectFrom('oidc_rows')
      .innerJoin('users', 'users.id', 'oidc_rows.account')
      .select(['users.id', ...PERSON])
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
}
