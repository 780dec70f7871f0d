// Another OpenID provider on this machine, a real one: whoever comes is signed in as the person it is told.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { UNHURRIED } from './port.ts'

export interface Claims {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
}

export interface Idp {
  issuer: string
  /** For SSO_PROVIDERS. */
  env: string
  /** Who signs in next; null = says no. */
  person: Claims | null
  /** Lets the application in whose users come back to this origin. Once. */
  open(origin: string): void
  close(): Promise<void>
}

const SECRET = 'idp-secret-of-more-than-32-characters'

/** Starts it; `id` as it stands in SSO_PROVIDERS. */
export async function startIdp(id = 'acme', name = 'Acme'): Promise<Idp> {
  const http: Server = createServer(UNHURRIED)
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready))
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const people = new Map<string, Claims>()
  const idp: Idp = {
    issuer,
    env: JSON.stringify([{ id, name, issuer, client_id: 'lingbo', client_secret: SECRET }]),
    person: null,
    open(origin) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: 'lingbo',
            client_secret: SECRET,
            redirect_uris: [`${origin}/api/v1/sso/${id}/callback`],
            response_types: ['code'],
            grant_types: ['authorization_code'],
          },
        ],
        cookies: { keys: ['only for tests'] },
        features: { devInteractions: { enabled: false } },
        claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
        // As most providers do, against the letter of the specification.
        conformIdTokenClaims: false,
        findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...people.get(sub), sub }) }),
        interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      })
      const serve = provider.callback()
      http.on('request', (request, response) => {
        if (!request.url?.startsWith('/interaction/')) return void serve(request, response)
        const answer = async () => {
          const { params, uid } = await provider.interactionDetails(request, response)
          const who = idp.person
          if (!who) return { error: 'access_denied', error_description: uid }
          people.set(who.sub, who)
          const grant = new provider.Grant({ accountId: who.sub, clientId: String(params['client_id']) })
          grant.addOIDCScope(String(params['scope']))
          return { login: { accountId: who.sub }, consent: { grantId: await grant.save() } }
        }
        answer()
          .then((result) => provider.interactionFinished(request, response, result))
          .catch((error: unknown) => {
            response.statusCode = 500
            response.end(String(error))
          })
      })
    },
    close: () =>
      new Promise((done) => {
        http.close(() => done())
        http.closeAllConnections()
      }),
  }
  return idp
}
