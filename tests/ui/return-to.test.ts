// Where signing in may lead: pages of this application, nothing else, however it is written.
import { describe, expect, test } from 'vitest'
import { safeReturnTo } from '#features/session/return-to.ts'

const NUL = String.fromCharCode(0)
const TAB = String.fromCharCode(9)
const LINE = String.fromCharCode(10)
const RETURN = String.fromCharCode(13)

/** Each of these leaves the origin, runs a script, or loops in at least one browser or URL parser. */
const BYPASSES = [
  'https://evil.test/',
  'http://evil.test',
  'HTTPS://evil.test',
  '//evil.test',
  '///evil.test',
  '////evil.test/%2f..',
  '/\\evil.test',
  '/\\/evil.test',
  '\\\\evil.test',
  '\\/evil.test',
  '/%2fevil.test',
  '/%2Fevil.test',
  '/%5cevil.test',
  '/%5C%5Cevil.test',
  `/${TAB}/evil.test`,
  `/${LINE}/evil.test`,
  `/${RETURN}${LINE}/evil.test`,
  `${TAB}//evil.test`,
  ' //evil.test',
  `/${NUL}/evil.test`,
  '/%09/evil.test',
  '/%0a/evil.test',
  '/%00/evil.test',
  '/./\\evil.test',
  '/.//evil.test',
  '/..//evil.test',
  '/%2e%2e//evil.test',
  '/x/..//evil.test',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  `java${TAB}script:alert(1)`,
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://app.invalid/1',
  'https:/evil.test',
  'https:evil.test',
  'evil.test',
  'dashboard',
  '?next=//evil.test',
  '#//evil.test',
  '@evil.test',
  'https://app.invalid@evil.test/',
  '/\u2028/evil.test',
  '/\u200b/evil.test',
  '/\ufeff/evil.test',
  '/\u3000/evil.test',
  '/\ud800',
  '/login',
  '/login?returnTo=/login',
  '/LOGIN',
  '/403?missing=strategy:view',
  '/api/v1/user/logout',
  '/hooks/token',
  '/oidc/auth',
  'http:/evil.test',
  'http:evil.test',
  'ftp://evil.test/',
  'file:///etc/passwd',
  'javascript%3Aalert(1)',
  'javascript://app.invalid/%0aalert(1)',
  '//',
  '////',
  '//evil.test@app.invalid/',
  '/..\\evil.test',
  '/a/..\\..\\/evil.test',
  ' /dashboard',
  '/dashboard\u00a0',
  '/login/',
  '/login#top',
  '/sso?ticket=1',
  '/Token-Login?ticket=1',
  '/assets/x.js',
  '/files/picture.webp',
  '/API/v1/user/profile',
  `/${'a'.repeat(2_000)}`,
  '',
]

const KEPT = [
  '/dashboard',
  '/strategies?kind=futures&page=2',
  '/strategies/018f4a1e-7b1a-7000-8000-000000000001?tab=signals&signal=1#top',
  '/signals?text=%E5%8F%B0%E6%8C%87',
  '/profile?from=//evil.test',
  '/loginish',
  '/?source=pwa',
]

describe('safeReturnTo', () => {
  test('the corpus has at least seventy bypasses', () =>
    expect(new Set(BYPASSES).size).toBeGreaterThanOrEqual(70))
  test.each(BYPASSES.map((value) => [JSON.stringify(value), value]))('refuses %s', (_name, value) => {
    expect(safeReturnTo(value)).toBeNull()
  })
  test.each(KEPT)('keeps %s', (value) => expect(safeReturnTo(value)).toBe(value))
  test('what it keeps stays on the origin in the URL parser, from any page', () => {
    for (const value of KEPT) {
      const kept = safeReturnTo(value) ?? ''
      for (const base of ['https://app.test/login', 'https://app.test/strategies/1/edit?x=1'])
        expect(new URL(kept, base).origin).toBe('https://app.test')
    }
  })
  test('nothing given leads nowhere', () => {
    expect(safeReturnTo(undefined)).toBeNull()
    expect(safeReturnTo(null)).toBeNull()
  })
})
