// The person: profile, name, and the code that proves the address, by file and by a real mail server.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { getProfile, sendVerification, updateName, updateProfile, verifyEmail } from '#contract/profile.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { makeOrganization } from '#tests/support/organization.ts'
import { codeFor, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 0,
    (error: unknown) => (error instanceof ApiError ? error.code : Promise.reject(error)),
  )
/** A code that is certainly another. */
const not = (code: string) => ((Number(code) + 1) % 1_000_000).toString().padStart(6, '0')

describeEngines('profile', (engine) => {
  let server: TestServer
  let now_ms = Date.now()
  beforeAll(async () => {
    server = await startServer({ engine, overrides: { now: () => now_ms } })
  })
  afterAll(() => server.close())

  // spec §3: User profile: name, email, email_verified, need_force_update_password, avatar, organizations.
  test('shows the person with the organizations of today', async () => {
    const person = await signUp(server, '陳先生', { verify: false })
    const mine = await makeOrganization(server.app, '台北', [
      { uid: person.uid, role: 'admin', expires_on: '2999-12-31' },
    ])
    await makeOrganization(server.app, '過期', [
      { uid: person.uid, role: 'member', expires_on: '2026-01-02' },
    ])
    expect(await person.call(getProfile, {})).toEqual({
      id: person.uid,
      name: '陳先生',
      email: person.email,
      email_verified: false,
      need_force_update_password: false,
      has_password: true,
      avatar: null,
      organizations: [{ id: mine, name: '台北', role: 'admin', logo: null, expires_on: '2999-12-31' }],
      // the code went out with the registration
      verification: { sent_until: new Date(now_ms + 600_000).toISOString(), in_folder: false },
    })
    await person.call(verifyEmail, { code: await codeFor(server, person.email) })
    expect((await person.call(getProfile, {})).verification).toBeUndefined()
  })

  test('whether the letter stays on the server: not when another program fetches it', async () => {
    for (const MAIL_PICKUP of ['true', 'false']) {
      const own = await startServer({ engine, env: { MAIL_PICKUP } })
      onTestFinished(() => own.close())
      const person = await signUp(own, '收信的人', { verify: false })
      const { verification } = await person.call(getProfile, {})
      expect(verification?.in_folder).toBe(MAIL_PICKUP === 'false')
    }
  })

  // spec §7: Update-name call sends name and returns name (path not shown).
  test('takes a new name both ways, trimmed, and ignores what cannot be changed', async () => {
    const person = await signUp(server, '舊名', { verify: false })
    expect(await person.call(updateName, { name: '  新名  ' })).toEqual({ name: '新名' })
    const whole = {
      ...(await person.call(getProfile, {})),
      name: '再改',
      email: 'evil@example.com',
      email_verified: true,
    }
    expect(await person.call(updateProfile, whole)).toMatchObject({
      name: '再改',
      email: person.email,
      email_verified: false,
    })
    expect(await person.call(updateProfile, {})).toMatchObject({ name: '再改' })
    for (const name of ['', ' ', 'x'.repeat(61), 'a\u0000b', '\ud800'])
      expect(await codeOf(person.call(updateName, { name }))).toBe(4220)
    const told = await server.app.db
      .selectFrom('events')
      .select('kind')
      .where('scope', '=', `p:${person.uid}`)
      .execute()
    expect(told.map((event) => event.kind)).toEqual(['profile', 'profile'])
  })

  // spec §7: POST /api/v1/user/email/verify | body fields not shown | submits a verification code
  test('the mailed code verifies the address, once', async () => {
    const person = await signUp(server, '驗證', { verify: false })
    expect(await person.call(sendVerification, {})).toMatchObject({ resend_after_s: 60 })
    const code = await codeFor(server, person.email)
    expect(await person.call(verifyEmail, { code: ` ${code} ` })).toBeNull()
    expect(await person.call(getProfile, {})).toMatchObject({ email_verified: true })
    expect(await codeOf(person.call(verifyEmail, { code }))).toBe(6005)
  })

  // spec §7: POST /api/v1/user/verify/send | body fields not shown | creates a verification code
  test('asking again within a minute sends nothing and says how long; afterwards only the new code counts', async () => {
    const person = await signUp(server, '重寄', { verify: false })
    const first = await person.call(sendVerification, {})
    const code = await codeFor(server, person.email)
    now_ms += 20_000
    const again = await person.call(sendVerification, {})
    expect(again).toEqual({ resend_after_s: 40, expires_at: first.expires_at })
    now_ms += 41_000
    await person.call(sendVerification, {})
    const count = async () => (await server.mails()).filter((mail) => mail.to === person.email).length
    await expect.poll(count).toBe(2)
    const newest = await codeFor(server, person.email)
    if (newest !== code) expect(await codeOf(person.call(verifyEmail, { code }))).toBe(6005)
    expect(await codeOf(person.call(verifyEmail, { code: newest }))).toBe(0)
  })

  test('five wrong guesses use a code up, also for the right one', async () => {
    const person = await signUp(server, '猜', { verify: false })
    await person.call(sendVerification, {})
    const code = await codeFor(server, person.email)
    for (let i = 0; i < 5; i++) expect(await codeOf(person.call(verifyEmail, { code: not(code) }))).toBe(6005)
    expect(await codeOf(person.call(verifyEmail, { code }))).toBe(6005)
  })

  test('guesses at once are counted one by one', async () => {
    const person = await signUp(server, '同時猜', { verify: false })
    await person.call(sendVerification, {})
    const code = await codeFor(server, person.email)
    await Promise.all(Array.from({ length: 12 }, () => codeOf(person.call(verifyEmail, { code: not(code) }))))
    expect(await codeOf(person.call(verifyEmail, { code }))).toBe(6005)
  })

  test('a code ends after ten minutes, and is nobody else’s', async () => {
    const [person, other] = [
      await signUp(server, '甲', { verify: false }),
      await signUp(server, '乙', { verify: false }),
    ]
    await person.call(sendVerification, {})
    const code = await codeFor(server, person.email)
    expect(await codeOf(other.call(verifyEmail, { code }))).toBe(6005)
    now_ms += 600_000
    expect(await codeOf(person.call(verifyEmail, { code }))).toBe(6005)
    for (const wrong of ['12345', '1234567', 'abcdef', ''])
      expect(await codeOf(person.call(verifyEmail, { code: wrong }))).toBe(4220)
  })

  test('the code stands in no table', async () => {
    const person = await signUp(server, '表', { verify: false })
    await person.call(sendVerification, {})
    const code = await codeFor(server, person.email)
    const rows = await server.app.db.selectFrom('codes').selectAll().where('uid', '=', person.uid).execute()
    expect(rows).toHaveLength(1)
    expect(rows[0]?.code_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(rows[0]?.code_hash).not.toContain(code)
  })
})

describe('a mail that waits', () => {
  test('is in the database, sealed: the next process sends it, once, with the id it had', async () => {
    const smtp = await startMailServer()
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-mail-'))
    const start = () => startServer({ data_dir, env: { SMTP_URL: smtp.url } })
    let server = await start()
    const person = await signUp(server, '等信的人', { verify: false })
    smtp.faults.next({ drop: true })
    server.app.jobs.held.add('mail')
    await person.call(sendVerification, {})
    await server.app.mail.settled()
    await server.close()
    expect(smtp.letters).toEqual([])
    server = await start()
    const rows = () => server.app.db.selectFrom('jobs').selectAll().where('kind', '=', 'mail').execute()
    await expect.poll(() => smtp.letters.length, { timeout: 20_000 }).toBe(1)
    expect(smtp.letters[0]?.to).toBe(person.email)
    await expect.poll(rows).toEqual([])
    expect(smtp.repeated).toEqual([])
    // What is for nobody leaves nothing behind; what is sent at once neither.
    server.app.jobs.held.add('mail')
    server.app.mail.pretend({ to: 'nobody@example.com', subject: 's', text: 't', html: 't' })
    server.app.mail.post({ to: 'one@example.com', subject: 's', text: 'a secret', html: 't' })
    await server.app.mail.settled()
    expect([smtp.letters.length, await rows()]).toEqual([2, []])
    smtp.faults.next({ status: 451 })
    server.app.mail.post({ to: 'two@example.com', subject: 's', text: 'a secret', html: 't' })
    await server.app.mail.settled()
    const [row] = await rows()
    expect(row?.data).not.toMatch(/secret|two@/)
    // Refused for good: nobody asks again.
    smtp.faults.next({ status: 550 })
    server.app.jobs.held.delete('mail')
    await expect.poll(rows, { timeout: 20_000 }).toEqual([])
    expect(smtp.letters).toHaveLength(2)
    await server.close()
    await smtp.close()
    rmSync(data_dir, { recursive: true, force: true })
  })
})

describe('mail over SMTP', () => {
  let smtp: MailServer
  let server: TestServer
  beforeAll(async () => {
    smtp = await startMailServer()
    // The first try meets a mail server that greylists.
    smtp.faults.next({ status: 451 })
    server = await startServer({
      env: { SMTP_URL: smtp.url, MAIL_FROM: '凌波 <no-reply@lingbo.test>' },
    })
  })
  afterAll(async () => {
    await server.close()
    await smtp.close()
  })

  test('arrives although the first try was turned away, in Chinese, with the code that works', async () => {
    const reachable = { request: server.request, mails: () => Promise.resolve(smtp.letters) }
    const person = await signUp(server, '收信人 <b>&', { verify: false })
    await person.call(sendVerification, {})
    const code = await codeFor(reachable, person.email)
    expect(smtp.letters[0]).toMatchObject({ to: person.email, subject: '你的凌波驗證碼' })
    expect(smtp.letters[0]?.subject).not.toMatch(/\d/)
    expect(smtp.letters[0]?.text).toContain(code)
    expect(smtp.letters[0]?.text).toContain('收信人')
    expect(await server.mails()).toEqual([])
    expect(await codeOf(person.call(verifyEmail, { code }))).toBe(0)
    expect([smtp.faults.left, smtp.wrong]).toEqual([0, []])
  })
})
