// Who is signed in: the start-up rules and transitions of spec.md §4, the storage under them, and the preferences.
import { beforeEach, expect, test } from 'vitest'
import { createPreferences, preferences } from '#state/preferences.ts'
import { auth, BAD_TOKEN, createSession } from '#state/session.ts'
import { KEYS, openStorage } from '#state/storage.ts'
import { memoryStorage, token } from '../support/device.ts'

const NOW_S = 1_772_000_000
const good = token({ uid: 'u1', sid: 's', iat: NOW_S, exp: NOW_S + 60 })
const user = JSON.stringify({ id: 'u1', role: 'user', defaultContext: 'personal' })
let storage = memoryStorage()
let session = createSession(storage, () => NOW_S * 1_000)
beforeEach(() => {
  storage = memoryStorage()
  session = createSession(storage, () => NOW_S * 1_000)
})

// spec §4: On startup: no token, undecodable token, token without expiry, expired token (expiry in seconds…
// spec §5: Token must decode, carry an expiry and not be expired; it must contain uid, else 無效的令牌數據.
test.each([
  ['no token', { lingbo_user: user }],
  ['an undecodable token', { token: 'no.jwt.here', lingbo_user: user }],
  ['a token without expiry', { token: token({ uid: 'u1' }), lingbo_user: user }],
  ['a token without a person', { token: token({ exp: NOW_S + 60 }), lingbo_user: user }],
  ['an expired token', { token: token({ uid: 'u1', exp: NOW_S }), lingbo_user: user }],
  ['no stored user', { token: good }],
  ['a damaged stored user', { token: good, lingbo_user: '{' }],
  ['the user of another token', { token: good, lingbo_user: JSON.stringify({ id: 'u2' }) }],
] as const)('%s means signed out, and the stored identity goes', (_name, kept) => {
  for (const [key, value] of Object.entries({ ...kept, currentOrganizationId: 'o1', themeMode: 'dark' }))
    storage.setItem(key, value)
  expect(session.start()).toBe('unauthenticated')
  expect(storage.all()).toEqual({ themeMode: 'dark' })
  expect([auth.uid, auth.org_id, session.token(), session.uid()]).toEqual([null, null, null, null])
})

// spec §2: The skeleton is also shown if a token and user exist in storage but the state is not yet authenticated.
// spec §3: Context: type (none, personal, organization) and organizationId (null when personal).
// spec §4: Otherwise a stored current organization id gives authenticated_organization, else authenticated_personal.
test('a good token and user mean signed in, in the stored context', () => {
  storage.setItem('token', good)
  storage.setItem('lingbo_user', user)
  expect(session.start()).toBe('authenticated_personal')
  storage.setItem('currentOrganizationId', 'o1')
  expect(session.start()).toBe('authenticated_organization')
  expect([auth.uid, auth.org_id, session.token()]).toEqual(['u1', 'o1', good])
})

// spec §3: Stored local user: id, role 'user', defaultContext personal.
// spec §4: Login stores token and user, resets to personal context.
// spec §4: Privacy mode is set to 'false' at login.
test('signing in stores token and user, personal context, privacy off', () => {
  storage.setItem('currentOrganizationId', 'o1')
  storage.setItem('privacyMode', 'true')
  preferences.privacy = true
  session.authenticating()
  expect(auth.state).toBe('authenticating')
  session.sign_in(good)
  expect(storage.all()).toEqual({
    token: good,
    lingbo_user: user,
    justLoggedInHandled: '1',
    privacyMode: 'false',
  })
  expect([auth.state, preferences.privacy]).toEqual(['authenticated_personal', false])
  session.clear_just_logged_in()
  expect(session.just_logged_in()).toBe(false)
})

// spec §5: Token must decode, carry an expiry and not be expired; it must contain uid, else 無效的令牌數據.
test.each([
  token({ exp: NOW_S + 60 }),
  token({ uid: 'u1' }),
  token({ uid: 'u1', exp: NOW_S - 1 }),
  'nonsense',
])('a token without person or life is refused', (bad) => {
  expect(() => session.sign_in(bad)).toThrow(BAD_TOKEN)
  expect(BAD_TOKEN).toBe('無效的令牌數據')
  session.fail(BAD_TOKEN)
  expect([auth.state, auth.error, storage.all()]).toEqual(['authentication_error', BAD_TOKEN, {}])
})

test("another tab's organization does not become this tab's by itself, its renewed token does", () => {
  session.sign_in(good)
  const renewed = token({ uid: 'u1', sid: 's', iat: NOW_S + 1, exp: NOW_S + 99 })
  storage.setItem('currentOrganizationId', 'o9')
  storage.setItem('token', renewed)
  expect([session.org_id(), session.token()]).toEqual([null, renewed])
  session.renew(token({ uid: 'u2', exp: NOW_S + 99 }))
  expect(session.token()).toBe(renewed)
})

// spec §4: Logout clears token, stored user, strategy-list storage, visited-strategies flag and just-logged-in…
test('a session that ends, or is found over at the start, takes everything of the person and leaves the appearance', () => {
  const fill = () => {
    session.sign_in(good)
    for (const key of Object.values(KEYS)) if (storage.getItem(key) === null) storage.setItem(key, '1')
  }
  for (const over of [
    () => session.clear(),
    () => {
      storage.removeItem('token')
      session.start()
    },
  ]) {
    fill()
    over()
    expect(auth.state).toBe('unauthenticated')
    expect(Object.keys(storage.all()).toSorted()).toEqual([
      'lingbo_clock',
      'lingbo_install',
      'lingbo_keys',
      'lingbo_signal_lasts',
      'privacyMode',
      'themeMode',
      'ui-theme',
      'upColour',
    ])
  }
})

// spec §3: Local storage keys: token, {product}_user (stored user JSON), current organization id, themeMode,…
test('the keys are those of the wire', () => {
  expect(Object.values(KEYS)).toEqual(
    expect.arrayContaining([
      'token',
      'lingbo_user',
      'currentOrganizationId',
      'themeMode',
      'ui-theme',
      'privacyMode',
      'strategyListStorage',
      'isVisitedStrategiesPage',
      'justLoggedInHandled',
      'fromMyOrganizationAdmin',
    ]),
  )
})

test('a forbidden or full storage works until the page closes, and is reported once', () => {
  const reports: unknown[] = []
  const broken = openStorage(
    () => {
      throw new DOMException('denied', 'SecurityError')
    },
    (error) => reports.push(error),
  )
  broken.setItem('a', '1')
  expect(broken.getItem('a')).toBe('1')
  broken.removeItem('a')
  expect([broken.getItem('a'), reports.length]).toEqual([null, 1])

  const full = memoryStorage()
  full.setItem('a', 'old')
  const tight = openStorage(
    () => ({
      ...full,
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    }),
    () => undefined,
  )
  tight.setItem('a', 'new')
  expect(tight.getItem('a')).toBe('new')
  tight.removeItem('a')
  expect([tight.getItem('a'), full.getItem('a')]).toEqual([null, null])
})

// spec §3: Preferences: strategy type (futures or stock, default futures), strategy view mode (table or…
test('preferences: the choice, what is applied, and damaged values', () => {
  let dark = true
  const prefs = createPreferences(storage, () => dark)
  storage.setItem('strategyListStorage', '{"type":"stock","view_mode":7,"filters":{"status":"paused","x":1}}')
  prefs.start()
  expect(preferences).toMatchObject({
    ui_theme: 'light',
    theme_mode: 'light',
    privacy: false,
    up_colour: 'red',
  })
  expect(preferences.strategy_list).toEqual({
    type: 'stock',
    view_mode: 'card',
    filters: { status: 'paused' },
  })
  prefs.set_theme('system')
  expect([storage.getItem('ui-theme'), storage.getItem('themeMode')]).toEqual(['system', 'dark'])
  dark = false
  prefs.system_changed()
  expect([preferences.theme_mode, storage.getItem('themeMode')]).toEqual(['light', 'light'])
  prefs.set_strategy_list({ view_mode: 'table' })
  prefs.set_privacy(true)
  prefs.set_up_colour('green')
  prefs.visit_strategies()
  expect(preferences.single_keys).toBe(true)
  prefs.set_single_keys(false)
  prefs.start()
  expect(preferences).toMatchObject({ privacy: true, up_colour: 'green', visited_strategies: true })
  expect(preferences.single_keys).toBe(false)
  expect(preferences.strategy_list.view_mode).toBe('table')
  storage.setItem('strategyListStorage', 'not json')
  prefs.start()
  expect(preferences.strategy_list).toEqual({ type: 'futures', view_mode: 'card' })
})
