// Signing in stays possible: what others guess, ask and try at doors shuts nobody out, and a wide IPv6 network is no way around.
import { afterEach, expect, test } from 'vitest'
import { checkResetToken, forgetPassword, login, renewToken } from '#contract/session.ts'
import { hookPath, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { QUICK_PASSWORDS } from '#tests/support/passwords.ts'
import { PASSWORD, send, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const ENV = { LIMIT_FACTOR: '1', TRUSTED_PROXIES: '127.0.0.1' }

describeEngines('signing in stays possible', (engine) => {
  let server: TestServer
  afterEach(() => server.close())
  const start = async (env: Record<string, string> = {}) => {
    server = await startServer({ engine, env: { ...ENV, ...env } })
  }
  const signIn = (account: string, password: string, ip: string, cookie = '') =>
    send(server, login, { account, password }, { 'x-forwarded-for': ip, cookie })
  const cookieOf = (answer: Response) => (answer.headers.get('set-cookie') ?? '').split(';')[0] as string
  /** The account is under siege, and from the owner's own address, too. */
  async function besiege(account: string, ip: string): Promise<void> {
    const { guesses } = server.app
    for (let i = 0; i < 301; i++) await guesses.take([{ limit: 'login_anywhere', of: account }])
    for (let i = 0; i < 61; i++) await guesses.take([{ limit: 'login_ip', of: ip }])
    for (let i = 0; i < 11; i++) await guesses.take([{ limit: 'login_account', of: `${account} ${ip}` }])
  }

  test('a browser that was signed in before has its own budget, and a small one', async () => {
    await start()
    const person = await signUp(server, '老裝置', { verify: false })
    const ip = '203.0.113.50'
    const first = await signIn(person.email, PASSWORD, ip)
    const line = first.headers.get('set-cookie') ?? ''
    expect(line).toMatch(/^lb_device=[\w.-]+; Path=\/api\/v1\/user; Max-Age=\d+; HttpOnly; SameSite=Strict$/)
    expect(line).not.toContain(person.uid)
    await besiege(person.email, ip)
    expect((await signIn(person.email, PASSWORD, ip)).status).toBe(429)
    const again = await signIn(person.email, PASSWORD, ip, cookieOf(first))
    expect(again.status).toBe(200)
    // Rotated: each sign-in writes a new one.
    expect(cookieOf(again)).not.toBe(cookieOf(first))
    await besiege(person.email, ip)
    const statuses = []
    for (let i = 0; i < 12; i++)
      statuses.push((await signIn(person.email, 'wrong', ip, cookieOf(again))).status)
    expect(statuses).toEqual([...Array(10).fill(400), 429, 429])
  })

  test('a session is one device, however often its token is renewed: a stolen token guesses no more passwords', async () => {
    await start()
    const person = await signUp(server, '被偷', { verify: false })
    const ip = '203.0.113.55'
    await besiege(person.email, ip)
    const statuses = []
    for (let i = 0; i < 12; i++) {
      const renewed = await send(server, renewToken, {}, { authorization: `Bearer ${person.token}` })
      statuses.push((await signIn(person.email, 'wrong', ip, cookieOf(renewed))).status)
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429, 429])
  })

  test('strangers who wait for their password to be tried are passed by who was signed in before', async () => {
    const asked: (boolean | undefined)[] = []
    const passwords: typeof QUICK_PASSWORDS = {
      ...QUICK_PASSWORDS,
      fits: (stored, password, first) => {
        asked.push(first)
        return QUICK_PASSWORDS.fits(stored, password, first)
      },
    }
    server = await startServer({ engine, env: ENV, overrides: { passwords } })
    const person = await signUp(server, '先走', { verify: false })
    const cookie = cookieOf(await signIn(person.email, PASSWORD, '203.0.113.54'))
    await signIn(person.email, PASSWORD, '203.0.113.54', cookie)
    expect(asked.slice(-2)).toEqual([false, true])
    const stored = await QUICK_PASSWORDS.hash(PASSWORD)
    // all places to wait are taken, and more than those are asked for
    const ended: string[] = []
    const tries = Array.from({ length: 200 }, () =>
      QUICK_PASSWORDS.fits(null, 'wrong').then(
        () => ended.push('tried'),
        () => ended.push('refused'),
      ),
    )
    expect(await QUICK_PASSWORDS.fits(stored, PASSWORD, true)).toBe(true)
    expect(ended.filter((how) => how === 'tried').length).toBeLessThan(50)
    await Promise.all(tries)
    expect(ended).toContain('refused')
  })

  test('the cookie is good for its own account only, for half a year, and cannot be made', async () => {
    let now = Date.now()
    server = await startServer({ engine, env: ENV, overrides: { now: () => now } })
    const [owner, other] = [
      await signUp(server, '甲', { verify: false }),
      await signUp(server, '乙', { verify: false }),
    ]
    const ip = '203.0.113.51'
    const own = cookieOf(await signIn(owner.email, PASSWORD, '198.51.100.1'))
    const foreign = cookieOf(await signIn(other.email, PASSWORD, '198.51.100.2'))
    // One browser, two people: both are remembered.
    const both = cookieOf(await signIn(other.email, PASSWORD, '198.51.100.3', own))
    await besiege(owner.email, ip)
    for (const cookie of ['', foreign, `${own.slice(0, -3)}AAA`, 'lb_device=...', 'lb_device=%00'])
      expect([cookie, (await signIn(owner.email, PASSWORD, ip, cookie)).status]).toEqual([cookie, 429])
    now += 181 * 86_400_000
    await besiege(owner.email, ip)
    expect((await signIn(owner.email, 'wrong', ip, both)).status).toBe(429)
    now -= 181 * 86_400_000
    expect((await signIn(owner.email, PASSWORD, ip, both)).status).toBe(200)
  })

  test('a device that only goes on being signed in is remembered, too; the cookie signs nobody in', async () => {
    await start()
    const person = await signUp(server, '續登', { verify: false })
    const authorization = `Bearer ${person.token}`
    const renewed = await send(server, renewToken, {}, { authorization })
    const cookie = cookieOf(renewed)
    expect(cookie).toMatch(/^lb_device=/)
    await besiege(person.email, '203.0.113.52')
    expect((await signIn(person.email, PASSWORD, '203.0.113.52', cookie)).status).toBe(200)
    expect((await send(server, renewToken, {}, { cookie })).status).toBe(401)
    expect((await signIn(person.email, 'wrong', '203.0.113.53', cookie)).headers.get('set-cookie')).toBeNull()
  })

  test('a reset that was asked for too often by somebody else still reaches the owner', async () => {
    await start()
    const person = await signUp(server, '要重設', { verify: false })
    const ask = (email: string, ip: string) =>
      send(server, forgetPassword, { email }, { 'x-forwarded-for': ip })
    const letters = async () =>
      (await server.mails()).filter(
        ({ to, subject }) => to.includes(person.email) && subject.includes('重設'),
      )
    for (let i = 0; i < 3; i++) await ask(person.email, '203.0.113.60')
    await expect.poll(async () => (await letters()).length).toBe(3)
    expect((await ask(person.email, '198.51.100.60')).status).toBe(200)
    await expect.poll(async () => (await letters()).length).toBe(4)
    for (const { text } of await letters()) {
      const token = /token=([\w-]+)/.exec(text)?.[1] as string
      expect((await send(server, checkResetToken, { token })).status).toBe(200)
    }
    // The mailbox is not flooded either.
    for (let i = 0; i < 5; i++) await ask(person.email, '198.51.100.61')
    const marker = await signUp(server, '後來', { verify: false })
    await ask(marker.email, '198.51.100.62')
    await expect
      .poll(async () => (await server.mails()).some(({ to }) => to.includes(marker.email)))
      .toBe(true)
    expect(await letters()).toHaveLength(4)
  })

  test('who finds the places of the slowed full has guessed nothing', async () => {
    await start()
    const person = await signUp(server, '排不到', { verify: false })
    const ip = '203.0.113.56'
    for (let i = 0; i < 60; i++) await server.app.guesses.take([{ limit: 'login_ip', of: ip }])
    // Others behind the same address wait.
    const others = Array.from({ length: 5 }, () => server.app.guesses.slowDown(ip))
    const asked = await Promise.all(Array.from({ length: 12 }, () => signIn(person.email, PASSWORD, ip)))
    expect(asked.map(({ status }) => status)).toEqual(Array(12).fill(429))
    await Promise.all([...others, server.app.guesses.settled()])
    expect((await signIn(person.email, PASSWORD, ip)).status).toBe(200)
  })

  test('a /48 full of /64s is no crowd of senders', async () => {
    await start()
    const ask = async (ip: string) =>
      (await send(server, checkResetToken, { token: 'none' }, { 'x-forwarded-for': ip })).status
    // Each asks once from a /64 of its own: sixteen times the room of one subscriber, and no more.
    const asked = await Promise.all(
      Array.from({ length: 500 }, (_none, i) => ask(`2001:db8:7:${(i * 131).toString(16)}::1`)),
    )
    expect(asked.filter((status) => status === 429)).toHaveLength(20)
    expect(await ask('2001:db8:8:1::1')).toBe(410)
  })

  test('strangers at the webhooks: a whole /48 runs dry together, and a right token passes meanwhile', async () => {
    const desk = await openDesk({ engine, env: { ...ENV, TRUSTED_PROXIES: '127.0.0.1' } })
    server = desk.server
    const own = await desk.strategy()
    const knock = (path: string, ip: string) =>
      server.request(path, {
        method: 'POST',
        body: JSON.stringify({ symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 }),
        headers: { 'x-forwarded-for': ip },
      })
    // What runs dry fills up again by the minute, and so many knocks may take minutes: the server's clock stands still meanwhile.
    desk.setClock(Date.now())
    const tried = []
    for (let i = 0; i < 2_400; i += 100)
      tried.push(
        ...(await Promise.all(
          Array.from({ length: 100 }, (_none, n) =>
            knock(`/hooks/no${i + n}`, `2001:db8:9:${(i + n).toString(16)}::1`),
          ),
        )),
      )
    expect(tried.filter(({ status }) => status === 429).length).toBeGreaterThan(100)
    expect((await knock(hookPath(own.strategy), '2001:db8:9:1::1')).status).toBe(200)
  })
})
