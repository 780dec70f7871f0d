// Signing in through another provider, a real one on this machine: whose account it opens, and everything that must not.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { linkSso, listSsoProviders, TICKET_LIFE_S, tokenLogin } from '#contract/oauth.ts'
import { getProfile } from '#contract/profile.ts'
import { inTransaction } from '#server/events/append.ts'
import { makeTicket } from '#server/sso/flow.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Claims, type Idp, startIdp } from '#tests/support/idp.ts'
import { call, PASSWORD, type Person, send, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { dump } from '#tests/support/tables.ts'
import { Browser } from '#tests/support/third-party.ts'

const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 0,
    (error: unknown) => (error instanceof ApiError ? error.code : Promise.reject(error)),
  )
const START = '/api/v1/sso/acme/start'
/** The ticket one came back with; fails with what stands there instead. */
const ticketOf = (query: Record<string, string>): string => {
  expect(query).toHaveProperty('ticket')
  return query['ticket'] as string
}

describeEngines('sso', (engine) => {
  let server: TestServer
  let idp: Idp
  let owner: Person
  let now_ms = Date.now()
  let count = 0
  beforeAll(async () => {
    idp = await startIdp()
    server = await startServer({
      engine,
      env: { SSO_PROVIDERS: idp.env },
      overrides: { now: () => now_ms },
    })
    idp.open(server.url)
    owner = await signUp(server, '林小美')
  })
  afterAll(async () => {
    await server.close()
    await idp.close()
  })

  const fresh = (more: Partial<Claims> = {}): Claims => {
    const sub = `somebody-${++count}`
    return { sub, email: `${sub}-${process.pid}@example.org`, email_verified: true, name: '陳大文', ...more }
  }

  /** To the provider and back, up to the address that our callback is to be opened with. */
  async function there(person: Claims | null, start = START, change = (url: URL) => url) {
    idp.person = person
    const browser = new Browser(server.url)
    const provider = new Browser(idp.issuer)
    let next = (await browser.get(start)).headers.get('location') as string
    next = change(new URL(next)).href
    while (next.startsWith(idp.issuer)) {
      const step = await provider.get(next)
      next = new URL(step.headers.get('location') ?? `about:${step.status}`, next).href
    }
    return { browser, back: new URL(next) }
  }
  async function home(browser: Browser, back: URL) {
    const answer = await browser.get(back)
    const to = new URL(answer.headers.get('location') ?? '', server.url)
    const query = Object.fromEntries(to.searchParams) as Record<string, string>
    return { answer, path: to.pathname, query }
  }
  async function signInBy(person: Claims | null, start = START, change = (url: URL) => url) {
    const { browser, back } = await there(person, start, change)
    return { browser, ...(await home(browser, back)) }
  }
  const cookie = (browser: Browser) => ({ cookie: browser.cookies('/api/v1/user') })
  const profileOf = (access_token: string) =>
    call(server, getProfile, {}, { authorization: `Bearer ${access_token}` })

  test('the configured providers are public', async () => {
    expect(await call(server, listSsoProviders, {})).toEqual([{ id: 'acme', name: 'Acme', icon: null }])
  })

  test('a new person gets an account without a password, and the same one the next time', async () => {
    const person = fresh()
    const first = await signInBy(person, `${START}?return_to=/strategies?type=stock`)
    expect(first.answer.status).toBe(303)
    expect([first.path, first.query['returnTo']]).toEqual(['/sso', '/strategies?type=stock'])
    const set = first.answer.headers.getSetCookie().join('\n')
    expect(set).toMatch(/lb_ticket_[^;]+; Path=\/api\/v1\/user; Max-Age=600; HttpOnly; SameSite=Lax/)
    const ticket = ticketOf(first.query)
    const { access_token } = await call(server, tokenLogin, { ticket }, cookie(first.browser))
    const profile = await profileOf(access_token)
    expect(profile).toMatchObject({
      name: '陳大文',
      email: person.email,
      email_verified: true,
      has_password: false,
    })
    const second = await signInBy(person)
    const again = await call(server, tokenLogin, { ticket: ticketOf(second.query) }, cookie(second.browser))
    expect((await profileOf(again.access_token)).id).toBe(profile.id)
  })

  test('an address the provider has not verified is not verified here either', async () => {
    const { browser, query } = await signInBy(fresh({ email_verified: false }))
    const { access_token } = await call(server, tokenLogin, { ticket: ticketOf(query) }, cookie(browser))
    expect(await profileOf(access_token)).toMatchObject({ email_verified: false, has_password: false })
  })

  test('an existing account opens only after its password; afterwards it opens by itself', async () => {
    const person = fresh({ email: owner.email.toUpperCase() })
    const { browser, query } = await signInBy(person)
    const ticket = ticketOf(query)
    expect(await codeOf(call(server, tokenLogin, { ticket }, cookie(browser)))).toBe(6031)
    const link = (password: string) => call(server, linkSso, { ticket, password }, cookie(browser))
    expect(await codeOf(link('wrong'))).toBe(6002)
    // The right password, but from another browser.
    expect(await codeOf(call(server, linkSso, { ticket, password: PASSWORD }))).toBe(4100)
    const { access_token } = await link(PASSWORD)
    expect((await profileOf(access_token)).id).toBe(owner.uid)
    expect(await codeOf(link(PASSWORD))).toBe(4100)
    const next = await signInBy(person)
    const again = await call(server, tokenLogin, { ticket: ticketOf(next.query) }, cookie(next.browser))
    expect((await profileOf(again.access_token)).id).toBe(owner.uid)
  })

  test('an account somebody made with an unverified address is closed to them once its owner has set a password', async () => {
    const person = fresh({ email_verified: false })
    const first = await signInBy(person)
    await call(server, tokenLogin, { ticket: ticketOf(first.query) }, cookie(first.browser))
    // What a reset by mail leaves behind.
    const { password_hash } = await server.app.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', owner.uid)
      .executeTakeFirstOrThrow()
    await server.app.db
      .updateTable('users')
      .set({ password_hash })
      .where('email', '=', person.email as string)
      .execute()
    const next = await signInBy(person)
    const ticket = ticketOf(next.query)
    expect(await codeOf(call(server, tokenLogin, { ticket }, cookie(next.browser)))).toBe(6031)
  })

  test('a ticket works once: the second use is refused and ends what the first opened', async () => {
    const { browser, query } = await signInBy(fresh())
    const ticket = ticketOf(query)
    const { access_token } = await call(server, tokenLogin, { ticket }, cookie(browser))
    expect(await codeOf(profileOf(access_token))).toBe(0)
    const second = await send(server, tokenLogin, { ticket })
    expect([second.status, ((await second.json()) as { error: { code: number } }).error.code]).toEqual([
      410, 4100,
    ])
    expect(await codeOf(profileOf(access_token))).toBe(4012)
  })

  test('of twenty uses at the same moment one wins at most', async () => {
    const { browser, query } = await signInBy(fresh())
    const ticket = ticketOf(query)
    const codes = await Promise.all(
      Array.from({ length: 20 }, () => codeOf(call(server, tokenLogin, { ticket }, cookie(browser)))),
    )
    expect(codes.filter((code) => code === 0)).toHaveLength(1)
    expect(new Set(codes)).toEqual(new Set([0, 4100]))
  })

  test('a ticket is of its browser and of its minute, and a look at it uses nothing up', async () => {
    const { browser, query } = await signInBy(fresh())
    const ticket = ticketOf(query)
    expect(await codeOf(call(server, tokenLogin, { ticket }))).toBe(4100)
    expect((await server.request(`/sso?ticket=${ticket}`)).status).toBeLessThan(500)
    expect((await server.request('/api/v1/user/token-login')).status).toBe(405)
    now_ms += (TICKET_LIFE_S.sso + 1) * 1_000
    expect(await codeOf(call(server, tokenLogin, { ticket }, cookie(browser)))).toBe(4100)
    expect(await codeOf(call(server, tokenLogin, { ticket: 'x'.repeat(43) }))).toBe(4100)
  })

  test('a ticket from a mail opens a session in any browser, for a quarter of an hour', async () => {
    const make = () => inTransaction(server.app, (tx) => makeTicket(tx, 'mail', owner.uid))
    const { access_token } = await call(server, tokenLogin, { ticket: await make() })
    expect((await profileOf(access_token)).id).toBe(owner.uid)
    const late = await make()
    now_ms += (TICKET_LIFE_S.mail + 1) * 1_000
    expect(await codeOf(call(server, tokenLogin, { ticket: late }))).toBe(4100)
  })

  test('saying no, no address, and an unknown provider each say what happened', async () => {
    expect((await signInBy(null)).query).toEqual({ error: 'denied' })
    const { email: _none, ...without } = fresh()
    expect((await signInBy(without)).query).toEqual({ error: 'email' })
    const unknown = await new Browser(server.url).get('/api/v1/sso/nobody/start')
    expect(unknown.headers.get('location')).toBe('/sso?error=failed')
  })

  test('an answer that was not asked for here, or is altered, opens nothing', async () => {
    const users = async () => (await dump(server.app.db)).get('users')?.length
    const refused = async (query: Record<string, string>, error: string) => {
      expect(query).toEqual({ error })
      expect(await users()).toBe(before)
    }
    const before = await users()
    const altered = async (name: string, value: string) => {
      const { browser, back } = await there(fresh())
      back.searchParams.set(name, value)
      return (await home(browser, back)).query
    }
    await refused(await altered('state', 'x'.repeat(43)), 'expired')
    await refused(await altered('iss', 'https://evil.example'), 'failed')
    await refused(await altered('code', 'x'.repeat(43)), 'failed')
    // Another browser: an attacker's answer handed to somebody else (login CSRF).
    const stolen = await there(fresh())
    await refused((await home(new Browser(server.url), stolen.back)).query, 'expired')
    // An attacker's code put into one's own flow: PKCE does not fit.
    const own = await there(fresh())
    const theirs = await there(fresh())
    own.back.searchParams.set('code', theirs.back.searchParams.get('code') as string)
    await refused((await home(own.browser, own.back)).query, 'failed')
    // An ID token made for another sign-in.
    const replayed = await signInBy(fresh(), START, (url) => {
      url.searchParams.set('nonce', 'another nonce')
      return url
    })
    await refused(replayed.query, 'failed')
    const slow = await there(fresh())
    now_ms += 601_000
    await refused((await home(slow.browser, slow.back)).query, 'expired')
  })

  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/%5cevil.example',
    '/%09/evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/login?returnTo=//evil.example',
    '/sso?ticket=x',
    '/oidc/auth',
    '/api/v1/sso/acme/start',
    '/..//evil.example',
    'https:evil.example',
  ])('afterwards nobody is sent to %j', async (return_to) => {
    const { query } = await signInBy(fresh(), `${START}?${new URLSearchParams({ return_to })}`)
    expect(Object.keys(query)).toEqual(['ticket'])
  })

  test('tickets and bindings stand nowhere in the database', async () => {
    const { browser, query } = await signInBy(fresh())
    const all = JSON.stringify([...(await dump(server.app.db))])
    const binding = /=(.*)$/.exec(browser.cookies('/api/v1/user'))?.[1] as string
    expect(binding).toHaveLength(43)
    for (const secret of [query['ticket'], binding]) expect(all.includes(secret as string)).toBe(false)
  })

  test('reached by https, both cookies bear names that no page by http can set', async () => {
    const origin = 'https://lingbo.example'
    const other = await startIdp()
    const far = await startServer({ engine, env: { SSO_PROVIDERS: other.env, PUBLIC_URL: origin } })
    other.open(origin)
    other.person = fresh()
    const provider = new Browser(other.issuer)
    const begun = await far.request(START, { redirect: 'manual' })
    const [kept = '', ...more] = begun.headers.getSetCookie()
    expect([kept, ...more]).toEqual([expect.stringMatching(/^__Secure-lb_sso_[^=]+=.*; Secure/)])
    let next = begun.headers.get('location') as string
    while (next.startsWith(other.issuer)) {
      const step = await provider.get(next)
      next = new URL(step.headers.get('location') ?? `about:${step.status}`, next).href
    }
    const { pathname, search } = new URL(next)
    const cookie = kept.split(';')[0] as string
    const home = await far.request(pathname + search, { redirect: 'manual', headers: { cookie } })
    const bound = home.headers.getSetCookie().filter((line) => !/max-age=0/i.test(line))
    expect(bound).toEqual([expect.stringMatching(/^__Secure-lb_ticket_[^=]+=.*; Secure/)])
    await far.close()
    await other.close()
  })

  test('a provider that cannot be reached is a sentence, not a fault, and not for ever', async () => {
    const away = await startServer({
      env: {
        SSO_PROVIDERS: JSON.stringify([
          { id: 'away', name: 'Away', issuer: 'http://127.0.0.1:9', client_id: 'x' },
        ]),
      },
    })
    const answer = await new Browser(away.url).get('/api/v1/sso/away/start')
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sso?error=failed'])
    await away.close()
  })
})
