// A new address for the account: proved by its code, told to the old one, and no way to ask who has an account.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { getProfile, updateEmail, verifyEmail } from '#contract/profile.ts'
import { checkResetToken, forgetPassword, login } from '#contract/session.ts'
import { refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { call, codeFor, PASSWORD, send, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let count = 0
const fresh = () => `new-${process.pid}-${++count}@example.com`

describeEngines('account: e-mail', (engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ engine })
  })
  afterAll(() => server.close())
  const subjectsTo = async (email: string) =>
    (await server.mails()).filter((mail) => mail.to === email).map((mail) => mail.subject)

  // spec §7: PUT /api/v1/user/email | new_email and password | reads result (email)
  test('the new address is the account at once, not verified, and its code verifies it', async () => {
    const person = await signUp(server, '搬家')
    const email = fresh()
    expect(
      await person.call(updateEmail, { new_email: ` ${email.toUpperCase()} `, password: PASSWORD }),
    ).toEqual({
      email,
    })
    expect(await person.call(getProfile, {})).toMatchObject({ email, email_verified: false })
    await person.call(verifyEmail, { code: await codeFor(server, email) })
    expect(await person.call(getProfile, {})).toMatchObject({ email, email_verified: true })
    expect((await call(server, login, { account: email, password: PASSWORD })).access_token).toBeTruthy()
    expect((await refused(call(server, login, { account: person.email, password: PASSWORD }))).code).toBe(
      6002,
    )
    await expect.poll(() => subjectsTo(person.email)).toContain('你的凌波電子郵件已變更')
  })

  test('a letter in the folder is readable as it lies there: whoever opens the file finds the code', async () => {
    const person = await signUp(server, '沒有郵件伺服器', { verify: false })
    const code = await codeFor(server, person.email)
    const folder = join(server.data_dir, 'mail')
    // Of another test a part may still be on its way to its name.
    const names = readdirSync(folder).filter((name) => name.endsWith('.eml'))
    const letters = names.map((name) => readFileSync(join(folder, name), 'utf8'))
    const letter = letters.find((source) => source.includes(`To: ${person.email}`)) ?? ''
    const [head = '', ...rest] = letter.split('\n\n')
    const boundary = /boundary="(.+)"/.exec(head)?.[1]
    const [plain = ''] = rest.join('\n\n').split(`--${boundary}`)
    expect(plain).toMatch(/^你的凌波驗證碼\n/)
    expect(plain).toContain(`\n${code}\n`)
    // And a mail program reads what it read before.
    expect((await server.mails()).find(({ to }) => to === person.email)?.text).toContain(`\n${code}\n`)
  })

  test('an address that is changed while its code is being entered is not proven by that code', async () => {
    const person = await signUp(server, '兩個分頁', { verify: false })
    const code = await codeFor(server, person.email)
    const { guesses, db } = server.app
    const take = guesses.take.bind(guesses)
    const between = vi.spyOn(guesses, 'take').mockImplementation(async (counted, ...rest) => {
      if (counted[0]?.limit === 'verify_try')
        await db.updateTable('users').set({ email: fresh() }).where('id', '=', person.uid).execute()
      return take(counted, ...rest)
    })
    try {
      expect((await refused(person.call(verifyEmail, { code }))).code).toBe(6005)
    } finally {
      between.mockRestore()
    }
    expect((await person.call(getProfile, {})).email_verified).toBe(false)
  })

  test('a wrong password is 6003 and 400, and changes nothing', async () => {
    const person = await signUp(server, '打錯', { verify: false })
    const error = await refused(person.call(updateEmail, { new_email: fresh(), password: 'wrong' }))
    expect([error.code, error.status]).toEqual([6003, 400])
    expect(await person.call(getProfile, {})).toMatchObject({ email: person.email })
  })

  test('a taken address is refused like the own one: same status, same headers, same bytes', async () => {
    const person = await signUp(server, '想要', { verify: false })
    const other = await signUp(server, '已有', { verify: false })
    const shapeOf = async (new_email: string) => {
      const answer = await send(
        server,
        updateEmail,
        { new_email, password: PASSWORD },
        { authorization: `Bearer ${person.token}` },
      )
      return {
        status: answer.status,
        headers: [...answer.headers].filter(([name]) => name !== 'date'),
        body: await answer.text(),
      }
    }
    const taken = await shapeOf(other.email)
    expect(await shapeOf(person.email)).toEqual(taken)
    expect([taken.status, JSON.parse(taken.body).error.code]).toEqual([422, 4220])
    expect(taken.body).not.toMatch(/註冊|exist|taken|已有/)
    // the code of their own registration is all that ever came
    expect(await subjectsTo(other.email)).toEqual([expect.stringContaining('驗證碼')])
  })

  test('two who take one address at once: one has it', async () => {
    const [a, b] = [
      await signUp(server, '甲', { verify: false }),
      await signUp(server, '乙', { verify: false }),
    ]
    const new_email = fresh()
    const codes = await Promise.all(
      [a, b].map((one) =>
        one.call(updateEmail, { new_email, password: PASSWORD }).then(
          () => 0,
          (error: { code: number }) => error.code,
        ),
      ),
    )
    expect(codes.toSorted()).toEqual([0, 4220])
  })

  test('a link for the password that went to the old address opens nothing any more', async () => {
    const person = await signUp(server, '舊連結', { verify: false })
    await call(server, forgetPassword, { email: person.email })
    const link = async () =>
      (await server.mails())
        .filter((mail) => mail.to === person.email)
        .flatMap(({ text }) => /token=([\w-]{43})/.exec(text)?.[1] ?? [])[0]
    await expect.poll(link).toBeTruthy()
    const token = (await link()) as string
    expect(await call(server, checkResetToken, { token })).toBeTruthy()
    await person.call(updateEmail, { new_email: fresh(), password: PASSWORD })
    expect((await refused(call(server, checkResetToken, { token }))).code).toBe(4100)
  })

  test('an account without a password is told to set one first', async () => {
    const person = await signUp(server, '無密碼', { verify: false })
    await server.app.db
      .updateTable('users')
      .set({ password_hash: null })
      .where('id', '=', person.uid)
      .execute()
    const error = await refused(person.call(updateEmail, { new_email: fresh(), password: 'anything' }))
    expect([error.code, error.details.fields]).toEqual([
      4220,
      { password: '這個帳號還沒有密碼，請先設定密碼' },
    ])
  })
})
