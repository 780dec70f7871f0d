// A clock that jumps ahead publishes nothing that is planned, gives up nothing that waits to be sent, and leaves nothing waiting when it is back.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createAnnouncement } from '#contract/announcement.ts'
import { undoClockJump } from '#server/notify/queue.ts'
import { storeReceiver } from '#server/notify/receivers.ts'
import { botEnv } from '#tests/support/bots.ts'
import { openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { insertNotice } from '#tests/support/notice.ts'
import { makeOrganization } from '#tests/support/organization.ts'
import { signUp } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { PATIENT, startServer } from '#tests/support/server.ts'
import { startTelegramApi } from '#tests/support/telegram-api.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const YEAR_MS = 365 * DAY_MS
const T = Date.parse('2026-06-15T04:00:00.000Z')

describeEngines('a clock that jumps ahead', (engine) => {
  test('publishes no announcement; at its time it is published, also by a server that was off for a day', async () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-ahead-'))
    const database = engine === 'postgres' ? await createDatabase() : null
    const env: Record<string, string> = database ? { DATABASE_URL: database.url, ...PATIENT } : {}
    const start = (now: number) =>
      startServer({ data_dir, env, overrides: { now: () => now }, notifies: true })
    const first = await start(T)
    const admin = await signUp(first, '站長')
    const organization = await makeOrganization(first.app, '訊號社', [{ uid: admin.uid, role: 'admin' }])
    const asked = { id: organization, title: '兩天後', body: '兩天後', tags: [] }
    const publish_at = new Date(T + 2 * DAY_MS).toISOString()
    await admin.call(createAnnouncement, { ...asked, publish_at }, { 'lb-org-id': organization })
    await first.close()
    /** When it was published, once a server ran at that time. */
    const published = async (now: number) => {
      const again = await start(now)
      await again.app.jobs.settled('publish')
      const row = await again.app.db
        .selectFrom('announcements')
        .select('published_at')
        .executeTakeFirstOrThrow()
      await again.close()
      return row.published_at
    }
    expect(await published(T + YEAR_MS)).toBeNull()
    expect(await published(T)).toBeNull()
    expect(await published(T + DAY_MS)).toBeNull()
    expect(await published(T + 2 * DAY_MS)).toBe(publish_at)
    await database?.drop()
    rmSync(data_dir, { recursive: true, force: true })
  })

  test('gives up no delivery as too old, and none waits for a year when the clock is back', async () => {
    const api = await startTelegramApi()
    const desk = await openDesk({ engine, env: botEnv(api) })
    onTestFinished(async () => {
      await desk.server.close()
      await api.close()
    })
    // What the server believes began with the clock of this machine.
    const now = Date.now()
    desk.setClock(now)
    const someone = api.person('someone')
    someone.says('hi')
    const { app } = desk.server
    await storeReceiver(app, app.db, new Date(now).toISOString(), {
      ...{ uid: desk.person.uid, channel: 'telegram', address: String(someone.id), same: String(someone.id) },
      ...{ name: '@someone', config: {} },
    })
    const { send } = await desk.strategy({ name: '跳錶' })
    const delivery = () =>
      app.db
        .selectFrom('notification_deliveries')
        .select(['state', 'next_at'])
        .where('channel', '=', 'telegram')
        .executeTakeFirstOrThrow()
    api.faults.next({ on: 'sendMessage', status: 502 })
    await send(JSON.stringify({ id: 'one', symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 }))
    await app.notifier.catchUp()
    expect(await delivery()).toMatchObject({ state: 'failed' })

    desk.setClock(now + YEAR_MS)
    api.faults.next({ on: 'sendMessage', status: 502 })
    await app.notifier.catchUp()
    const ahead = await delivery()
    expect(ahead.state).toBe('failed')
    expect(Date.parse(ahead.next_at as string)).toBeGreaterThan(now + YEAR_MS)

    desk.setClock(now + HOUR_MS)
    await app.notifier.catchUp()
    expect((await delivery()).state).toBe('failed')
    expect(await undoClockJump(app)).toBe(1)
    await app.notifier.catchUp()
    expect((await delivery()).state).toBe('confirmed')
    expect(await undoClockJump(app)).toBe(0)
  })

  test('what a process held until then goes back, and what rests till then rests no more', async () => {
    const desk = await openDesk({ engine })
    onTestFinished(() => desk.server.close())
    desk.setClock(T)
    const { db } = desk.server.app
    const { strategy, send } = await desk.strategy({ name: '還回來' })
    await send(JSON.stringify({ id: 'one', symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 }))
    await desk.server.app.notifier.catchUp()
    expect(strategy.name).toBe('還回來')
    const ahead = new Date(T + YEAR_MS).toISOString()
    await insertNotice(desk.server.app, desk.person.uid)
    await db
      .updateTable('notification_deliveries')
      .set({ state: 'sending', lease_holder: 'gone', next_at: ahead, sent_at: null })
      .execute()
    await db
      .insertInto('receiver_rests')
      .values({
        ...{ channel: 'telegram', receiver_id: 'x', asked_until: null, failed: 1 },
        ...{ rests_until: ahead, noted_at: ahead },
      })
      .execute()
    expect(await undoClockJump(desk.server.app)).toBeGreaterThan(0)
    expect(await db.selectFrom('receiver_rests').selectAll().execute()).toEqual([])
    const rows = await db.selectFrom('notification_deliveries').select('next_at').execute()
    for (const { next_at } of rows) expect(next_at).toBe(new Date(T).toISOString())
  })
})
