// /unsubscribe/{token}: one press ends the mails of one kind; looking asks; nobody else's link does anything (RFC 8058).
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NotificationKind } from '#contract/channels.ts'
import { unsubscribeUrl } from '#server/notify/channels/email.ts'
import { wishesOf } from '#server/notify/settings.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

describeEngines('leaving a kind of mail', (engine) => {
  let server: TestServer
  let person: Person
  beforeAll(async () => {
    server = await startServer({ engine, env: { LIMIT_FACTOR: '1' } })
    person = await signUp(server, '收信人')
  })
  afterAll(() => server.close())

  const link = (kind: NotificationKind, address = person.email) =>
    new URL(unsubscribeUrl(server.app, { uid: person.uid, kind, address })).pathname
  const mailed = async (kind: NotificationKind) =>
    (await wishesOf(server.app.db, [person.uid]))(person.uid).kinds[kind].email
  const press = (path: string) =>
    server.request(path, {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

  test('a scanner that opens the link changes nothing; the page asks, and holds nothing but a form to itself', async () => {
    expect(await mailed('organization')).toBe(true)
    const path = link('organization')
    for (const method of ['GET', 'HEAD']) expect((await server.request(path, { method })).status).toBe(200)
    const answer = await server.request(path)
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'self'/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const page = await answer.text()
    expect(page).toContain('不再用電子郵件收「組織」？')
    expect(page).toMatch(/<form method="post"><button>/)
    expect(page).not.toContain('<script')
    expect(await mailed('organization')).toBe(true)
  })
  test('the press ends that kind and no other, also twice, and the person’s screens hear of it', async () => {
    for (let times = 0; times < 2; times++) {
      const answer = await press(link('organization'))
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('已停止寄送')
    }
    expect(await mailed('organization')).toBe(false)
    expect((await wishesOf(server.app.db, [person.uid]))(person.uid).kinds.organization.push).toBe(true)
    const told = await server.app.db
      .selectFrom('events')
      .select('kind')
      .where('scope', '=', `p:${person.uid}`)
      .execute()
    expect(told).toContainEqual({ kind: 'setting' })
  })
  test('a link with another kind, person or mailbox, or none at all, does nothing', async () => {
    const other = await signUp(server, '別人')
    const [uid, , signature] = link('alarm').slice('/unsubscribe/'.length).split('.')
    const wrong = [
      `/unsubscribe/${uid}.announcement.${signature}`,
      `/unsubscribe/${other.uid}.alarm.${signature}`,
      `/unsubscribe/${uid}.alarm.${signature?.slice(1)}`,
      `/unsubscribe/${uid}.alarm`,
      '/unsubscribe/x',
      link('alarm', 'formerly@example.com'),
    ]
    for (const path of wrong) {
      expect((await press(path)).status).toBe(404)
      expect((await server.request(path)).status).toBe(404)
    }
    expect(await server.app.db.selectFrom('notification_settings').select('uid').execute()).toEqual([
      { uid: person.uid },
    ])
  })
  test('another method is told which there are', async () => {
    const answer = await server.request(link('alarm'), { method: 'DELETE' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })
})
