// The two addresses a browser is sent through: out to another provider, and back with a ticket for /sso.
import { type Context, Hono } from 'hono'
import { SSO_LIFE_S } from '#contract/limits.ts'
import { SSO_ERRORS, type SsoError, TICKET_LIFE_S } from '#contract/oauth.ts'
import { judgeReturnTo } from '#contract/return-to.ts'
import type { SsoProvider } from '../config.ts'
import type { App } from '../context.ts'
import { inTransaction } from '../events/transaction.ts'
import { clientAddress } from '../http/address.ts'
import { secureHeaders } from '../http/secure.ts'
import { beginFlow, finishFlow, SsoFailure, ticketFor } from './flow.ts'
import { bindingCookie, secret } from './tickets.ts'

const HERE = '/api/v1/sso'

/** GET /{provider}/start?return_to= and GET /{provider}/callback, to be mounted under /api/v1/sso. */
export function ssoDoor(app: App): Hono {
  const router = new Hono()
  const serve = (step: (c: Context, provider: SsoProvider) => Promise<Response>) => async (c: Context) => {
    const provider = app.config.sso_providers.find(({ id }) => id === c.req.param('provider'))
    try {
      if (!provider) throw new SsoFailure('failed', 'no such provider')
      if ((await app.limits.waitFrom('sso_ip', clientAddress(app.config, c))) > 0)
        throw new SsoFailure('failed', 'too often')
      return await step(c, provider)
    } catch (error) {
      return refuse(app, error, provider)
    }
  }
  router.get(
    '/:provider/start',
    serve(async (c, provider) => {
      const { location, cookie } = await beginFlow(app, provider, returnTo(c.req.query('return_to')))
      return redirect(app, location, [setCookie(app, cookie.name, cookie.value, HERE, SSO_LIFE_S)])
    }),
  )
  router.get(
    '/:provider/callback',
    serve(async (c, provider) => {
      const query = new URL(c.req.url).searchParams
      const back = await finishFlow(app, provider, query, c.req.header('cookie') ?? '')
      const binding = secret()
      const ticket = await inTransaction(app, (tx) => ticketFor(tx, back.person, binding))
      const to = new URLSearchParams({ ticket, ...(back.return_to && { returnTo: back.return_to }) })
      return redirect(app, `/sso?${to}`, [
        setCookie(app, back.cookie, '', HERE, 0),
        setCookie(app, bindingCookie(app.config, ticket), binding, '/api/v1/user', TICKET_LIFE_S.link),
      ])
    }),
  )
  return router
}

function refuse(app: App, error: unknown, provider: SsoProvider | undefined): Response {
  const known = error instanceof SsoFailure
  const reason: SsoError = known ? error.reason : (SSO_ERRORS[3] as SsoError)
  const told = { reason, provider: provider?.id, why: known ? error.message : undefined }
  // The library's own errors carry what the provider had answered, tokens included: only their code is written down.
  const code = known ? codeOf(error.cause) : undefined
  if (known) app.log.warn({ ...told, code }, 'sign-in through a provider')
  else app.log.error({ ...told, err: error }, 'sign-in through a provider')
  return redirect(app, `/sso?error=${reason}`, [])
}

/** A page of ours to go on to, else null. */
const returnTo = (asked: string | undefined) => judgeReturnTo(asked, (value, base) => new URL(value, base))

function codeOf(cause: unknown): string | undefined {
  if (typeof cause !== 'object' || cause === null) return undefined
  const { code, error } = cause as { code?: unknown; error?: unknown }
  return [code, error].filter((one) => typeof one === 'string').join(' ') || undefined
}

function setCookie(app: App, name: string, value: string, path: string, life_s: number): string {
  const secure = app.config.public_url.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=${path}; Max-Age=${life_s}; HttpOnly; SameSite=Lax${secure}`
}

function redirect(app: App, location: string, cookies: readonly string[]): Response {
  const headers = new Headers({
    ...secureHeaders(app.config.public_url),
    location,
    'cache-control': 'no-store',
  })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}
