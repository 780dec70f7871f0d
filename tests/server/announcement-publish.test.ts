// What is due is published by the server's clock, exactly once: also by two processes at a time, and after a stop.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createAnnouncement, listAnnouncements } from '#contract/announcement.ts'
import { publishDue } from '#server/announcement/publish.ts'
import { leaveCommand } from '#server/announcement/store.ts'
import { newId } from '#server/ids.ts'
import { describeEngines } from '../support/engines.ts'
import { makeOrganization } from '../support/organization.ts'
import { type Person, signIn, signUp } from '../support/people.ts'
import { createDatabase } from '../support/postgres.ts'
import { PATIENT, startServer, type TestServer } from '../support/server.ts'
import { openStream } from '../support/stream.ts'

const HOUR_MS = 3_600_000

describeEngines('announcements that are due', (engine) => {
  let folder: string
  let database: Awaited<ReturnType<typeof createDatabase>> | null
  let one: TestServer
  let two: TestServer | null
  let admin: Person
  let member: Person
  let organization: string
  let ms = Date.parse('2026-11-20T02:00:00.000Z')
  const start = (notifies = false) =>
    startServer({
      data_dir: folder,
      overrides: { now: () => ms },
      ...(notifies && { notifies: true as const }),
      env: database ? { DATABASE_URL: database.url, ...PATIENT } : {},
    })
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lingbo-due-'))
    database = engine === 'postgres' ? await createDatabase() : null
    one = await start()
    two = engine === 'postgres' ? await start() : null
    admin = await signUp(one, '站長')
    member = await signUp(one, '成員')
    organization = await makeOrganization(one.app, '浪花訊號社', [
      { uid: admin.uid, role: 'admin' },
      { uid: member.uid, role: 'member' },
    ])
  })
  afterAll(async () => {
    await one.close()
    await two?.close()
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  const schedule = (title: string) =>
    admin.call(
      createAnnouncement,
      { id: organization, title, body: title, publish_at: new Date(ms + HOUR_MS).toISOString() },
      { 'lb-org-id': organization },
    )
  const published = async (scope: string, id: string) => {
    const rows = await one.app.db
      .selectFrom('events')
      .select('data')
      .where('scope', '=', scope)
      .where('kind', '=', 'announcement')
      .execute()
    return rows.filter(({ data }) => data === JSON.stringify({ id, change: 'published' })).length
  }
  const titles = async () => (await member.call(listAnnouncements, {})).items.map(({ title }) => title)

  test('not before its time; then once, however many look', async () => {
    const { id } = await schedule('一點')
    ms += HOUR_MS - 1
    expect(await publishDue(one.app)).toBe(0)
    expect(await titles()).toEqual([])
    ms += 1
    const apps = [one.app, two?.app ?? one.app]
    const counts = await Promise.all([...apps, ...apps].map((app) => publishDue(app)))
    expect(counts.reduce((sum, count) => sum + count)).toBe(1)
    expect(await published(`o:${organization}`, id)).toBe(1)
    expect(await titles()).toEqual(['一點'])
  })

  test('what fell due while nobody ran is published at the next start, once', async () => {
    const { id } = await schedule('停機中')
    await one.close()
    await two?.close()
    two = null
    ms += 2 * HOUR_MS
    one = await start(true)
    await vi.waitFor(async () => expect(await published(`o:${organization}`, id)).toBe(1), {
      timeout: 60_000,
    })
    await one.close()
    one = await start(true)
    admin = await signIn(one, admin.email)
    member = await signIn(one, member.email)
    await publishDue(one.app)
    expect(await published(`o:${organization}`, id)).toBe(1)
    expect(await titles()).toContain('停機中')
  })

  test('a running server publishes by itself and tells open pages; the platform’s everybody, once each', async () => {
    const stream = await openStream(one, member.token)
    const id = newId()
    leaveCommand(folder, { kind: 'publish', id, title: '平台', body: '平台', notify: true })
    await vi.waitFor(
      () =>
        expect(stream.events.map(({ kind, data }) => ({ kind, data }))).toContainEqual({
          kind: 'announcement',
          data: { id, change: 'published' },
        }),
      { timeout: 60_000 },
    )
    await stream.close()
    await Promise.all([publishDue(one.app), publishDue(one.app)])
    for (const { uid } of [admin, member]) expect(await published(`p:${uid}`, id)).toBe(1)
    expect(await titles()).toContain('平台')
    leaveCommand(folder, { kind: 'delete', id })
    await vi.waitFor(
      async () =>
        expect(
          await one.app.db.selectFrom('announcements').select('id').where('id', '=', id).execute(),
        ).toEqual([]),
      { timeout: 60_000 },
    )
  })
})
