// Signing in through another provider, and with one-time tickets (operations.md; rulings C20, A18).
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { access_token, typed_password } from './session.ts'

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
