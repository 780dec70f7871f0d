// How often: guessing is slowed down for the guesser, the owner of the account still gets in, and each has its own count.
import { afterEach, expect, test } from 'vitest'
import type { ApiError } from '#contract/errors.ts'
import { getProfile, verifyEmail } from '#contract/profile.ts'
import { login, register } from '#contract/session.ts'
import { trySignIn } from '#server/session/passwords.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { call, PASSWORD, send, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { openStream } from '#tests/support/stream.ts'

describeEngines('limits', (engine) => {
  let server: TestServer
  afterEach(() => server.close())
  const start = (env: Record<string, string> = {}) =>
    startServer({ engine, env: { LIMIT_FACTOR: '1', ...env } })

  test('guessing one account is stopped with the time to wait; another account is not', async () => {
    server = await start()
    const person = await signUp(server, '被猜', { verify: false })
    const guess = (account: string, password = 'wrong') => send(server, login, { account, password })
    // all at once: the minute that is counted does not pass over twelve passwords, however slow the machine
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => (await guess(person.email)).status),
    )
    expect(statuses.toSorted()).toEqual([...Array(10).fill(400), 429, 429])
    const stopped = await guess(person.email, PASSWORD)
    const wait_s = Number(stopped.headers.get('retry-after'))
    const text = `操作太頻繁，請 ${wait_s} 秒後再試`
    expect(await stopped.json()).toMatchObject({ error: { code: 4290, text }, result: null })
    expect(wait_s).toBeGreaterThanOrEqual(1)
    expect(wait_s).toBeLessThanOrEqual(60)
    const other = await signUp(server, '別人', { verify: false })
    expect((await guess(other.email, PASSWORD)).status).toBe(200)
  })

  test('whoever guesses from one address, and goes on, does not lock the owner out at another', async () => {
    server = await start({ TRUSTED_PROXIES: '127.0.0.1' })
    const person = await signUp(server, '被鎖', { verify: false })
    const from = (ip: string, password: string) =>
      send(server, login, { account: person.email, password }, { 'x-forwarded-for': ip })
    for (const ip of ['203.0.113.7', '203.0.113.8', '2001:db8::1']) {
      const answers = await Promise.all(Array.from({ length: 40 }, () => from(ip, 'wrong')))
      const statuses = answers.map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([...Array(10).fill(400), ...Array(30).fill(429)])
    }
    // One subscriber's other address is no other sender.
    expect((await from('2001:db8::2', PASSWORD)).status).toBe(429)
    expect((await from('198.51.100.1', PASSWORD)).status).toBe(200)
  })

  test('many addresses together are slowed: the owner still gets in, from a place never seen before', async () => {
    server = await start({ TRUSTED_PROXIES: '127.0.0.1' })
    const guess = (i: number) =>
      server.app.guesses
        .take([{ limit: 'login_anywhere', of: 'somebody@example.com' }])
        .then(({ wait_s }) => ({ i, wait_s }))
    const waits = await Promise.all(Array.from({ length: 301 }, (_none, i) => guess(i)))
    expect(waits.filter(({ wait_s }) => wait_s > 0)).toHaveLength(1)
    const person = await signUp(server, '被圍猜', { verify: false })
    for (let i = 0; i < 300; i++)
      await server.app.guesses.take([{ limit: 'login_anywhere', of: person.email }])
    const from = (ip: string, password: string) =>
      send(server, login, { account: person.email, password }, { 'x-forwarded-for': ip })
    // One sender holds five of those who wait, all together fifty; the rest hears 429 at once.
    // In one turn: over the network the last ones may come when the first have waited.
    const crowd = Array.from({ length: 60 }, (_none, i) =>
      trySignIn(server.app, person.email, { ip: `203.0.113.${i % 6}`, cookie: '' }, async () => null).then(
        () => 'in',
        (error: ApiError) => (error.code === 6002 ? 'waited' : error.code),
      ),
    )
    expect((await Promise.all(crowd)).toSorted()).toEqual([
      ...Array(30).fill(4290),
      ...Array(30).fill('waited'),
    ])
    expect((await from('203.0.113.9', 'wrong')).status).toBe(400)
    expect((await from('198.51.100.9', PASSWORD)).status).toBe(200)
  })

  test('a right password gives the turns back', async () => {
    server = await start()
    const person = await signUp(server, '常登入', { verify: false })
    for (let i = 0; i < 15; i++)
      expect((await send(server, login, { account: person.email, password: PASSWORD })).status).toBe(200)
  })

  test('accounts that do not exist run into the same limit', async () => {
    server = await start()
    const nobody = { account: 'nobody@example.com', password: 'x' }
    const statuses = await Promise.all(
      Array.from({ length: 11 }, async () => (await send(server, login, nobody)).status),
    )
    expect(statuses.toSorted()).toEqual([...Array(10).fill(400), 429])
  })

  test('a class of forty registers from one address; it cannot go on without end, and each caller behind a proxy counts alone', async () => {
    server = await start({ TRUSTED_PROXIES: '127.0.0.1' })
    let n = 0
    const join = async (ip: string) => {
      const email = `limit-${++n}@example.com`
      const person = { account: email, email, name: '人', password: PASSWORD }
      return (await send(server, register, person, { 'x-forwarded-for': ip })).status
    }
    const statuses: number[] = []
    for (let i = 0; i < 40; i++) statuses.push(await join('203.0.113.7'))
    expect(statuses).toEqual(Array(40).fill(200))
    for (let i = 0; i < 59; i++) await server.app.limits.takeFrom('register_ip', '203.0.113.7')
    expect([await join('203.0.113.7'), await join('203.0.113.7')]).toEqual([200, 429])
    expect(await join('203.0.113.8')).toBe(200)
    // What the caller wrote itself is not believed: the proxy's own entry stands to the right of it.
    expect(await join('198.51.100.1, 203.0.113.7')).toBe(429)
  })

  test('without a trusted proxy the header is no way around', async () => {
    server = await start()
    for (let i = 0; i < 100; i++) await server.app.limits.takeFrom('register_ip', '127.0.0.1')
    const email = 'spoof@example.com'
    const person = { account: email, email, name: '人', password: PASSWORD }
    expect((await send(server, register, person, { 'x-forwarded-for': '203.0.113.1' })).status).toBe(429)
  })

  test('guessing codes is limited over all codes of a person', async () => {
    server = await start()
    const person = await signUp(server, '猜碼', { verify: false })
    const statuses = []
    for (let i = 0; i < 17; i++)
      statuses.push(
        (await send(server, verifyEmail, { code: '000000' }, { authorization: `Bearer ${person.token}` }))
          .status,
      )
    expect(statuses.filter((status) => status === 400)).toHaveLength(15)
    expect(statuses.slice(15)).toEqual([429, 429])
    expect(await person.call(getProfile, {})).toMatchObject({ email_verified: false })
  })

  test('streams are opened so often a minute, and no more: each reads what its cursor missed', async () => {
    server = await start()
    const person = await signUp(server, '一直重連', { verify: false })
    // counted at once, not over as long as 240 streams take here
    const turns = Array.from({ length: 240 }, () => server.app.limits.wait('streams', person.uid))
    expect(new Set(await Promise.all(turns))).toEqual(new Set([0]))
    const stream = await openStream(server, person.token)
    await stream.close()
    expect(stream.status).toBe(429)
  })

  test('no person can keep the server busy alone', async () => {
    server = await start()
    const person = await signUp(server, '忙', { verify: false })
    // counted at once, not over as long as 1,200 calls take here
    const turns = Array.from({ length: 1_200 }, () => server.app.limits.wait('calls', person.uid))
    expect(new Set(await Promise.all(turns))).toEqual(new Set([0]))
    const busy = await send(server, getProfile, {}, { authorization: `Bearer ${person.token}` })
    expect(busy.status).toBe(429)
    const other = await signUp(server, '另一人', { verify: false })
    expect((await call(server, getProfile, {}, { authorization: `Bearer ${other.token}` })).name).toBe(
      '另一人',
    )
  })
})
