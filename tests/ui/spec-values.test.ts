// Numbers, fields, permissions and refusals as the specification writes them, copied by hand from its sections 3, 6, 7, 8 and 9.
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError, toldError } from '#contract/errors.ts'
import { ENDPOINTS } from '#contract/index.ts'
import * as limits from '#contract/limits.ts'
import { organization_entry } from '#contract/organization.ts'
import { type Identity, may, PERMISSIONS } from '#contract/permissions.ts'
import { profile } from '#contract/profile.ts'
import { access_token } from '#contract/session.ts'
import { NetworkError } from '#data/failure.ts'
import { createQuery } from '#data/query.ts'
import { loginRefusal, registerRefusal } from '#features/session/refusal.ts'
import { masked } from '#screen/profile.ts'
import { type AppErrorDetail, addError, errors } from '#state/app.ts'
import { createPreferences, preferences } from '#state/preferences.ts'
import { auth } from '#state/session.ts'
import { GRANTED } from '#tests/support/oracle.ts'
import { Skeleton } from '#ui/Skeleton.tsx'

// spec §9: Retry limit 3; backoff 1000 ms doubled per attempt, capped at 30000 ms.
// spec §9: Error list cap 10; visible 3; auto-hide 5000 ms.
// spec §9: Toast default duration 5000 ms.
// spec §9: Mobile breakpoint: width under 768.
test('the numbers of section 9', () => {
  expect(limits).toMatchObject({
    RETRY_LIMIT: 3,
    BACKOFF_MS: 1_000,
    BACKOFF_MAX_MS: 30_000,
    CACHE_UNUSED_MS: 60_000,
    ERROR_LIST_CAP: 10,
    ERROR_LIST_VISIBLE: 3,
    TOAST_MS: 5_000,
    MOBILE_BELOW_PX: 768,
    JUST_LOGGED_IN_MS: 10_000,
  })
})

// spec §6: Roles: personal context, organization admin (管理者), organization member (成員).
// spec §6: Permissions: strategy:view/create/edit/delete; organization:view/create/edit/delete/manage;…
// spec §6: Always granted: my-organizations:view, my-announcements:view.
// spec §6: Personal: strategy view/create/edit/delete, organization view, organization create.
// spec §6: Organization admin: strategy view/create/edit/delete, organization view/edit/delete/manage,…
// spec §6: Organization member: strategy view, organization view, group view, organization announcements…
// spec §6: In an organization context with no organization loaded, everything except the always-granted…
test('what each role may, to the last permission of section 6', () => {
  const table: [Identity, string][] = [
    [{ type: 'personal' }, GRANTED.personal],
    [{ type: 'organization', role: 'admin' }, GRANTED.admin],
    [{ type: 'organization', role: 'member' }, GRANTED.member],
    [{ type: 'organization', role: null }, ''],
  ]
  const hint = 'spec §6 a second time: tests/support/oracle.ts (GRANTED)'
  for (const [identity, granted] of table)
    expect(PERMISSIONS.filter((one) => may(identity, one)).toSorted(), hint).toEqual(
      `${GRANTED.always} ${granted}`.trim().split(' ').toSorted(),
    )
  expect(
    PERMISSIONS.filter((one) => !table.some(([identity]) => may(identity, one))),
    'nobody has it: contract/permissions.ts gives it to an identity',
  ).toEqual([])
  expect(PERMISSIONS).toHaveLength(16)
})

// spec §7: Call | Body | Response handling
// spec §7: POST /api/v1/user/login | account, password | error{success,msg,code,text}, result{access_token}
// spec §7: POST /api/v1/user/register | account, name, email, password | error and result
// spec §7: POST /api/v1/user/forget-password | not shown | error.success
// spec §7: POST /api/v1/user/forget-password/update | not shown | not shown
// spec §7: GET /api/v1/user/forget-password/check-token/{token} | none | result, or error if error.success…
// spec §7: GET /api/v1/user/profile | none | error{success,text,msg} and result; failure if success false…
// spec §7: PUT /api/v1/user/profile | the profile | reads result
// spec §7: PUT /api/v1/user/password | password data | response not read
// spec §7: PUT /api/v1/user/email | new_email and password | reads result (email)
// spec §7: POST /api/v1/user/verify/send | body fields not shown | creates a verification code
// spec §7: POST /api/v1/user/email/verify | body fields not shown | submits a verification code
// spec §7: Update-name call sends name and returns name (path not shown).
test('the calls of section 7 have its methods, paths and fields', () => {
  const calls: [string, string, string][] = [
    ['POST', '/user/login', 'account password'],
    ['POST', '/user/register', 'account name email password'],
    ['POST', '/user/forget-password', ''],
    ['POST', '/user/forget-password/update', ''],
    ['GET', '/user/forget-password/check-token/:token', 'token'],
    ['GET', '/user/profile', ''],
    ['PUT', '/user/profile', 'name'],
    ['PUT', '/user/password', ''],
    ['PUT', '/user/email', 'new_email password'],
    ['POST', '/user/verify/send', ''],
    ['POST', '/user/email/verify', ''],
  ]
  for (const [method, path, fields] of calls) {
    const found = ENDPOINTS.find((one) => one.method === method && one.path === path)
    const input = found?.input as unknown as { shape: object } | undefined
    expect(Object.keys(input?.shape ?? {}), `${method} ${path}`).toEqual(
      expect.arrayContaining(fields.split(' ').filter(Boolean)),
    )
    expect(found, `${method} ${path}`).toBeDefined()
  }
})

// spec §3: User profile: name, email, email_verified, need_force_update_password, avatar, organizations.
// spec §3: Organization entry: id, name, role (admin or member), logo.
// spec §3: Login result: access_token; its decoded payload has uid and exp (seconds).
test('entities have the fields of section 3', () => {
  const has = (shape: object, fields: string) =>
    expect(Object.keys(shape)).toEqual(expect.arrayContaining(fields.split(' ')))
  has(profile.shape, 'name email email_verified need_force_update_password avatar organizations')
  has(organization_entry.shape, 'id name role logo')
  has(access_token.shape, 'access_token')
})

describe('refusals', () => {
  const refused = (code: number, text = '') => toldError(code, { msg: 'server msg', text })
  // spec §8: Other login errors: server text or msg, else 登入失敗.
  // spec §8: Default: 登入失敗，請檢查帳號和密碼.
  // spec §8: Registration failure: 註冊失敗 or 註冊失敗，請檢查輸入的信息; network: 註冊失敗，請檢查網絡連接; success: 註冊成功，請登入.
  test('refusals of signing in and registering say the words of section 8', () => {
    expect(loginRefusal(new ApiError(6002)).text).toBe('帳號或密碼輸入錯誤，請再試一次')
    expect(loginRefusal(refused(4290, '請稍候'))).toEqual({ title: '登入失敗', text: '請稍候' })
    expect(loginRefusal(refused(4290)).text).toBe('server msg')
    // as the client makes it of an answer without words
    expect(loginRefusal(new ApiError(4290, {})).text).toBe('登入失敗')
    expect(loginRefusal(new Error('無效的令牌數據')).text).toBe('無效的令牌數據')
    expect(loginRefusal(new Error('x')).text).toBe('登入失敗，請檢查帳號和密碼')
    const offline = new NetworkError('unreachable')
    expect(loginRefusal(offline)).toEqual({ title: '網絡錯誤', text: '登入失敗，請檢查網絡連接' })
    expect(registerRefusal(offline).text).toBe('註冊失敗，請檢查網絡連接')
    expect(registerRefusal(new ApiError(4220, { fields: { name: '太長' } }))).toEqual({
      title: '註冊失敗',
      text: '註冊失敗，請檢查輸入的信息',
      fields: { name: '太長' },
    })
    expect(registerRefusal(new Error('x'))).toMatchObject({ title: '註冊失敗' })
  })

  test('an answer that is not ours says what it is, and blames neither the network nor the password', () => {
    for (const [status, kind, words] of [
      [200, 'parsing', /公共 Wi-Fi 的登入頁/],
      [403, 'parsing', /中途的設備擋下（403）/],
      [500, 'unreachable', /伺服器出了問題（500）/],
      [502, 'unreachable', /伺服器出了問題（502）/],
    ] as const) {
      const error = new NetworkError(kind, status)
      expect(loginRefusal(error)).toEqual({ title: '登入失敗', text: expect.stringMatching(words) })
      expect(registerRefusal(error)).toMatchObject({ title: '註冊失敗', text: expect.stringMatching(words) })
    }
  })

  // spec §8: Login code 6002: 帳號或密碼輸入錯誤，請再試一次 (toast and stored).
  test('what is said of a refused sign-in is what is kept', async () => {
    const kept = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    })
    vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }))
    const { signInWith } = await import('#screen/session.ts')
    const refusal = new ApiError(6002)
    const words = (error: unknown) => loginRefusal(error).text
    await expect(signInWith(() => Promise.reject(refusal), words)).rejects.toBe(refusal)
    expect(auth).toMatchObject({
      state: 'authentication_error',
      error: '帳號或密碼輸入錯誤，請再試一次',
      uid: null,
    })
    vi.unstubAllGlobals()
  })

  // spec §8: Request failures surface as FETCH_ERROR, TIMEOUT_ERROR, PARSING_ERROR, or the non-2xx status.
  test('a failure of a request has one of three codes, or its status', () => {
    const codes = (['offline', 'unreachable', 'timeout', 'parsing'] as const).map(
      (kind) => new NetworkError(kind).code,
    )
    expect(codes).toEqual(['FETCH_ERROR', 'FETCH_ERROR', 'TIMEOUT_ERROR', 'PARSING_ERROR'])
    expect(new ApiError(6002).status).toBe(400)
  })
})

describe('the list of errors', () => {
  beforeEach(() => {
    errors.items = []
  })
  // spec §3: Error item: type (api, network, validation, authentication, authorization, unknown), severity…
  // spec §8: The stored list keeps at most 10, newest first.
  test('a list of errors holds ten, the newest first', () => {
    const types = ['api', 'network', 'validation', 'authentication', 'authorization', 'unknown'] as const
    const severities = ['info', 'warning', 'error', 'critical'] as const
    for (let n = 1; n <= 12; n++) {
      const [type = 'api', severity = 'info'] = [types[n % 6], severities[n % 4]]
      addError({ type, severity, code: String(n), message: `第 ${n} 個` } satisfies AppErrorDetail, n)
    }
    expect(errors.items.map(({ code }) => Number(code))).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
    expect(errors.items[0]).toMatchObject({ type: 'api', severity: 'info', timestamp: 12 })
  })
})

// spec §3: Preferences: strategy type (futures or stock, default futures), strategy view mode (table or…
// spec §9: Defaults: strategy type futures, view mode card, privacy 'false', theme light.
test('an empty device has the defaults of the specification', () => {
  const nothing = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
  createPreferences(nothing, () => true).start()
  expect(preferences).toMatchObject({
    strategy_list: { type: 'futures', view_mode: 'card' },
    privacy: false,
    ui_theme: 'light',
    theme_mode: 'light',
  })
})

// spec §9: Cached unused data kept 60 seconds by default.
test('answers that nobody looks at are kept for a minute', () => {
  expect(createQuery().getDefaultOptions().queries).toMatchObject({ gcTime: 60_000, retry: false })
})

// spec §4: When the value is not 'false', the personal name is shown as asterisks of equal length.
test('a name is covered by as many asterisks', () => {
  expect([masked('林柏翰'), masked('Ann Lee'), masked('𠮷野'), masked('')]).toEqual([
    '***',
    '*******',
    '**',
    '',
  ])
})

// spec §9: Skeleton list shows 6 rows and 5 pager boxes; dashboard skeleton shows 3 cards.
test('three cards, six rows and five pager boxes', () => {
  const count = (type: 'dashboard' | 'list' | 'form' | 'detail' | 'default', what: RegExp) =>
    renderToStaticMarkup(createElement(Skeleton, { type })).match(what)?.length ?? 0
  const pager = (type: 'list' | 'dashboard') =>
    renderToStaticMarkup(createElement(Skeleton, { type })).split('class="_pager_')[1]?.match(/<i /g)?.length
  expect([count('list', /class="_row_/g), pager('list')]).toEqual([6, 5])
  expect([count('dashboard', /class="_card_\w+ card pad"/g), pager('dashboard')]).toEqual([3, undefined])
})
