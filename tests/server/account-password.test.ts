// Passwords forgotten and changed, on both engines: one link, one use; nobody learns who has an account; other sessions end.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TOO_COMMON } from '#contract/common-passwords.ts'
import { eventStream } from '#contract/events.ts'
import { getProfile, updateName } from '#contract/profile.ts'
import {
  checkResetToken,
  forgetPassword,
  listSessions,
  login,
  renewToken,
  resetPassword,
  updatePassword,
} from '#contract/session.ts'
import { signalFeed } from '#contract/signal.ts'
import { createStrategy } from '#contract/strategy.ts'
import { refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { call, PASSWORD, send, signIn, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { openStream } from '#tests/support/stream.ts'
import { dump } from '#tests/support/tables.ts'

const NEW = 'walking on water 77'

describeEngines('account: password', (engine) => {
  let server: TestServer
  let now_ms = Date.now()
  beforeAll(async () => {
    server = await startServer({ engine, overrides: { now: () => now_ms } })
  })
  afterAll(() => server.close())

  const mailsTo = async (email: string) => (await server.mails()).filter((mail) => mail.to === email)
  /** Asks for a link and takes the token out of the newest mail. */
  async function tokenFor(email: string): Promise<string> {
    const links = async () =>
      (await mailsTo(email)).flatMap(({ text }) => /reset-password\?token=([\w-]{43})/.exec(text)?.[1] ?? [])
    const before = await links()
    await call(server, forgetPassword, { email })
    await expect.poll(async () => (await links()).length).toBe(before.length + 1)
    return (await links()).find((token) => !before.includes(token)) as string
  }
  const codeOf = async (attempt: Promise<unknown>) => (await refused(attempt)).code
  const signsIn = (account: string, password: string) =>
    send(server, login, { account, password }).then((answer) => answer.status === 200)

  // spec §7: POST /api/v1/user/forget-password/update | not shown | not shown
  test('the link from the mail sets a new password, ends every session, and works once', async () => {
    const person = await signUp(server, '健忘', { verify: false })
    const phone = await signIn(server, person.email)
    const token = await tokenFor(person.email)
    expect(await call(server, checkResetToken, { token })).toEqual({ email_masked: 'pe***@example.com' })
    expect(await call(server, resetPassword, { token, password: NEW })).toBeNull()
    expect(await codeOf(person.call(getProfile, {}))).toBe(4012)
    expect(await codeOf(phone.call(getProfile, {}))).toBe(4012)
    expect([await signsIn(person.email, PASSWORD), await signsIn(person.email, NEW)]).toEqual([false, true])
    for (const again of [
      () => call(server, checkResetToken, { token }),
      () => call(server, resetPassword, { token, password: `${NEW}!` }),
    ])
      expect(await refused(again())).toMatchObject({
        code: 4100,
        status: 410,
        text: expect.stringContaining('用過'),
      })
    await expect
      .poll(async () => (await mailsTo(person.email)).map((mail) => mail.subject))
      .toContain('你的凌波密碼已變更')
  })

  test('the link leads on to the page that was wanted, and to none outside', async () => {
    const person = await signUp(server, '有去處', { verify: false })
    const asked = async (return_to?: string) => {
      await call(server, forgetPassword, { email: person.email, ...(return_to && { return_to }) })
    }
    await asked('/my-organizations?invite=abc&x=1#here')
    await asked('//evil.example/')
    await asked('/login?returnTo=/x')
    const links = async () =>
      (await mailsTo(person.email)).flatMap(
        ({ text }) => /https?:\S+reset-password\?\S+/.exec(text)?.[0] ?? [],
      )
    await expect.poll(async () => (await links()).length).toBe(3)
    const goals = (await links()).map((link) => new URL(link).searchParams.get('returnTo'))
    expect(goals.toSorted()).toEqual(['/my-organizations?invite=abc&x=1#here', null, null])
  })

  test('open streams of the account end with the reset', async () => {
    const person = await signUp(server, '串流', { verify: false })
    const stream = await openStream(server, person.token)
    const token = await tokenFor(person.email)
    await call(server, resetPassword, { token, password: NEW })
    await expect.poll(stream.ended).toBe(true)
  })

  // spec §7: GET /api/v1/user/forget-password/check-token/{token} | none | result, or error if error.success…
  test('a link ends after half an hour, with a newer password, and is not guessed', async () => {
    const person = await signUp(server, '半小時', { verify: false })
    const [first, second] = [await tokenFor(person.email), await tokenFor(person.email)]
    expect(await call(server, checkResetToken, { token: first })).toBeTruthy()
    await call(server, resetPassword, { token: second, password: NEW })
    expect(await codeOf(call(server, checkResetToken, { token: first }))).toBe(4100)
    now_ms += 3_600_000
    const late = await tokenFor(person.email)
    now_ms += 1_800_000
    expect(await refused(call(server, resetPassword, { token: late, password: PASSWORD }))).toMatchObject({
      code: 4100,
      text: expect.stringContaining('30 分鐘'),
    })
    for (const token of ['x', 'x'.repeat(43), `${late} `, "' or 1=1 --", 'ＡＢＣ'])
      expect(await codeOf(call(server, checkResetToken, { token }))).toBe(4100)
  })

  test('fifty who use one link at once: exactly one gets through', async () => {
    const person = await signUp(server, '同時', { verify: false })
    const token = await tokenFor(person.email)
    const passwords = Array.from({ length: 50 }, (_none, i) => `parallel password ${i}`)
    const statuses = await Promise.all(
      passwords.map((password) =>
        send(server, resetPassword, { token, password }).then(({ status }) => status),
      ),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 410)).toHaveLength(49)
    const winner = passwords[statuses.indexOf(200)] as string
    expect(await signsIn(person.email, winner)).toBe(true)
  })

  // spec §7: POST /api/v1/user/forget-password | not shown | error.success
  test('with and without an account the answer is the same, byte for byte; only one of them gets a mail', async () => {
    const person = await signUp(server, '存在', { verify: false })
    const shapeOf = async (email: string) => {
      const answer = await send(server, forgetPassword, { email })
      return {
        status: answer.status,
        headers: [...answer.headers].filter(([name]) => name !== 'date'),
        body: await answer.text(),
      }
    }
    const mine = await shapeOf(person.email)
    expect(await shapeOf('nobody-here@example.com')).toEqual(mine)
    expect(mine.status).toBe(200)
    // besides the code of the registration
    const resets = async () => (await mailsTo(person.email)).filter(({ text }) => text.includes('token='))
    await expect.poll(async () => (await resets()).length).toBe(1)
    expect(await mailsTo('nobody-here@example.com')).toEqual([])
    const rows = await server.app.db.selectFrom('password_resets').select('uid').execute()
    // Both wrote a row: the work is the same, too.
    expect(rows.filter((row) => row.uid === null)).toHaveLength(1)
    expect(rows.filter((row) => row.uid === person.uid)).toHaveLength(1)
  })

  test('the token stands in no table, only its hash', async () => {
    const person = await signUp(server, '表格', { verify: false })
    const token = await tokenFor(person.email)
    const all = JSON.stringify([...(await dump(server.app.db))])
    expect(all).not.toContain(token)
    expect(all).toContain(createHash('sha256').update(token).digest('hex'))
  })

  test('a new password is held to the same rules, and a refused one leaves the link usable', async () => {
    const person = await signUp(server, '規則', { verify: false })
    const token = await tokenFor(person.email)
    expect(
      (await refused(call(server, resetPassword, { token, password: 'password123' }))).details.fields,
    ).toEqual({
      password: TOO_COMMON,
    })
    for (const password of ['short', 'x'.repeat(73)])
      expect(await codeOf(call(server, resetPassword, { token, password }))).toBe(4220)
    expect(await call(server, resetPassword, { token, password: NEW })).toBeNull()
  })

  // spec §7: PUT /api/v1/user/password | password data | response not read
  test('changing it asks for the old one, ends the other sessions and leaves this one', async () => {
    const person = await signUp(server, '變更', { verify: false })
    const other = await signIn(server, person.email)
    const stream = await openStream(server, other.token)
    const link = await tokenFor(person.email)
    const wrong = await refused(person.call(updatePassword, { old_password: 'wrong', new_password: NEW }))
    expect([wrong.code, wrong.status, wrong.text]).toEqual([6003, 400, '當前密碼不正確，請再試一次'])
    const fields = async (input: { old_password?: string; new_password: string }) =>
      Object.keys((await refused(person.call(updatePassword, input))).details.fields ?? {})
    expect(await fields({ new_password: NEW })).toEqual(['old_password'])
    expect(await fields({ old_password: PASSWORD, new_password: 'qwerty123' })).toEqual(['new_password'])
    expect(await fields({ old_password: PASSWORD, new_password: PASSWORD })).toEqual(['new_password'])
    expect(await other.call(getProfile, {})).toBeTruthy()
    await person.call(updatePassword, { old_password: PASSWORD, new_password: NEW })
    await expect.poll(stream.ended).toBe(true)
    expect(await codeOf(other.call(getProfile, {}))).toBe(4012)
    expect(await person.call(listSessions, {})).toHaveLength(1)
    expect([await signsIn(person.email, PASSWORD), await signsIn(person.email, NEW)]).toEqual([false, true])
    expect(await codeOf(call(server, checkResetToken, { token: link }))).toBe(4100)
  })

  test('a forced change comes before everything else, and is over with the new password', async () => {
    const person = await signUp(server, '強制', { verify: false })
    const forced = () => person.call(getProfile, {}).then((profile) => profile.need_force_update_password)
    await server.app.db
      .updateTable('users')
      .set({ need_force_update_password: 1 })
      .where('id', '=', person.uid)
      .execute()
    expect(await forced()).toBe(true)
    for (const open of [listSessions, updateName, createStrategy, eventStream, signalFeed]) {
      const answer = await send(server, open, { name: '別的', kind: 'futures', settings: {} } as never, {
        authorization: `Bearer ${person.token}`,
      })
      const { error } = (await answer.json()) as { error: { code: number; text: string } }
      expect([open.name, error.code, error.text]).toEqual([open.name, 4030, '請先設定新密碼，再繼續使用'])
    }
    await person.call(renewToken, {})
    await person.call(updatePassword, { old_password: PASSWORD, new_password: NEW })
    expect(await forced()).toBe(false)
    expect(await person.call(listSessions, {})).toHaveLength(1)
  })

  test('an account without a password sets its first one without an old one, once', async () => {
    const person = await signUp(server, '第一次', { verify: false })
    await server.app.db
      .updateTable('users')
      .set({ password_hash: null })
      .where('id', '=', person.uid)
      .execute()
    expect(await person.call(getProfile, {})).toMatchObject({ has_password: false })
    await person.call(updatePassword, { new_password: NEW })
    expect(await person.call(getProfile, {})).toMatchObject({ has_password: true })
    expect(await codeOf(person.call(updatePassword, { new_password: PASSWORD }))).toBe(4220)
    expect(await signsIn(person.email, NEW)).toBe(true)
  })

  test('of two changes at once with the same old password one wins', async () => {
    const person = await signUp(server, '搶', { verify: false })
    const codes = await Promise.all(
      [1, 2, 3].map((n) =>
        person.call(updatePassword, { old_password: PASSWORD, new_password: `${NEW} ${n}` }).then(
          () => 0,
          (error: { code: number }) => error.code,
        ),
      ),
    )
    expect(codes.toSorted()).toEqual([0, 6003, 6003])
  })
})
