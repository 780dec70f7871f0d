// Puts the provider beside our own doors on one port: it must believe PUBLIC_URL, not what a request says of its host.

import type { IncomingMessage, RequestListener } from 'node:http'
import { ApiError } from '#contract/errors.ts'
import { grantSid, PERSON, type ReadBearer } from '../access/actor.ts'
import type { Config } from '../config.ts'
import type { App } from '../context.ts'
import { addressOf } from '../http/address.ts'
import { secureHeaders } from '../http/secure.ts'
import { type Rates, tooOften } from '../limits/rate.ts'
import { hashed, type Oidc } from './provider.ts'

// Reads the tokens of other people's applications: only on endpoints that declare a scope, only while the grant stands (ruling A20).

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

const PREFIX = '/oidc'
const FORWARDED = ['x-forwarded-host', 'x-forwarded-port', 'x-forwarded-for', 'forwarded']

/** Everything under /oidc/ goes to the provider, the rest to `next`; without a provider all goes to `next`. */
export function mountOidc(
  app: { config: Config; limits: Rates; oidc: Oidc | null },
  next: RequestListener,
): RequestListener {
  const { oidc, config, limits } = app
  if (!oidc) return next
  const { host, protocol } = new URL(config.public_url)
  const serve = oidc.provider.callback()
  const headers = secureHeaders(config.public_url)
  return async (request, response) => {
    if (!request.url?.startsWith(`${PREFIX}/`)) return next(request, response)
    const from = addressOf(config, request.socket.remoteAddress ?? '', header(request, 'x-forwarded-for'))
    const wait_s = await limits.waitFrom('oidc_ip', from)
    if (wait_s > 0) {
      response.writeHead(429, {
        ...headers,
        'retry-after': String(wait_s),
        'content-type': 'text/plain; charset=utf-8',
      })
      return response.end(`${tooOften(wait_s).text}\n`)
    }
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    for (const name of FORWARDED) delete request.headers[name]
    request.headers.host = host
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
    // The library takes what is missing at the front for the place where it is mounted.
    Object.assign(request, { originalUrl: request.url })
    request.url = request.url.slice(PREFIX.length)
    return serve(request, response)
  }
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name]
  return (Array.isArray(value) ? value.join(',') : value) ?? ''
}
