// Applications of others: what they ask for, the person's decision, and the list of those that may act (operations.md).
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { at, nothing } from './fields.ts'
import { OAUTH_SCOPES } from './permissions.ts'
import { access_token, typed_password } from './session.ts'

export * from './permissions.ts'

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

// Signing in through another provider, and with one-time tickets (operations.md; rulings C20, A18).

const sso_provider = z.object({ id: z.string(), name: z.string(), icon: z.nullable(z.string()) })

/** Seconds a ticket of each kind lives; `link` waits for a password to be typed. */
export const TICKET_LIFE_S = { sso: 60, link: 600, mail: 900, telegram: 900 } as const

/** What `/sso?error=` says when there is no ticket. */
export const SSO_ERRORS = ['denied', 'expired', 'email', 'failed'] as const
export type SsoError = (typeof SSO_ERRORS)[number]

const ticket = () => z.string('缺少登入連結').check(z.regex(/^[\w-]{43}$/, '登入連結不完整'))

export const listSsoProviders = endpoint({
  name: 'sso.providers',
  method: 'GET',
  path: '/sso/providers',
  who: 'public',
  when_offline: 'fail',
  about: '可以用哪些其他帳號登入；登入從 /api/v1/sso/{id}/start?return_to= 開始（瀏覽器轉址）',
  input: z.object({}),
  output: z.array(sso_provider),
})

export const tokenLogin = endpoint({
  name: 'sso.token-login',
  method: 'POST',
  path: '/user/token-login',
  who: 'public',
  when_offline: 'fail',
  browser_bound: true,
  about: '以一次性登入連結換取令牌；再用一次是 4100，且第一次開啟的登入會結束。6031 = 先以密碼確認連結帳號',
  input: z.object({ ticket: ticket() }),
  output: access_token,
})

export const linkSso = endpoint({
  name: 'sso.link',
  method: 'POST',
  path: '/user/sso-link',
  who: 'public',
  when_offline: 'fail',
  browser_bound: true,
  about: '以密碼確認：把其他帳號連結到既有的凌波帳號',
  input: z.object({ ticket: ticket(), password: typed_password() }),
  output: access_token,
})
