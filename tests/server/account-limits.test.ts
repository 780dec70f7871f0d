// How often: asking for links, using them, typing the own password, trying addresses (T17). The words stay the same for everybody.
import { afterEach, expect, test } from 'vitest'
import { deleteAccount, getProfile, updateEmail } from '#contract/profile.ts'
import { checkResetToken, forgetPassword, login, resetPassword, updatePassword } from '#contract/session.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { call, PASSWORD, type Person, send, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

describeEngines('account: limits', (engine) => {
  let server: TestServer
  afterEach(() => server.close())
  const start = async (env: Record<string, string> = {}) => {
    server = await startServer({ engine, env: { LIMIT_FACTOR: '1', ...env } })
  }
  const many = async (count: number, one: (i: number) => Promise<Response>): Promise<number[]> => {
    const statuses: number[] = []
    for (let i = 0; i < count; i++) statuses.push((await one(i)).status)
    return statuses
  }
  const as = (person: Person) => ({ authorization: `Bearer ${person.token}` })

  test('one address is mailed three times an hour, then once each five minutes; the answer does not tell', async () => {
    await start()
    const person = await signUp(server, '一直忘', { verify: false })
    const statuses = await many(6, () => send(server, forgetPassword, { email: person.email }))
    expect(statuses).toEqual(Array(6).fill(200))
    const mails = async () => (await server.mails()).filter((mail) => mail.to === person.email).length
    // The code of the registration, three links, and the first of those that come each five minutes.
    await expect.poll(mails).toBe(5)
    expect(await many(6, () => send(server, forgetPassword, { email: 'nobody@example.com' }))).toEqual(
      statuses,
    )
    const rows = await server.app.db.selectFrom('password_resets').select('uid').execute()
    expect(rows).toHaveLength(8)
  })

  test('guessing links is stopped per sender, other senders go on', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.1' })
    const from = (ip: string) => ({ 'x-forwarded-for': ip })
    const guess = (i: number, ip = '203.0.113.7') =>
      i % 2
        ? send(server, checkResetToken, { token: `guess-${i}` }, from(ip))
        : send(server, resetPassword, { token: `guess-${i}`, password: PASSWORD }, from(ip))
    const statuses = await many(32, (i) => guess(i))
    expect(statuses.slice(0, 30)).toEqual(Array(30).fill(410))
    expect(statuses.slice(30)).toEqual([429, 429])
    expect((await guess(1, '203.0.113.8')).status).toBe(410)
    // One subscriber of IPv6 holds a whole /64.
    const six = await many(32, (i) => guess(i, `2001:db8:1:2::${(i + 1).toString(16)}`))
    expect(six.at(-1)).toBe(429)
  })

  test('a stolen token cannot guess the password, whichever way it is asked for', async () => {
    await start()
    const person = await signUp(server, '令牌被偷', { verify: false })
    const ways = [
      () =>
        send(server, updatePassword, { old_password: 'wrong', new_password: 'something else 9' }, as(person)),
      () => send(server, updateEmail, { new_email: 'x@example.com', password: 'wrong' }, as(person)),
      () => send(server, deleteAccount, { password: 'wrong' }, as(person)),
    ]
    const statuses = await many(12, (i) => (ways[i % 3] as () => Promise<Response>)())
    expect(statuses).toEqual([...Array(10).fill(400), 429, 429])
    const stopped = await send(server, deleteAccount, { password: PASSWORD }, as(person))
    expect([stopped.status, Number(stopped.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(await person.call(getProfile, {})).toMatchObject({ name: '令牌被偷' })
    // The owner still signs in.
    expect((await send(server, login, { account: person.email, password: PASSWORD })).status).toBe(200)
  })

  test('a person can ask about five addresses an hour', async () => {
    await start()
    const [person, other] = [
      await signUp(server, '試信箱', { verify: false }),
      await signUp(server, '別人', { verify: false }),
    ]
    const statuses = await many(7, () =>
      send(server, updateEmail, { new_email: other.email, password: PASSWORD }, as(person)),
    )
    expect(statuses).toEqual([...Array(5).fill(422), 429, 429])
  })

  test('the reset gives the owner back the turns that guessing took', async () => {
    await start()
    const person = await signUp(server, '被猜後重設', { verify: false })
    const guess = () => send(server, login, { account: person.email, password: 'wrong' })
    // all at once: the minute that is counted does not pass over eleven passwords, however slow the machine
    const statuses = (await Promise.all(Array.from({ length: 11 }, guess))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([...Array(10).fill(400), 429])
    await call(server, forgetPassword, { email: person.email })
    const token = async () =>
      (await server.mails())
        .filter((mail) => mail.to === person.email)
        .flatMap(({ text }) => /token=([\w-]{43})/.exec(text)?.[1] ?? [])[0] ?? ''
    await expect.poll(token).not.toBe('')
    await call(server, resetPassword, { token: await token(), password: 'a new one, at last' })
    const back = await send(server, login, { account: person.email, password: 'a new one, at last' })
    expect(back.status).toBe(200)
  })
})
