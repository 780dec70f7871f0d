// The consent page's two calls, and the list of connected applications.
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { ApiError } from '#contract/errors.ts'
import {
  decideInteraction,
  type Interaction,
  listGrants,
  OAUTH_SCOPES,
  type OauthScope,
  readInteraction,
  revokeGrant,
} from '#contract/oauth.ts'
import type { Actor, App } from '../context.ts'
import { handle, type Route } from '../http/handle.ts'
import { endGrant, grantsOf } from './grants.ts'
import { hashed, type Oidc } from './provider.ts'

// One request of an application: read for the consent page, and answered. Bound to the browser that made it, by its signed cookie.

type Found = Awaited<ReturnType<Oidc['provider']['interactionDetails']>>
interface Asked {
  readonly oidc: Oidc
  readonly found: Found
  readonly http: readonly [IncomingMessage, ServerResponse]
  readonly client: Interaction['client']
  readonly scopes: OauthScope[]
}

/** The request of this id; ApiError 4100 when it has expired, is answered, or was made in another browser. */
async function readAsked(app: App, uid: string, cookie: string): Promise<Asked> {
  const { oidc } = app
  if (!oidc) throw gone()
  // The library reads its cookie from a request: whoever only knows the id must not answer for somebody else's browser.
  const request = new IncomingMessage(new Socket())
  request.headers = { cookie, host: new URL(oidc.issuer).host }
  const http = [request, new ServerResponse(request)] as const
  let found: Found
  try {
    found = await oidc.provider.interactionDetails(...http)
  } catch (error) {
    if (error instanceof Error && error.name === 'SessionNotFound') throw gone()
    throw error
  }
  const client = oidc.clients.get(String(found.params['client_id']))
  if (found.uid !== uid || found.exp * 1_000 <= app.now() || found.result || !client) throw gone()
  const asked = new Set(String(found.params['scope'] ?? '').split(' '))
  const scopes = OAUTH_SCOPES.filter((scope) => asked.has(scope))
  return {
    oidc,
    found,
    http,
    client: { id: client.client_id, name: client.client_name, logo: client.logo },
    scopes,
  }
}

/** What the consent page shows. */
export function shown({ found, client, scopes }: Asked, actor: Actor): Interaction {
  return {
    client,
    returns_to: originOf(String(found.params['redirect_uri'])),
    scopes,
    account: { name: actor.name, email: actor.email },
    expires_at: new Date(found.exp * 1_000).toISOString(),
  }
}

/** Answers it for this person; gives the address the browser goes to. `allowed` beyond what was asked is ignored. */
export async function approve(
  { oidc, found, http, client, scopes }: Asked,
  uid: string,
  allowed: readonly OauthScope[],
): Promise<string> {
  const granted = scopes.filter((scope) => scope === 'openid' || allowed.includes(scope))
  const refused = scopes.filter((scope) => !granted.includes(scope))
  if (!granted.some((scope) => scope !== 'offline_access'))
    throw new ApiError(4220, { fields: { scopes: '請至少同意一項，或按「拒絕」' } })
  const grant = new oidc.provider.Grant({ accountId: uid, clientId: client.id })
  grant.addOIDCScope(granted.join(' '))
  if (refused.length > 0) grant.rejectOIDCScope(refused.join(' '))
  // Claims of `openid profile email` follow the scopes; single claims are not offered.
  grant.addOIDCClaims(missingClaims(found))
  const grantId = await grant.save()
  const result = { login: { accountId: uid, remember: false }, consent: { grantId } }
  return oidc.provider.interactionResult(...http, result, { mergeWithLastSubmission: false })
}

/** Sends the browser back with access_denied. */
export function deny({ oidc, http }: Asked): Promise<string> {
  const result = { error: 'access_denied', error_description: 'the person said no' }
  return oidc.provider.interactionResult(...http, result, { mergeWithLastSubmission: false })
}

function missingClaims(found: Found): string[] {
  const { missingOIDCClaims } = found.prompt.details as { missingOIDCClaims?: string[] }
  return missingOIDCClaims ?? []
}

/** `https://app.example.com`, or the scheme of an application on a device. */
function originOf(uri: string): string {
  if (!URL.canParse(uri)) return ''
  const { origin, protocol } = new URL(uri)
  return origin === 'null' ? protocol : origin
}

function gone(): ApiError {
  return new ApiError(4100, {
    msg: 'authorization request used, expired or of another browser',
    text: '這個授權要求已過期或處理過了，請回到原本的應用程式重新開始',
  })
}

export function oauthRoutes(app: App): Route[] {
  return [
    handle(app, readInteraction, async ({ actor, input, request }) =>
      shown(await readAsked(app, input.uid, request.cookie), actor),
    ),

    // The library writes by itself, on the one connection a transaction would hold.
    handle(app, decideInteraction, {
      async prepare({ actor, input, request }) {
        const asked = await readAsked(app, input.uid, request.cookie)
        if (input.decision === 'deny') return deny(asked)
        return approve(asked, actor.uid, input.scopes)
      },
      run: ({ prepared }) => Promise.resolve({ go_to: prepared }),
    }),

    handle(app, listGrants, ({ tx, actor }) => grantsOf(app, tx.db, actor.uid, tx.at)),

    handle(app, revokeGrant, async ({ tx, actor, input }) => {
      if (!(await endGrant(app, tx, actor.uid, hashed(input.id)))) throw new ApiError(4040)
      return null
    }),
  ]
}
