// Tickets for sessions, linking with a password, and which providers there are.
import { type Context, Hono } from 'hono'
import { ApiError } from '#contract/errors.ts'
import { SSO_LIFE_S } from '#contract/limits.ts'
import {
  linkSso,
  listSsoProviders,
  SSO_ERRORS,
  type SsoError,
  TICKET_LIFE_S,
  tokenLogin,
} from '#contract/oauth.ts'
import { judgeReturnTo } from '#contract/return-to.ts'
import type { SsoProvider } from '../config.ts'
import type { App } from '../context.ts'
import { inTransaction } from '../events/append.ts'
import { clientAddress } from '../http/address.ts'
import { handlePublic, type Route } from '../http/handle.ts'
import { secureHeaders } from '../http/secure.ts'
import { trySignIn } from '../session/passwords.ts'
import { rememberDevice } from '../session/store.ts'
import {
  beginFlow,
  bindingCookie,
  connect,
  findTicket,
  finishFlow,
  redeem,
  reused,
  SsoFailure,
  secret,
  spent,
  ticketFor,
} from './flow.ts'

// The two addresses a browser is sent through: out to another provider, and back with a ticket for /sso.

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

export function ssoRoutes(app: App): Route[] {
  return [
    handlePublic(app, listSsoProviders, () =>
      Promise.resolve(app.config.sso_providers.map(({ id, name, icon }) => ({ id, name, icon }))),
    ),

    handlePublic(app, tokenLogin, {
      // In a transaction of its own: a second use is refused and still ends the session of the first.
      async prepare({ input, request }) {
        const redeemed = () =>
          inTransaction(app, async (tx) => {
            const row = await findTicket(app, tx.db, input.ticket, request.cookie, tx.at)
            if (row.kind === 'link' && row.used_at === null) throw new ApiError(6031)
            const opened = await redeem(app, tx, row, request.user_agent)
            if (opened !== null && row.provider !== null && row.subject !== null)
              await tx.db
                .updateTable('identities')
                .set({ last_used_at: tx.at })
                .where('provider', '=', row.provider)
                .where('subject', '=', row.subject)
                .execute()
            return opened
          })
        const token = await app.guesses.lookUp('ticket_ip', request.ip, redeemed)
        if (token === null) throw reused()
        return token
      },
      run: ({ prepared }) => Promise.resolve({ access_token: prepared }),
    }),

    handlePublic(app, linkSso, {
      async prepare({ input, request }) {
        const find = () => findTicket(app, app.db, input.ticket, request.cookie, request.at)
        const row = await app.guesses.lookUp('ticket_ip', request.ip, find)
        const { provider, subject } = row
        if (row.used_at !== null) throw reused()
        if (row.kind !== 'link' || provider === null || subject === null) throw spent('no ticket for linking')
        const owner = await app.db
          .selectFrom('users')
          .select(['email', 'password_hash'])
          .where('id', '=', row.uid)
          .executeTakeFirst()
        if (!owner) {
          // The same work as for an account that is there.
          await app.passwords.fits(null, input.password)
          throw new ApiError(6002)
        }
        await trySignIn(app, owner.email, request, async (first) =>
          (await app.passwords.fits(owner.password_hash, input.password, first)) ? owner : null,
        )
        request.setCookie(rememberDevice(app, owner.email, request.cookie))
        const token = await inTransaction(app, async (tx) => {
          const opened = await redeem(app, tx, row, request.user_agent)
          if (opened !== null) await connect(tx, { provider, subject, uid: row.uid, confirmed: true })
          return opened
        })
        if (token === null) throw reused()
        return token
      },
      run: ({ prepared }) => Promise.resolve({ access_token: prepared }),
    }),
  ]
}
