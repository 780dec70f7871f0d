// Two processes that deliver, and one after a start: 「稍後再送」 of the other side, and 重送 of the person, count in each of them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ChannelId } from '#contract/channels.ts'
import type { Endpoint, InputOf, OutputOf } from '#contract/endpoint.ts'
import {
  listNotificationDeliveries,
  type NotificationDelivery,
  resendDelivery,
} from '#contract/notification.ts'
import { createStrategy, type Strategy } from '#contract/strategy.ts'
import { tidyBackoffs } from '#server/limits/backoff.ts'
import { storeReceiver } from '#server/notify/receivers.ts'
import { botEnv } from '#tests/support/bots.ts'
import { hookPath } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { call, type Person, signUp } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { PATIENT, startServer, type TestServer } from '#tests/support/server.ts'
import { startTelegramApi, type TelegramApi } from '#tests/support/telegram-api.ts'

describeEngines('every process that delivers', (engine) => {
  let folder: string
  let database: Awaited<ReturnType<typeof createDatabase>> | null
  let telegram: TelegramApi
  let one: TestServer
  /** On SQLite the same one after a start: there is one process at a time. */
  let two: TestServer
  let person: Person
  let strategy: Strategy
  let count = 0
  let ms = Date.parse('2026-11-20T02:00:00.000Z')
  const passes = (seconds: number) => {
    ms += seconds * 1_000
  }
  const start = () =>
    startServer({
      data_dir: folder,
      overrides: { now: () => ms },
      env: {
        ...botEnv(telegram),
        ...(database && { DATABASE_URL: database.url, ...PATIENT }),
      },
    })
  /** The other process has its turn. */
  async function other(): Promise<TestServer> {
    if (engine === 'postgres') return two
    await one.close()
    one = await start()
    return one
  }
  const ask = <E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> =>
    call(one, endpoint, input, { authorization: `Bearer ${person.token}` })
  const newest = async (channel: ChannelId) =>
    (await ask(listNotificationDeliveries, { channel })).items[0] as NotificationDelivery
  const tried = () => telegram.arrivals.filter(({ name }) => name === 'sendMessage').length
  async function fires() {
    const id = `s${++count}`
    const body = JSON.stringify({ id, symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 })
    expect((await one.request(hookPath(strategy), { method: 'POST', body })).status).toBe(200)
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lingbo-two-'))
    database = engine === 'postgres' ? await createDatabase() : null
    telegram = await startTelegramApi()
    one = await start()
    if (engine === 'postgres') two = await start()
    person = await signUp(one, '兩處')
    strategy = await ask(createStrategy, {
      ...{ kind: 'futures', name: '台指突破', settings: { product_code: 'MXF' } },
    } as InputOf<typeof createStrategy>)
    const someone = telegram.person('someone')
    someone.says('hi')
    const address = String(someone.id)
    await storeReceiver(one.app, one.app.db, new Date(ms).toISOString(), {
      ...{ uid: person.uid, channel: 'telegram', address, same: address, name: '@someone', config: {} },
    })
  })
  beforeEach(() => passes(7_200))
  afterAll(async () => {
    await one.close()
    if (engine === 'postgres') await two.close()
    await database?.drop()
    await telegram.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** The answer to one process's try is this fault; for so many seconds no process tries again. */
  async function waitsFor(seconds: number, fault: { status: number; retry_after?: number }): Promise<void> {
    telegram.faults.next({ on: 'sendMessage', ...fault })
    await fires()
    await one.app.notifier.catchUp()
    const before = tried()
    passes(10)
    await fires()
    await (await other()).app.notifier.catchUp()
    expect(tried()).toBe(before)
    passes(seconds - 9)
    await one.app.notifier.catchUp()
    passes(2)
    await one.app.notifier.catchUp()
    expect(tried()).toBe(before + 2)
  }

  test('told to wait in one process, the receiver hears nothing from another until then', async () => {
    await waitsFor(40, { status: 429, retry_after: 40 })
    passes(700)
    await tidyBackoffs(one.app)
    expect(await one.app.db.selectFrom('receiver_rests').selectAll().execute()).toEqual([])
  })

  test('a whole channel that is told to wait, waits in each process', async () => {
    await waitsFor(64, { status: 401 })
  })

  test('重送 that is pressed in one process goes at once in whichever takes it, also where it has failed before', async () => {
    telegram.faults.by(({ name }) => (name === 'sendMessage' ? { status: 502 } : null))
    await fires()
    for (let n = 0; n < 3; n++) {
      await (await other()).app.notifier.catchUp()
      passes(40)
    }
    await (await other()).app.notifier.catchUp()
    telegram.faults.by(null)
    const waits = await newest('telegram')
    expect(waits).toMatchObject({ state: 'failed', attempts: 4 })
    // The chat's own pace; it would rest for sixteen seconds.
    passes(2)
    await ask(resendDelivery, { id: waits.id })
    const before = tried()
    await (await other()).app.notifier.catchUp()
    expect(tried()).toBe(before + 1)
    expect(await newest('telegram')).toMatchObject({ state: 'confirmed' })
  })

  test('重送 does not pass a wait that the other side asked for', async () => {
    telegram.faults.next({ on: 'sendMessage', status: 429, retry_after: 40 })
    await fires()
    await one.app.notifier.catchUp()
    const before = tried()
    await ask(resendDelivery, { id: (await newest('telegram')).id })
    await (await other()).app.notifier.catchUp()
    await one.app.notifier.catchUp()
    expect(tried()).toBe(before)
    passes(41)
    await (await other()).app.notifier.catchUp()
    expect(tried()).toBe(before + 1)
  })
})
