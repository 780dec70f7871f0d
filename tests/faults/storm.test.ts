// A storm of signals (fault F26): the inbox has every one of them, the device a few messages with the right number on the icon, and
// whoever else sends a message meanwhile is answered before all of it is planned. `SIGNALS=10000` makes it as large as the page says.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscribePush } from '#contract/binding.ts'
import { listNotifications, updateNotificationSetting } from '#contract/notification.ts'
import { createStrategy } from '#contract/strategy.ts'
import { openOutgoing } from '#server/outgoing.ts'
import { SOAK } from '#tests/support/tier.ts'
import { makeCertificate } from '../support/certificate.ts'
import { type Desk, hookPath, openDesk } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { type PushService, startPushService } from '../support/push-service.ts'

const SIGNALS = Number(process.env['SIGNALS'] ?? 2_000)
const STRATEGIES = 10
/** What is taken for one receiver in one go (`LOOK` of queue.ts). */
const AT_ONCE = 400
const MERGE_S = 30

const certificate = makeCertificate(['127.0.0.1'])

describeEngines('a storm of signals', (engine) => {
  // The same way on both; the one whose statements travel is shown fewer.
  const count = engine === 'sqlite' ? SIGNALS : SIGNALS / 2
  let desk: Desk
  let service: PushService
  beforeAll(async () => {
    service = await startPushService({ certificate })
    const outgoing = openOutgoing({ outgoing_allow: ['127.0.0.0/8'], ca: certificate.cert })
    desk = await openDesk({ engine, env: { LIMIT_FACTOR: '1000000' }, overrides: { outgoing } })
  })
  afterAll(async () => {
    await desk.server.close()
    await service.close()
  })

  test.runIf(SOAK)('few messages, every row, the right number, and nobody else waits for it', async () => {
    const { server, person, stranger } = desk
    const { app } = server
    const device = service.subscribe(app.vapid.public)
    await person.call(subscribePush, { ...device, device_label: '手機' })
    await person.call(updateNotificationSetting, { merge_seconds: MERGE_S })
    const hooks: string[] = []
    for (let n = 0; n < STRATEGIES; n++) {
      const over = { name: `暴風 ${n}`, allow_pyramiding: true, max_position: 1_000 }
      hooks.push(hookPath(await desk.make({ settings: { product_code: 'MXF' }, ...over })))
    }
    const at_ms = Date.now()
    desk.setClock(at_ms)
    const post = (path: string, id: string) =>
      server.dispatch(path, {
        method: 'POST',
        body: JSON.stringify({ id, symbol: 'MXF1!', action: 'buy', quantity: 1, price: 46_000 }),
      })
    for (let n = 0; n < count; n += 200) {
      const some = Array.from({ length: Math.min(200, count - n) }, (_, i) =>
        post(hooks[(n + i) % STRATEGIES] as string, `s${n + i}`),
      )
      for (const { status } of await Promise.all(some)) expect(status).toBe(200)
    }

    const settings = { product_code: 'MXF' }
    const other = await stranger.call(createStrategy, { kind: 'futures', name: '鄰居', settings })
    const planned = async () => {
      const own = app.db.selectFrom('notifications').where('uid', '=', person.uid)
      const row = await own.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()
      return Number(row.count)
    }
    const done = app.notifier.catchUp()
    // It is under way: whoever comes now finds it working.
    while ((await planned()) === 0) await new Promise((next) => setImmediate(next))
    expect((await post(hookPath(other), 'neighbour')).status).toBe(200)
    expect(await planned()).toBeLessThan(count)
    await done
    expect(await planned()).toBe(count)
    // Within the window nothing goes out.
    expect(service.messages).toEqual([])

    // What is due beyond one go is put off for a moment.
    const ROUNDS = 2 * Math.ceil(count / AT_ONCE) + 1
    for (let round = 1; round <= ROUNDS; round++) {
      desk.setClock(at_ms + (MERGE_S + round) * 1_000)
      await app.notifier.catchUp()
    }
    const pushed = service.messages.map(({ text }) => JSON.parse(text))
    expect(pushed.length).toBeGreaterThan(0)
    expect(pushed.length).toBeLessThanOrEqual(ROUNDS)
    const said = pushed.map(({ notification }) =>
      Number(/^([\d,]+) 則新通知$/.exec(notification.title)?.[1]?.replace(',', '')),
    )
    expect(said.reduce((sum, n) => sum + n, 0)).toBe(count)
    expect(pushed.map(({ app_badge }) => app_badge)).toEqual(pushed.map(() => 0))
    // What a device still shows of it is one: each takes the place of the one before.
    expect(new Set(pushed.map(({ notification }) => notification.tag))).toEqual(new Set(['signals']))
    expect(service.wrong).toEqual([])
    expect((await person.call(listNotifications, {})).unread_count).toBe(count)
    expect((await stranger.call(listNotifications, {})).unread_count).toBe(1)
  })
})
