// Signing up, in and out; the sessions behind the tokens (operations.md "User and sign-in").
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { at, id, invite_code, name_text, nothing, seen } from './fields.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from './limits.ts'

export { logout } from './start.ts'

/** What somebody typed as it is mailed, compared and counted: two writings that reach one mailbox are one. */
const as_mailed = () => z.overwrite<string>((typed) => typed.trim().normalize('NFKC').toLowerCase())

/** An e-mail address: spec §5 makes it the account. */
export const email = () =>
  z
    .string('請輸入電子郵件')
    .check(
      as_mailed(),
      z.minLength(1, '請輸入電子郵件'),
      z.maxLength(254, '電子郵件太長'),
      z.regex(
        /^[^\s\p{C}@<>"',;:()[\]\\]{1,64}@[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,8}$/u,
        '電子郵件格式不正確，例如 name@example.com',
      ),
    )

/** A new password: 8–72 characters (argon2 takes more, people and forms do not). */
const new_password = () =>
  z
    .string('請輸入密碼')
    .check(
      z.minLength(1, '請輸入密碼'),
      z.minLength(PASSWORD_MIN, `密碼至少 ${PASSWORD_MIN} 個字元`),
      z.maxLength(PASSWORD_MAX, `密碼最多 ${PASSWORD_MAX} 個字元`),
      seen(),
    )

/** A password as it is typed to prove who one is: whatever it once was, it is only compared. */
export const typed_password = () =>
  z.string('請輸入密碼').check(z.minLength(1, '請輸入密碼'), z.maxLength(1_000, '密碼太長'))

/** Claims of the access token (wire.md §1). Times in seconds. */
export interface TokenClaims {
  uid: string
  sid: string
  iat: number
  exp: number
}

export const access_token = z.object({ access_token: z.string() })

export const session = z.object({
  id: id(),
  device_label: z.string(),
  created_at: at(),
  last_seen_at: at(),
  /** Then it is over, however often its token was renewed. */
  ends_at: at(),
  current: z.boolean(),
})
export type Session = z.infer<typeof session>

export const login = endpoint({
  name: 'session.login',
  method: 'POST',
  path: '/user/login',
  who: 'public',
  when_offline: 'fail',
  about: '登入',
  browser_bound: true,
  input: z.object({
    account: z
      .string('請輸入帳號')
      .check(as_mailed(), z.minLength(1, '請輸入帳號'), z.maxLength(254, '帳號太長'), seen()),
    password: typed_password(),
  }),
  output: access_token,
})

export const register = endpoint({
  name: 'session.register',
  method: 'POST',
  path: '/user/register',
  who: 'public',
  when_offline: 'fail',
  about:
    '註冊；註冊後仍是未登入。invite_code 是邀請信裡的碼：寄到這個地址、還能回覆的，就不必再驗證信箱；' +
    '這個地址早有帳號時，只有帶著它的人得到 has_account = true。in_folder = 這台伺服器把信寫成檔案',
  input: z
    .object({
      account: email(),
      name: name_text(60, '請輸入姓名'),
      email: email(),
      password: new_password(),
      invite_code: z.optional(invite_code()),
    })
    .check(
      z.refine((body) => body.account === body.email, { error: '帳號須與電子郵件相同', path: ['account'] }),
    ),
  output: z.object({ id: id(), has_account: z.boolean(), in_folder: z.boolean() }),
})

export const renewToken = endpoint({
  name: 'session.renew',
  method: 'POST',
  path: '/user/token/renew',
  who: 'login',
  when_offline: 'fail',
  while_forced: true,
  about: '延長登入',
  browser_bound: true,
  input: z.object({}),
  output: access_token,
})

export const prolongSession = endpoint({
  name: 'session.prolong',
  method: 'POST',
  path: '/user/sessions/prolong',
  who: 'login',
  when_offline: 'fail',
  about: '輸入密碼，讓這個登入的期限從今天起重算；其他登入不變',
  input: z.object({ password: typed_password() }),
  output: z.object({ access_token: z.string(), ends_at: at() }),
})

export const listSessions = endpoint({
  name: 'session.list',
  method: 'GET',
  path: '/user/sessions',
  who: 'login',
  when_offline: 'fail',
  about: '我的登入',
  input: z.object({}),
  output: z.array(session),
})

export const endSession = endpoint({
  name: 'session.end',
  method: 'DELETE',
  path: '/user/sessions/:id',
  who: 'login',
  when_offline: 'fail',
  about: '結束一個登入',
  input: z.object({ id: id() }),
  output: nothing(),
})

export const forgetPassword = endpoint({
  name: 'session.forget-password',
  method: 'POST',
  path: '/user/forget-password',
  who: 'public',
  when_offline: 'fail',
  about:
    '忘記密碼：寄出重設連結；有沒有這個帳號，回應都一樣。return_to 是登入後要去的頁面，信裡的連結帶著它；' +
    'in_folder = 這台伺服器把信寫成檔案',
  input: z.object({
    email: email(),
    return_to: z.optional(z.string().check(z.maxLength(2_000, '連結太長'), seen())),
  }),
  output: z.object({ in_folder: z.boolean() }),
})

export const checkResetToken = endpoint({
  name: 'session.check-reset-token',
  method: 'GET',
  path: '/user/forget-password/check-token/:token',
  who: 'public',
  when_offline: 'fail',
  about: '重設連結還能用嗎；4100 = 已使用或過期',
  input: z.object({ token: z.string() }),
  output: z.object({ email_masked: z.string() }),
})

export const resetPassword = endpoint({
  name: 'session.reset-password',
  method: 'POST',
  path: '/user/forget-password/update',
  who: 'public',
  when_offline: 'fail',
  about: '以重設連結設定新密碼；這個帳號的登入全部結束',
  input: z.object({ token: z.string('缺少重設連結'), password: new_password() }),
  output: nothing(),
})

export const updatePassword = endpoint({
  name: 'session.update-password',
  method: 'PUT',
  path: '/user/password',
  who: 'login',
  when_offline: 'fail',
  while_forced: true,
  about: '變更密碼；其他登入全部結束。還沒有密碼的帳號（以 SSO 建立）不必送 old_password',
  input: z.object({ old_password: z.optional(typed_password()), new_password: new_password() }),
  output: nothing(),
})
