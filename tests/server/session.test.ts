// Signing up, in and out over HTTP, on both engines: nobody learns who has an account, and an ended session is over at once.
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TOO_COMMON } from '#contract/common-passwords.ts'
import { ApiError } from '#contract/errors.ts'
import { getProfile } from '#contract/profile.ts'
import { endSession, listSessions, login, logout, register, renewToken } from '#contract/session.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { call, PASSWORD, type Person, send, signIn, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 0,
    (error: unknown) => (error instanceof ApiError ? error.code : Promise.reject(error)),
  )

describeEngines('session', (engine) => {
  let server: TestServer
  let now_ms = Date.now()
  let person: Person
  beforeAll(async () => {
    server = await startServer({ engine, overrides: { now: () => now_ms } })
    person = await signUp(server, '林小美')
  })
  afterAll(() => server.close())

  const shapeOf = async (answer: Response) => ({
    status: answer.status,
    headers: [...answer.headers].filter(([name]) => name !== 'date' && name !== 'content-length'),
    body: (await answer.text()).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>'),
  })

  // spec §7: POST /api/v1/user/register | account, name, email, password | error and result
  test('registering an address that exists answers the same, changes nothing and tells its owner', async () => {
    const form = (email: string) => ({ account: email, email, name: '別人', password: 'another password' })
    const fresh = await shapeOf(await send(server, register, form('fresh@example.com')))
    const taken = await shapeOf(await send(server, register, form(person.email)))
    expect(taken).toEqual(fresh)
    expect(fresh.status).toBe(200)
    expect(await person.call(getProfile, {})).toMatchObject({ name: '林小美' })
    expect(await codeOf(call(server, login, { account: person.email, password: 'another password' }))).toBe(
      6002,
    )
    await expect
      .poll(async () => (await server.mails()).filter((mail) => mail.subject.includes('已經有凌波帳號')))
      .toHaveLength(1)
  })

  // spec §7: POST /api/v1/user/login | account, password | error{success,msg,code,text}, result{access_token}
  test('a wrong password and an unknown account are one answer, and it is no 401', async () => {
    const wrong = await shapeOf(await send(server, login, { account: person.email, password: 'wrong' }))
    const unknown = await shapeOf(
      await send(server, login, { account: 'nobody@example.com', password: 'wrong' }),
    )
    expect(unknown).toEqual(wrong)
    expect(wrong.status).toBe(400)
    expect(JSON.parse(wrong.body)).toMatchObject({ error: { code: 6002 }, result: null })
  })

  test.each(['password123', 'Qwerty123!', 'abcabcabc'])(
    'a password that guessing tries first is refused: %s',
    async (password) => {
      const email = 'common@example.com'
      const answer = await send(server, register, { account: email, email, name: '常見', password })
      expect(answer.status).toBe(422)
      expect(await answer.json()).toMatchObject({ error: { code: 4220, fields: { password: TOO_COMMON } } })
    },
  )

  // spec §5: Registration sends email equal to account.
  // spec §5: Other login and registration field rules: not shown.
  test('account and address must be equal; every wrong field is named', async () => {
    const answer = await send(server, register, {
      account: 'a@example.com',
      email: 'b@example.com',
      name: ' ',
      password: 'short',
    })
    expect(answer.status).toBe(422)
    const { error } = (await answer.json()) as { error: { fields: Record<string, string> } }
    expect(Object.keys(error.fields)).toEqual(expect.arrayContaining(['name', 'password']))
    const unequal = await send(server, register, {
      account: 'a@example.com',
      email: 'b@example.com',
      name: 'A',
      password: PASSWORD,
    })
    expect(await unequal.json()).toMatchObject({
      error: { code: 4220, fields: { account: '帳號須與電子郵件相同' } },
    })
  })

  test('the address is taken in any spelling', async () => {
    const { access_token } = await call(server, login, {
      account: ` ${person.email.toUpperCase()} `,
      password: PASSWORD,
    })
    expect(access_token.split('.')).toHaveLength(3)
  })

  test('signing out ends this token at once and no other', async () => {
    const phone = await signIn(server, person.email)
    const desk = await signIn(server, person.email)
    expect(await phone.call(logout, {})).toBeNull()
    expect(await codeOf(phone.call(getProfile, {}))).toBe(4012)
    expect(await codeOf(phone.call(renewToken, {}))).toBe(4012)
    expect(await codeOf(desk.call(getProfile, {}))).toBe(0)
  })

  test('the list shows the own living sessions; one of them can be ended, a stranger’s cannot', async () => {
    const owner = await signUp(server, '清單', { verify: false })
    const other = await signIn(server, owner.email)
    const list = await owner.call(listSessions, {}, { 'user-agent': 'x' })
    expect(list).toHaveLength(2)
    expect(list.filter((entry) => entry.current)).toHaveLength(1)
    const theirs = list.find((entry) => !entry.current)
    expect(await codeOf(person.call(endSession, { id: theirs?.id ?? '' }))).toBe(4040)
    expect(await owner.call(endSession, { id: theirs?.id ?? '' })).toBeNull()
    expect(await codeOf(other.call(getProfile, {}))).toBe(4012)
    expect(await codeOf(owner.call(endSession, { id: theirs?.id ?? '' }))).toBe(4040)
    expect(await owner.call(listSessions, {})).toHaveLength(1)
  })

  test('a session is named after its device', async () => {
    const agent =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile Safari/604.1'
    const { access_token } = await call(
      server,
      login,
      { account: person.email, password: PASSWORD },
      { 'user-agent': agent },
    )
    const list = await call(server, listSessions, {}, { authorization: `Bearer ${access_token}` })
    expect(list.find((entry) => entry.current)?.device_label).toBe('iPhone · Safari')
  })

  // spec §3: Login result: access_token; its decoded payload has uid and exp (seconds).
  test('a renewed token outlives the old one; both end after their thirty days', async () => {
    const early = await signIn(server, person.email)
    now_ms += 20 * 86_400_000
    const { access_token } = await early.call(renewToken, {})
    now_ms += 11 * 86_400_000
    expect(await codeOf(early.call(getProfile, {}))).toBe(4011)
    const renewed = { authorization: `Bearer ${access_token}` }
    expect(await codeOf(call(server, getProfile, {}, renewed))).toBe(0)
    now_ms += 20 * 86_400_000
    expect(await codeOf(call(server, getProfile, {}, renewed))).toBe(4011)
    person = await signIn(server, person.email)
  })

  test('tokens that are not ours are refused, whatever they say', async () => {
    const { uid } = person
    const sid = (await person.call(listSessions, {}))[0]?.id ?? ''
    const iat = Math.floor(now_ms / 1000)
    const claims = { uid, sid, iat, exp: iat + 3600 }
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const sign = (over: object, key = server.app.keys.jwt, header: object = { alg: 'HS256', typ: 'JWT' }) =>
      new SignJWT({ iss: 'lingbo', aud: 'lingbo-app', ...claims, ...over })
        .setProtectedHeader(header as { alg: string })
        .sign(key)
    const [head = '', payload = ''] = person.token.split('.')
    const wrong: Record<string, string> = {
      none: `${part({ alg: 'none', typ: 'JWT' })}.${part({ iss: 'lingbo', aud: 'lingbo-app', ...claims })}.`,
      'no signature': `${head}.${payload}.`,
      'another key': await sign({}, new Uint8Array(32)),
      'another algorithm': await sign({}, server.app.keys.jwt, { alg: 'HS512', typ: 'JWT' }),
      'another issuer': await sign({ iss: 'evil' }),
      'another audience': await sign({ aud: 'evil' }),
      'no type': await sign({}, server.app.keys.jwt, { alg: 'HS256' }),
      'exp as text': await sign({ exp: `${iat + 3600}` }),
      'no exp': await sign({ exp: undefined }),
      'not yet': await sign({ nbf: iat + 600 }),
      'sid no id': await sign({ sid: "' or 1=1 --" }),
      'not a token': 'abc',
      'odd signs': 'a b',
    }
    for (const [what, token] of Object.entries(wrong))
      expect([
        what,
        await codeOf(call(server, getProfile, {}, { authorization: `Bearer ${token}` })),
      ]).toEqual([what, 4011])
    expect(await codeOf(call(server, getProfile, {}, { authorization: `Bearer ${await sign({})}` }))).toBe(0)
    const stranger = await signUp(server, '別人', { verify: false })
    expect(
      await codeOf(
        call(server, getProfile, {}, { authorization: `Bearer ${await sign({ uid: stranger.uid })}` }),
      ),
    ).toBe(4012)
    expect(await codeOf(call(server, getProfile, {}))).toBe(4010)
  })
})
