// The OpenID provider under /oidc: a certified library with the strictest of its settings (RFC 9700).
import { createHash, createHmac, generateKeyPairSync, type JsonWebKey, randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener } from 'node:http'
import { join } from 'node:path'
import type {
  Adapter,
  AdapterConstructor,
  AdapterPayload,
  Configuration,
  errors,
  Provider,
} from 'oidc-provider'
import { ApiError } from '#contract/errors.ts'
import { ASKING_LIFE_S, CONSENT_LIFE_S } from '#contract/limits.ts'
import { OAUTH_SCOPES } from '#contract/oauth.ts'
import { grantSid, PERSON, type ReadBearer } from '../access/actor.ts'
import { pageColours } from '../brand.ts'
import { type Config, isWeb, type OAuthClient } from '../config.ts'
import type { App } from '../context.ts'
import { addressOf } from '../http/address.ts'
import { cookiePrefix, formPolicy, readingPolicy, secureHeaders } from '../http/secure.ts'
import { type Keys, pairOf, readOrMake } from '../keys.ts'
import { type Rates, tooOften } from '../limits/rate.ts'

// Where the provider keeps its things: our database, ids as SHA-256 and payloads sealed, so that a copy of the table opens nothing.

/** What stands in the table instead of an id. */
export function hashed(id: string): string {
  return createHash('sha256').update(id).digest('base64url')
}

type StoreParts = Pick<App, 'db' | 'keys' | 'now'>

/** One model's things. `spent` makes the error of a second use that came at the same moment. */
export class OidcStore implements Adapter {
  readonly #app: StoreParts
  readonly #model: string
  readonly #spent: () => Error

  constructor(app: StoreParts, model: string, spent: () => Error) {
    this.#app = app
    this.#model = model
    this.#spent = spent
  }

  async upsert(id: string, payload: AdapterPayload, expires_in_s: number): Promise<void> {
    const now_ms = this.#app.now()
    const fresh = {
      grant_hash: this.#model === 'Grant' ? hashed(id) : payload.grantId ? hashed(payload.grantId) : null,
      uid_hash: payload.uid ? hashed(payload.uid) : null,
      // The provider's session remembers nobody: who signs in is asked at our own page, every time.
      account: this.#model === 'Session' ? null : (payload.accountId ?? null),
      client_id: payload.clientId ?? null,
      payload: this.#app.keys.seal(JSON.stringify(this.#model === 'Session' ? nobody(payload) : payload)),
      expires_at: new Date(now_ms + expires_in_s * 1_000).toISOString(),
    }
    await this.#app.db
      .insertInto('oidc_rows')
      .values({
        model: this.#model,
        id_hash: hashed(id),
        created_at: new Date(now_ms).toISOString(),
        consumed_at: null,
        ...fresh,
      })
      .onConflict((conflict) => conflict.columns(['model', 'id_hash']).doUpdateSet(fresh))
      .execute()
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    return this.#one('id_hash', id)
  }

  findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#one('uid_hash', uid)
  }

  /** Only for devices without a browser, which we do not offer. */
  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  /** Marks it used; of two at the same moment one fails and takes what the grant holds with it, as every second use does. */
  async consume(id: string): Promise<void> {
    const { db, now } = this.#app
    const row = await db
      .updateTable('oidc_rows')
      .set({ consumed_at: new Date(now()).toISOString() })
      .where('model', '=', this.#model)
      .where('id_hash', '=', hashed(id))
      .where('consumed_at', 'is', null)
      .returning('id_hash')
      .executeTakeFirst()
    if (row) return
    const used = await this.find(id)
    if (used?.grantId) await this.revokeByGrantId(used.grantId)
    throw this.#spent()
  }

  async destroy(id: string): Promise<void> {
    await this.#app.db
      .deleteFrom('oidc_rows')
      .where('model', '=', this.#model)
      .where('id_hash', '=', hashed(id))
      .execute()
  }

  /** The grant and all that was issued under it, of every model. */
  async revokeByGrantId(grant_id: string): Promise<void> {
    await this.#app.db.deleteFrom('oidc_rows').where('grant_hash', '=', hashed(grant_id)).execute()
  }

  async #one(column: 'id_hash' | 'uid_hash', value: string): Promise<AdapterPayload | undefined> {
    const row = await this.#app.db
      .selectFrom('oidc_rows')
      .select(['payload', 'consumed_at'])
      .where('model', '=', this.#model)
      .where(column, '=', hashed(value))
      .executeTakeFirst()
    if (!row) return undefined
    const payload = JSON.parse(this.#app.keys.unseal(row.payload)) as AdapterPayload
    return row.consumed_at === null ? payload : { ...payload, consumed: Date.parse(row.consumed_at) / 1_000 }
  }
}

function nobody({
  accountId: _account,
  loginTs: _at,
  authorizations: _grants,
  ...rest
}: AdapterPayload): AdapterPayload {
  return rest
}

// The provider's own secrets: the ES256 key of its ID tokens in a file only the owner may read, and the key of its cookies.

interface OidcKeys {
  /** The first one signs; older ones stay so that what they signed can still be checked. */
  readonly jwks: { keys: JsonWebKey[] }
  readonly cookies: string[]
}

/** Made from KEYS where those are given, else of `data_dir`/keys/oidc.json, which is made when it is absent. */
export function openOidcKeys(
  { data_dir, keys: given }: Pick<Config, 'data_dir'> & Partial<Pick<Config, 'keys'>>,
  keys: Pick<Keys, 'jwt' | 'purpose'>,
): OidcKeys {
  const cookies = [createHmac('sha256', keys.jwt).update('oidc cookies').digest('base64url')]
  if (given) return { jwks: { keys: [jwkOf(pairOf(keys, 'oidc'))] }, cookies }
  const path = join(data_dir, 'keys', 'oidc.json')
  const text = readOrMake(path, () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: randomUUID() }
    return `${JSON.stringify({ keys: [key] })}\n`
  })
  try {
    const jwks = JSON.parse(text) as OidcKeys['jwks']
    if (jwks.keys.some(({ kty, d }) => kty === 'EC' && typeof d === 'string')) return { jwks, cookies }
  } catch (error) {
    throw new Error(`金鑰檔 ${path} 已損壞。請從備份還原，或移走它以產生新的`, { cause: error })
  }
  throw new Error(`金鑰檔 ${path} 裡沒有 ES256 的私鑰。請從備份還原，或移走它以產生新的`)
}

function jwkOf({ private: d, public: open }: { private: string; public: string }): JsonWebKey {
  const point = Buffer.from(open, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const kid = createHash('sha256').update(point).digest('base64url').slice(0, 16)
  return { kty: 'EC', crv: 'P-256', x, y, d, use: 'sig', alg: 'ES256', kid } as JsonWebKey
}

// What a person sees when an application sent them here with a request that cannot be answered to it.

const STYLE = `${pageColours('ground', 'ink')}body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.6 system-ui,sans-serif;background:var(--ground);color:var(--ink)}main{max-width:26rem;padding:2rem}h1{font-size:1.25rem}p{margin:.5rem 0}code{font-size:.85rem;opacity:.7}a{color:inherit}`

const WORDS: Record<string, string> = {
  invalid_client: '這個應用程式沒有在凌波登記。',
  invalid_redirect_uri: '應用程式要求回到的網址，和它登記的不一樣。為了保護你，已停在這裡。',
  server_error: '伺服器發生問題，請稍後再試。',
}

/** The page and its policy. `error` is the provider's own code; what the application sent is never shown. */
function errorPage(error: string): { html: string; policy: string } {
  const code = /^[a-z_]{1,60}$/.test(error) ? error : 'invalid_request'
  const words = WORDS[code] ?? '授權要求已過期，或內容不正確。'
  const html = `<!doctype html><html lang="zh-Hant-TW"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>無法授權 · 凌波</title><style>${STYLE}</style></head><body><main><h1>無法授權這個應用程式</h1><p>${words}</p><p>請回到那個應用程式重新開始，或告訴它的開發者。</p><p><code>${code}</code></p><p><a href="/">回到凌波</a></p></main></body></html>`
  return { html, policy: readingPolicy(html) }
}

const MINUTE_S = 60
const DAY_S = 86_400
/** Seconds. */
const LIFE_S = {
  AuthorizationCode: MINUTE_S,
  AccessToken: 60 * MINUTE_S,
  IdToken: 60 * MINUTE_S,
  Interaction: ASKING_LIFE_S,
  Session: 30 * MINUTE_S,
  RefreshToken: 30 * DAY_S,
  Grant: CONSENT_LIFE_S,
}

/** The running provider, and what it does not know of its clients. */
export interface Oidc {
  readonly provider: Provider
  readonly clients: ReadonlyMap<string, OAuthClient>
  /** Where it stands: `PUBLIC_URL`/oidc. */
  readonly issuer: string
  /** What its key is known by. */
  readonly mark: string
}

declare module '../context.ts' {
  interface App {
    /** Sign-in for applications of others; null when none is configured. */
    readonly oidc: Oidc | null
  }
}

type OidcParts = Pick<App, 'config' | 'db' | 'keys' | 'now' | 'log'>

/** Opens the provider; null when OAUTH_CLIENTS names nobody (then the library is not even loaded). */
export async function openOidc(app: OidcParts): Promise<Oidc | null> {
  const { oauth_clients, public_url } = app.config
  if (oauth_clients.length === 0) return null
  const library = await import('oidc-provider')
  const issuer = `${public_url}/oidc`
  const keys = openOidcKeys(app.config, app.keys)
  const provider = new library.default(issuer, configuration(app, keys, library.errors))
  // The mount has overwritten the headers that say how people come: only our own word is in them.
  provider.proxy = true
  provider.use(async (ctx, next) => {
    await next()
    // The page that posts its form on to the application: ours have theirs already.
    if (ctx.response.is('html') && !ctx.response.get('content-security-policy'))
      ctx.set('content-security-policy', formPolicy(String(ctx.body)))
  })
  provider.on('server_error', (_ctx, error) => app.log.error({ err: error, where: 'oidc' }, 'fault'))
  const clients = new Map(oauth_clients.map((client) => [client.client_id, client]))
  const mark = hashed(keys.jwks.keys.map(({ x }) => x).join())
  return { provider, clients, issuer, mark }
}

function configuration(
  app: OidcParts,
  keys: ReturnType<typeof openOidcKeys>,
  { InvalidGrant }: typeof errors,
): Configuration {
  class Store extends OidcStore implements Adapter {
    constructor(model: string) {
      super(app, model, () => new InvalidGrant('already consumed'))
    }
  }
  const prefix = cookiePrefix(app.config)
  return {
    adapter: Store as AdapterConstructor,
    clients: app.config.oauth_clients.map(clientMetadata),
    jwks: keys.jwks as NonNullable<Configuration['jwks']>,
    cookies: {
      keys: keys.cookies,
      long: { httpOnly: true, sameSite: 'lax', signed: true, path: '/oidc' },
      // The decision is called under /api and answered under /oidc: both need it.
      short: { httpOnly: true, sameSite: 'lax', signed: true, path: '/' },
      names: {
        session: `${prefix}oidc_session`,
        // The only one of them that stands at the root, as this name asks.
        interaction: `${prefix && '__Host-'}oidc_interaction`,
        resume: `${prefix}oidc_resume`,
      },
    },
    responseTypes: ['code'],
    pkce: { required: () => true },
    scopes: [...OAUTH_SCOPES],
    claims: {
      openid: ['sub'],
      profile: ['name', 'picture'],
      email: ['email', 'email_verified'],
    },
    subjectTypes: ['public'],
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    acceptQueryParamAccessTokens: false,
    allowOmittingSingleRegisteredRedirectUri: false,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      // One token serves userinfo and our calls: both are ours, and each call asks the grant anyway.
      resourceIndicators: { enabled: false },
      revocation: { enabled: true },
      userinfo: { enabled: true },
    },
    ttl: LIFE_S,
    // What ends access is the grant, never the cookie of a browser.
    expiresWithSession: () => false,
    rotateRefreshToken: () => true,
    issueRefreshToken: (_ctx, client, code) =>
      client.grantTypeAllowed('refresh_token') && code.scopes.has('offline_access'),
    clientBasedCORS: () => false,
    interactions: { url: (_ctx, { uid }) => `/auth/oauth/authorize?interaction=${uid}` },
    findAccount: async (_ctx, id) => {
      const user = await app.db
        .selectFrom('users')
        .select(['name', 'email', 'email_verified', 'avatar'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (!user) return undefined
      const { name, email, email_verified, avatar } = user
      const picture = avatar === null ? undefined : new URL(avatar, app.config.public_url).href
      return {
        accountId: id,
        claims: () => ({ sub: id, name, picture, email, email_verified: email_verified === 1 }),
      }
    },
    renderError: (ctx, { error }) => {
      const { html, policy } = errorPage(error)
      ctx.type = 'html'
      ctx.set('content-security-policy', policy)
      ctx.body = html
    },
  }
}

function clientMetadata({ client_id, client_name, client_secret, redirect_uris, scopes }: OAuthClient) {
  return {
    client_id,
    client_name,
    ...(client_secret !== null && { client_secret }),
    token_endpoint_auth_method: client_secret === null ? ('none' as const) : ('client_secret_basic' as const),
    redirect_uris: [...redirect_uris],
    // "native" alone would let loopback addresses take any port: those stay "web" and are compared to the letter.
    application_type: redirect_uris.every(isWeb) ? ('web' as const) : ('native' as const),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code' as const],
    id_token_signed_response_alg: 'ES256' as const,
    scope: scopes.join(' '),
  }
}

// Puts the provider beside our own doors on one port: it must believe PUBLIC_URL, not what a request says of its host.

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
