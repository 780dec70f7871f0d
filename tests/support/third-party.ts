// An application of somebody else, as its developer would write it: oauth4webapi unmodified, and a browser with cookies.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as oauth from 'oauth4webapi'
import { decideInteraction, type OauthScope } from '#contract/oauth.ts'
import type { Person } from './people.ts'
import type { TestServer } from './server.ts'

export const REDIRECT = 'https://app.example.com/callback'
export const OTHER_REDIRECT = 'https://other.example.com/cb'
export const SECRET = 'other-secret-of-more-than-32-characters'

/** Two applications: one on a device, one on a server. Gives the path for OAUTH_CLIENTS. */
export function clientsFile(redirect_uris: string[] = [REDIRECT]): string {
  const path = join(mkdtempSync(join(tmpdir(), 'lingbo-clients-')), 'clients.json')
  const clients = [
    { client_id: 'robot', client_name: '下單機器人', redirect_uris },
    {
      client_id: 'other',
      client_name: '別的程式',
      client_secret: SECRET,
      redirect_uris: [OTHER_REDIRECT],
      scopes: ['openid', 'signals:read'],
    },
  ]
  writeFileSync(path, JSON.stringify(clients))
  return path
}

/** As much of a browser as redirects and cookies need; follows nothing by itself. */
export class Browser {
  readonly #cookies = new Map<string, { value: string; path: string }>()
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /** The Cookie header for a path of the server. */
  cookies(path: string): string {
    return [...this.#cookies]
      .filter(([, cookie]) => path.startsWith(cookie.path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
  }

  async get(address: string | URL, headers: Record<string, string> = {}): Promise<Response> {
    const url = new URL(address, this.#url)
    const own = url.origin === new URL(this.#url).origin
    const cookie = own ? { cookie: this.cookies(url.pathname) } : {}
    const answer = await fetch(url, { redirect: 'manual', headers: { ...cookie, ...headers } })
    if (own) for (const line of answer.headers.getSetCookie()) this.#take(line)
    return answer
  }

  #take(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '' || /max-age=0|1970/i.test(line)) this.#cookies.delete(name)
    else this.#cookies.set(name, { value, path: /path=([^;]+)/i.exec(line)?.[1] ?? '/' })
  }
}

export interface ThirdParty {
  as: oauth.AuthorizationServer
  client: oauth.Client
  auth: oauth.ClientAuth
  redirect_uri: string
}

const http = { [oauth.allowInsecureRequests]: true } as const

/** Discovers the server as the application `robot` (public) or `other` (with a secret). */
export async function thirdParty(
  server: Pick<TestServer, 'url'>,
  client_id: 'robot' | 'other' = 'robot',
  redirect_uri = client_id === 'robot' ? REDIRECT : OTHER_REDIRECT,
): Promise<ThirdParty> {
  const issuer = new URL(`${server.url}/oidc`)
  const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, http))
  const client = { client_id, id_token_signed_response_alg: 'ES256' }
  return {
    as,
    client,
    redirect_uri,
    auth: client_id === 'robot' ? oauth.None() : oauth.ClientSecretBasic(SECRET),
  }
}

export interface Begun {
  browser: Browser
  verifier: string
  nonce: string
  state: string
  /** Of the consent page. */
  uid: string
  answer: Response
}

/** Sends a fresh browser to the authorization endpoint; `change` edits the query before. */
export async function begin(
  server: Pick<TestServer, 'url'>,
  app: ThirdParty,
  scope = 'openid profile email signals:read',
  change: (query: URLSearchParams) => void = () => undefined,
): Promise<Begun> {
  const verifier = oauth.generateRandomCodeVerifier()
  const nonce = oauth.generateRandomNonce()
  const state = oauth.generateRandomState()
  const url = new URL(app.as.authorization_endpoint ?? '')
  url.search = new URLSearchParams({
    client_id: app.client.client_id,
    redirect_uri: app.redirect_uri,
    response_type: 'code',
    scope,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  change(url.searchParams)
  const browser = new Browser(server.url)
  const answer = await browser.get(url)
  const uid = new URL(answer.headers.get('location') ?? '/', server.url).searchParams.get('interaction') ?? ''
  return { browser, verifier, nonce, state, uid, answer }
}

/** The person decides on the consent page; gives where the browser ends up outside of our server. */
export async function decide(
  { browser, uid }: Begun,
  person: Person,
  scopes: OauthScope[] | 'deny',
): Promise<URL> {
  const decision =
    scopes === 'deny' ? ({ decision: 'deny' } as const) : ({ decision: 'approve', scopes } as const)
  const headers = { cookie: browser.cookies('/api/v1/oauth') }
  const { go_to } = await person.call(decideInteraction, { uid, ...decision }, headers)
  const answer = await browser.get(go_to)
  return new URL(answer.headers.get('location') ?? '')
}

/** The rest of the flow as the library does it, with all its checks. */
export async function exchange(
  app: ThirdParty,
  begun: Begun,
  back: URL,
  verifier = begun.verifier,
): Promise<oauth.TokenEndpointResponse> {
  const parameters = oauth.validateAuthResponse(app.as, app.client, back, begun.state)
  return oauth.processAuthorizationCodeResponse(app.as, app.client, await redeem(app, parameters, verifier), {
    expectedNonce: begun.nonce,
    requireIdToken: true,
  })
}

/** The token request alone. */
export function redeem(app: ThirdParty, parameters: URLSearchParams, verifier: string): Promise<Response> {
  return oauth.authorizationCodeGrantRequest(
    app.as,
    app.client,
    app.auth,
    parameters,
    app.redirect_uri,
    verifier,
    http,
  )
}

/** A token request in one's own words. */
export function askTokens(
  server: Pick<TestServer, 'request'>,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return server.request('/oidc/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  })
}

/** All of it: an application that a person has let in. */
export async function connect(
  server: Pick<TestServer, 'url'>,
  person: Person,
  scopes: OauthScope[] = ['openid', 'profile', 'email', 'signals:read'],
  app?: ThirdParty,
): Promise<oauth.TokenEndpointResponse> {
  const robot = app ?? (await thirdParty(server))
  const begun = await begin(server, robot, scopes.join(' '), (query) => query.set('prompt', 'consent'))
  return exchange(robot, begun, await decide(begun, person, scopes))
}

/** A code that was never given out. */
export const inventedCode = (): string => randomBytes(32).toString('base64url')

export { http as insecure, oauth }
