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
import { type AppErrorDetail, addError, errors } from '#state/errors.ts'
import { createPreferences, preferences } from '#state/preferences.ts'
import { auth } from '#state/session.ts'
import { GRANTED } from '#tests/support/oracle.ts'
import { Skeleton } from '#ui/Skeleton.tsx'

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

test('entities have the fields of section 3', () => {
  const has = (shape: object, fields: string) =>
    expect(Object.keys(shape)).toEqual(expect.arrayContaining(fields.split(' ')))
  has(profile.shape, 'name email email_verified need_force_update_password avatar organizations')
  has(organization_entry.shape, 'id name role logo')
  has(access_token.shape, 'access_token')
})

describe('refusals', () => {
  const refused = (code: number, text = '') => toldError(code, { msg: 'server msg', text })
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

  test('what is said of a refused sign-in is what is kept', async () => {
    const kept = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    })
    vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }))
    const { signInWith } = await import('#screen/sign-in.ts')
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

test('answers that nobody looks at are kept for a minute', () => {
  expect(createQuery().getDefaultOptions().queries).toMatchObject({ gcTime: 60_000, retry: false })
})

test('a name is covered by as many asterisks', () => {
  expect([masked('林柏翰'), masked('Ann Lee'), masked('𠮷野'), masked('')]).toEqual([
    '***',
    '*******',
    '**',
    '',
  ])
})

test('three cards, six rows and five pager boxes', () => {
  const count = (type: 'dashboard' | 'list' | 'form' | 'detail' | 'default', what: RegExp) =>
    renderToStaticMarkup(createElement(Skeleton, { type })).match(what)?.length ?? 0
  const pager = (type: 'list' | 'dashboard') =>
    renderToStaticMarkup(createElement(Skeleton, { type })).split('class="_pager_')[1]?.match(/<i /g)?.length
  expect([count('list', /class="_row_/g), pager('list')]).toEqual([6, 5])
  expect([count('dashboard', /class="_card_\w+ card pad"/g), pager('dashboard')]).toEqual([3, undefined])
})
