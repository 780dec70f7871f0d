// Two processes that look, and one after a start: a silence is noted once, told once, and ends once.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputOf } from '#contract/endpoint.ts'
import { listNotifications } from '#contract/notification.ts'
import { createStrategy, type Strategy } from '#contract/strategy.ts'
import { SilenceWatch } from '#server/notify/silence.ts'
import { hookPath } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { call, type Person, signUp } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { PATIENT, startServer, type TestServer } from '#tests/support/server.ts'

describeEngines('every process that looks', (engine) => {
  let folder: string
  let database: Awaited<ReturnType<typeof createDatabase>> | null
  let one: TestServer
  /** On SQLite the same one after a start: there is one process at a time. */
  let two: TestServer
  let person: Person
  let strategy: Strategy
  let now = Date.parse('2026-11-20T01:00:00.000Z')
  const start = () =>
    startServer({
      data_dir: folder,
      overrides: { now: () => now },
      env: { ...(database && { DATABASE_URL: database.url, ...PATIENT }) },
    })
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lingbo-two-'))
    database = engine === 'postgres' ? await createDatabase() : null
    one = await start()
    two = engine === 'postgres' ? await start() : one
    person = await signUp(one, '兩處')
    strategy = await call(
      one,
      createStrategy,
      {
        ...{ kind: 'futures', name: '台指突破', settings: { product_code: 'MXF' } },
        silence_alarm: { enabled: true, max_gap_minutes: 30 },
      } as InputOf<typeof createStrategy>,
      { authorization: `Bearer ${person.token}` },
    )
  })
  afterAll(async () => {
    await one.close()
    if (engine === 'postgres') await two.close()
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function speaks(id: string): Promise<void> {
    const body = JSON.stringify({ id, symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 })
    expect((await one.request(hookPath(strategy), { method: 'POST', body })).status).toBe(200)
  }
  /** Both look in the same moment, and both plan. */
  async function pass(minutes: number): Promise<number> {
    let changes = 0
    for (let i = 0; i < minutes; i += 2) {
      now += 120_000
      const looks = [one, two].map(({ app }) => new SilenceWatch(app).look())
      changes += (await Promise.all(looks)).reduce((sum, some) => sum + some, 0)
      await Promise.all([one, two].map(({ app }) => app.notifier.catchUp()))
    }
    return changes
  }
  async function told() {
    const headers = { authorization: `Bearer ${person.token}` }
    const { items } = await call(one, listNotifications, {}, headers)
    const events = await one.app.db
      .selectFrom('events')
      .select('data')
      .where('kind', '=', 'silence')
      .execute()
    return { alarms: items.filter(({ kind }) => kind === 'alarm').length, events: events.length }
  }

  test('one of them notes it, and the person is told once', async () => {
    await speaks('a')
    expect(await pass(60)).toBe(1)
    expect(await told()).toEqual({ alarms: 1, events: 1 })
  })

  test('a start in between tells nobody again', async () => {
    await one.close()
    one = await start()
    if (engine !== 'postgres') two = one
    expect(await pass(30)).toBe(0)
    expect(await told()).toEqual({ alarms: 1, events: 1 })
  })

  test('the next message ends it, once', async () => {
    await speaks('b')
    expect(await pass(10)).toBe(1)
    expect(await told()).toEqual({ alarms: 1, events: 2 })
  })
})
