// Applications of others: what they ask for, the person's decision, and the list of those that may act (operations.md).
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { at, nothing } from './fields.ts'
import { OAUTH_SCOPES } from './oauth-scopes.ts'

export * from './oauth-scopes.ts'

/** Ids of the provider: random letters, no secrets of their own. */
const handle = () => z.string().check(z.regex(/^[\w-]{10,100}$/, '編號格式不正確'))

const oauth_client = z.object({ id: z.string(), name: z.string(), logo: z.nullable(z.string()) })
const scopes = () => z.array(z.enum(OAUTH_SCOPES))

const interaction = z.object({
  client: oauth_client,
  /** Where the browser goes afterwards, without path: for the person to recognise. */
  returns_to: z.string(),
  /** As asked, in the order of `OAUTH_SCOPES`; `openid` cannot be left out. */
  scopes: scopes(),
  account: z.object({ name: z.string(), email: z.string() }),
  expires_at: at(),
})
export type Interaction = z.infer<typeof interaction>

const grant = z.object({ id: handle(), client: oauth_client, scopes: scopes(), since: at() })
export type Grant = z.infer<typeof grant>

export const readInteraction = endpoint({
  name: 'oauth.interaction',
  method: 'GET',
  path: '/oauth/interaction/:uid',
  who: 'login',
  when_offline: 'fail',
  browser_bound: true,
  about: '第三方應用程式要求了什麼；只在提出要求的那個瀏覽器裡讀得到',
  input: z.object({ uid: handle() }),
  output: interaction,
})

export const decideInteraction = endpoint({
  name: 'oauth.decide',
  method: 'POST',
  path: '/oauth/interaction/:uid',
  who: 'login',
  when_offline: 'fail',
  browser_bound: true,
  about: '同意或拒絕；回應是瀏覽器接著要去的網址',
  input: z.object({
    uid: handle(),
    decision: z.enum(['approve', 'deny'], '請選擇同意或拒絕'),
    scopes: z._default(scopes(), []),
  }),
  output: z.object({ go_to: z.string() }),
})

export const listGrants = endpoint({
  name: 'oauth.grants',
  method: 'GET',
  path: '/oauth/grants',
  who: 'login',
  when_offline: 'fail',
  about: '我同意過、現在還能存取的應用程式',
  input: z.object({}),
  output: z.array(grant),
})

export const revokeGrant = endpoint({
  name: 'oauth.revoke',
  method: 'DELETE',
  path: '/oauth/grants/:id',
  who: 'login',
  when_offline: 'fail',
  about: '收回一個應用程式的存取；它的令牌立刻失效',
  input: z.object({ id: handle() }),
  output: nothing(),
})
