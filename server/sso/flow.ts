// One sign-in at another provider: the way there and back, with state, nonce and PKCE kept in a sealed cookie.

import { randomBytes } from 'node:crypto'
import type { Configuration } from 'openid-client'
import * as z from 'zod/mini'
import { ApiError } from '#contract/errors.ts'
import { SSO_LIFE_S } from '#contract/limits.ts'
import { type SsoError, TICKET_LIFE_S } from '#contract/oauth.ts'
import { email as emailOf } from '#contract/session.ts'
import type { Config, SsoProvider } from '../config.ts'
import type { App, Tx } from '../context.ts'
import type { Db, TicketRow } from '../db/schema.ts'
import { cookiePrefix } from '../http/secure.ts'
import { newId } from '../ids.ts'
import { plainName } from '../mail/messages.ts'
import { hashed } from '../oidc/provider.ts'
import {
  addAccount,
  closeSession,
  deviceLabel,
  findAccount,
  openSession,
  readCookie,
} from '../session/store.ts'

// One-time tickets: from another provider, a mail or the Telegram bot to a session. Only their SHA-256 is stored.

/** Letters that cannot be guessed: 256 bits. */
export const secret = (): string => randomBytes(32).toString('base64url')

/** Makes a ticket for a person; gives what the link carries. `binding` = the secret in the cookie of the one browser that may use it. */
export async function makeTicket(
  tx: Tx,
  kind: TicketRow['kind'],
  uid: string,
  more: { binding?: string; provider?: string; subject?: string; receiver_id?: string } = {},
): Promise<string> {
  const ticket = secret()
  await tx.db
    .insertInto('tickets')
    .values({
      id_hash: hashed(ticket),
      kind,
      uid,
      provider: more.provider ?? null,
      subject: more.subject ?? null,
      binding_hash: more.binding === undefined ? null : hashed(more.binding),
      created_at: tx.at,
      expires_at: new Date(Date.parse(tx.at) + TICKET_LIFE_S[kind] * 1_000).toISOString(),
      used_at: null,
      sid: null,
      receiver_id: more.receiver_id ?? null,
    })
    .execute()
  return ticket
}

/** The name of the cookie that holds a ticket's binding: each ticket has its own, so that two tabs do not disturb each other. */
export function bindingCookie(config: Pick<Config, 'public_url'>, ticket: string): string {
  return `${cookiePrefix(config)}lb_ticket_${hashed(ticket).slice(0, 10)}`
}

/** The ticket, when it may still be used in this browser; ApiError 4100 otherwise. A used one comes back with `used_at`. */
export async function findTicket(
  { config }: Pick<App, 'config'>,
  db: Db,
  ticket: string,
  cookie: string,
  now: string,
): Promise<TicketRow> {
  const row = await db
    .selectFrom('tickets')
    .selectAll()
    .where('id_hash', '=', hashed(ticket))
    .executeTakeFirst()
  if (!row) throw spent('ticket unknown')
  if (row.used_at !== null) return row
  if (row.expires_at <= now) throw spent('ticket expired')
  if (row.binding_hash !== null) {
    const bound = readCookie(cookie, bindingCookie(config, ticket))
    if (bound === null || hashed(bound) !== row.binding_hash) throw spent('ticket of another browser')
  }
  return row
}

/** Uses it up and opens the session; null when it was used already: then the session it had opened is ended. */
export async function redeem(app: App, tx: Tx, row: TicketRow, user_agent: string): Promise<string | null> {
  const sid = newId()
  const won = await tx.db
    .updateTable('tickets')
    .set({ used_at: tx.at, sid })
    .where('id_hash', '=', row.id_hash)
    .where('used_at', 'is', null)
    .returning(['uid', 'receiver_id'])
    .executeTakeFirst()
  if (won) {
    const { uid, receiver_id } = won
    return openSession(app, tx, { uid, sid, device_label: deviceLabel(user_agent), receiver_id })
  }
  const first = await tx.db
    .selectFrom('tickets')
    .select(['uid', 'sid'])
    .where('id_hash', '=', row.id_hash)
    .executeTakeFirst()
  const opened = first?.sid
  if (first && opened && (await closeSession(tx, first.uid, opened)))
    tx.afterCommit(() => app.events.endSession(opened))
  return null
}

/** The refusal of a ticket that is over. */
export function spent(msg: string): ApiError {
  return new ApiError(4100, { msg, text: '這個登入連結已過期或不完整，請重新登入' })
}

/** The refusal of a second use. */
export function reused(): ApiError {
  return new ApiError(4100, {
    msg: 'ticket used before; the session it opened is ended',
    text: '這個登入連結已經用過。為了保護你，先前用它開啟的登入也已結束，請重新登入',
  })
}

// Whose account somebody from another provider gets: their own, a new one, or after its password an existing one.

/**
 * A ticket for them. An address alone never opens an account that exists (6031 asks for its password), and neither does an
 * identity whose address nobody had verified, once the account has a password: its owner may have set that by mail.
 */
export async function ticketFor(tx: Tx, person: SsoPerson, binding: string): Promise<string> {
  const { provider, subject } = person
  const who = { binding, provider: provider.id, subject }
  const known = await tx.db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.uid')
    .select(['users.id', 'users.password_hash', 'identities.confirmed'])
    .where('provider', '=', provider.id)
    .where('subject', '=', subject)
    .executeTakeFirst()
  if (known) {
    const own = known.confirmed === 1 || known.password_hash === null
    return makeTicket(tx, own ? 'sso' : 'link', known.id, who)
  }
  const uid = newId()
  const { email, email_verified, name } = person
  if (!(await addAccount(tx, { id: uid, email, name, password_hash: null, email_verified }))) {
    const owner = await findAccount(tx.db, email)
    if (!owner) throw new Error('an account vanished while it was looked for')
    return makeTicket(tx, 'link', owner.id, who)
  }
  await connect(tx, { provider: provider.id, subject, uid, confirmed: email_verified })
  return makeTicket(tx, 'sso', uid, who)
}

/** From now on this identity opens that account. */
export async function connect(
  tx: Tx,
  {
    provider,
    subject,
    uid,
    confirmed,
  }: { provider: string; subject: string; uid: string; confirmed: boolean },
): Promise<void> {
  const fresh = { uid, confirmed: confirmed ? 1 : 0, last_used_at: tx.at }
  await tx.db
    .insertInto('identities')
    .values({ provider, subject, created_at: tx.at, ...fresh })
    .onConflict((conflict) => conflict.columns(['provider', 'subject']).doUpdateSet(fresh))
    .execute()
}

const DISCOVERY_KEPT_MS = 3_600_000
const TIMEOUT_S = 10

/** What a provider says about somebody. */
interface SsoPerson {
  readonly provider: SsoProvider
  readonly subject: string
  readonly email: string
  readonly email_verified: boolean
  readonly name: string
}

/** Why it did not work, as /sso is told. */
export class SsoFailure extends Error {
  readonly reason: SsoError
  constructor(reason: SsoError, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'SsoFailure'
    this.reason = reason
  }
}

const kept = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  return_to: z.nullable(z.string()),
  until_ms: z.number(),
})

const discovered = new Map<string, { at_ms: number; configuration: Promise<Configuration> }>()

/** Where the browser goes, and the cookie it takes along. SsoFailure when the provider cannot be reached. */
export async function beginFlow(
  app: App,
  provider: SsoProvider,
  return_to: string | null,
): Promise<{ location: string; cookie: { name: string; value: string } }> {
  const library = await import('openid-client')
  const configuration = await discover(app, provider)
  const state = library.randomState()
  const nonce = library.randomNonce()
  const verifier = library.randomPKCECodeVerifier()
  const location = library.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackOf(app, provider),
    scope: provider.scopes,
    state,
    nonce,
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const until_ms = app.now() + SSO_LIFE_S * 1_000
  const value = app.keys.seal(
    JSON.stringify({ provider: provider.id, state, nonce, verifier, return_to, until_ms }),
  )
  return { location: location.href, cookie: { name: cookieOf(app, state), value } }
}

/** Who came back, and where they wanted to go. `query` as it stands in the address. */
export async function finishFlow(
  app: App,
  provider: SsoProvider,
  query: URLSearchParams,
  cookies: string,
): Promise<{ person: SsoPerson; return_to: string | null; cookie: string }> {
  const cookie = cookieOf(app, query.get('state') ?? '')
  const begun = openKept(app, readCookie(cookies, cookie))
  if (!begun || begun.provider !== provider.id || begun.until_ms <= app.now())
    throw new SsoFailure('expired', 'no such sign-in was begun in this browser')
  if (begun.state !== query.get('state')) throw new SsoFailure('expired', 'state does not fit')
  if (query.get('error') === 'access_denied') throw new SsoFailure('denied', 'the person said no')
  const library = await import('openid-client')
  const configuration = await discover(app, provider)
  const address = new URL(callbackOf(app, provider))
  address.search = query.toString()
  try {
    const tokens = await library.authorizationCodeGrant(configuration, address, {
      expectedState: begun.state,
      expectedNonce: begun.nonce,
      pkceCodeVerifier: begun.verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new SsoFailure('failed', 'no ID token')
    const more =
      claims['email'] === undefined
        ? await library.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : claims
    return { person: personOf(provider, claims.sub, more), return_to: begun.return_to, cookie }
  } catch (error) {
    if (error instanceof SsoFailure) throw error
    throw new SsoFailure('failed', 'the answer was refused', error)
  }
}

function personOf(provider: SsoProvider, subject: string, claims: Record<string, unknown>): SsoPerson {
  const address = emailOf().safeParse(claims['email'])
  if (!address.success || subject.length > 255) throw new SsoFailure('email', 'no usable e-mail address')
  const email = address.data
  const given = [claims['name'], claims['preferred_username'], email.split('@')[0]]
  const names = given.map((one) => (typeof one === 'string' ? plainName(one) : ''))
  return {
    provider,
    subject,
    email,
    // Some providers write it as text.
    email_verified: claims['email_verified'] === true || claims['email_verified'] === 'true',
    name: [...(names.find((one) => one !== '') ?? email)].slice(0, 60).join(''),
  }
}

/** The provider's own description of itself, asked for once an hour; a failure is not kept. */
function discover(app: App, provider: SsoProvider): Promise<Configuration> {
  const { issuer, client_id } = provider
  const key = `${issuer}\n${client_id}`
  const known = discovered.get(key)
  if (known && app.now() - known.at_ms < DISCOVERY_KEPT_MS) return known.configuration
  const configuration = fetchConfiguration(provider).catch((error: unknown) => {
    discovered.delete(key)
    throw new SsoFailure('failed', 'the provider cannot be reached', error)
  })
  discovered.set(key, { at_ms: app.now(), configuration })
  return configuration
}

async function fetchConfiguration(provider: SsoProvider): Promise<Configuration> {
  const library = await import('openid-client')
  const { issuer, client_id, client_secret } = provider
  const auth: import('openid-client').ClientAuth =
    client_secret === null
      ? library.None()
      : (as, ...rest) => {
          const methods = as.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
          const way = methods.includes('client_secret_basic')
            ? library.ClientSecretBasic
            : library.ClientSecretPost
          return way(client_secret)(as, ...rest)
        }
  return library.discovery(new URL(issuer), client_id, undefined, auth, {
    timeout: TIMEOUT_S,
    execute: [
      // The signature too, not only the line it came by.
      library.enableNonRepudiationChecks,
      ...(issuer.startsWith('http:') ? [library.allowInsecureRequests] : []),
    ],
  })
}

const callbackOf = (app: App, { id }: SsoProvider) => `${app.config.public_url}/api/v1/sso/${id}/callback`
const cookieOf = ({ config }: Pick<App, 'config'>, state: string) =>
  `${cookiePrefix(config)}lb_sso_${state.replace(/[^\w-]/g, '').slice(0, 10)}`

function openKept(app: App, value: string | null): z.infer<typeof kept> | null {
  if (value === null) return null
  try {
    return kept.parse(JSON.parse(app.keys.unseal(value)))
  } catch {
    return null // altered, or sealed with another key: as if there were none
  }
}
