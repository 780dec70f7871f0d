// Web Push: whose device it is, and what reaches it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  deletePushSubscription,
  getPushKey,
  listPushSubscriptions,
  subscribePush,
  testPush,
  unsubscribePush,
} from '#contract/binding.ts'
import { PUSH_DEVICES } from '#contract/limits.ts'
import { listNotificationDeliveries, listNotifications, readNotifications } from '#contract/notification.ts'
import { endSession, listSessions, logout } from '#contract/session.ts'
import { tidy } from '#server/housekeeping.ts'
import { receiversOf } from '#server/notify/receivers.ts'
import type { Desk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Person, signIn } from '#tests/support/people.ts'
import { openPushDesk } from '#tests/support/push-desk.ts'
import type { PushService } from '#tests/support/push-service.ts'
import { recordsOf } from '#tests/support/record.ts'

describeEngines('push', (engine) => {
  let desk: Desk
  let service: PushService
  let phone: Person
  beforeAll(async () => {
    ;({ desk, service } = await openPushDesk({ engine }))
    phone = desk.person
  })
  afterAll(async () => {
    await desk.server.close()
    await service.close()
    expect(service.wrong).toEqual([])
  })

  const sender = () => desk.server.app.vapid.public
  const subscribe = async (who: Person, device = service.subscribe(sender()), device_label = '手機') => {
    const kept = await who.call(subscribePush, { ...device, device_label })
    return { ...device, id: kept.id, kept }
  }
  const reached = ({ endpoint }: { endpoint: string }) =>
    service.messages.filter((one) => one.endpoint === endpoint).map(({ text }) => JSON.parse(text))
  const caughtUp = () => desk.server.app.notifier.catchUp()
  let count = 0
  const strategyOf = () => desk.strategy({ name: `台指突破 ${++count}` })
  const buy = (send: (body: string) => Promise<unknown>, more: object = {}) =>
    send(
      JSON.stringify({ id: `p${++count}`, symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_512, ...more }),
    )
  const forget = async (who: Person) => {
    for (const { id } of await who.call(listPushSubscriptions, {}))
      await who.call(deletePushSubscription, { id })
  }

  test('a device is kept once, told apart by its session, and goes by id or by its endpoint', async () => {
    expect(await phone.call(getPushKey, {})).toEqual({ key: sender() })
    const device = await subscribe(phone)
    const again = await subscribe(phone, device, '我的手機')
    expect(again.id).toBe(device.id)
    expect(await phone.call(listPushSubscriptions, {})).toMatchObject([
      {
        id: device.id,
        endpoint_host: '127.0.0.1',
        device_label: '我的手機',
        state: 'ok',
        is_this_session: true,
      },
    ])
    const tablet = await signIn(desk.server, phone.email)
    expect(await tablet.call(listPushSubscriptions, {})).toMatchObject([{ is_this_session: false }])
    const second = await subscribe(tablet)
    expect(await phone.call(listPushSubscriptions, {})).toHaveLength(2)
    await expect(desk.stranger.call(deletePushSubscription, { id: second.id })).rejects.toMatchObject({
      code: 4040,
    })
    await desk.stranger.call(unsubscribePush, { endpoint: second.endpoint })
    expect(await phone.call(listPushSubscriptions, {})).toHaveLength(2)
    await phone.call(unsubscribePush, { endpoint: second.endpoint })
    await phone.call(deletePushSubscription, { id: device.id })
    expect(await phone.call(listPushSubscriptions, {})).toEqual([])
  })

  test('a session has one device, a person at most twenty: the one not heard of for longest makes room', async () => {
    const first = await subscribe(phone)
    const next = await subscribe(phone)
    expect((await phone.call(listPushSubscriptions, {})).map(({ id }) => id)).toEqual([next.id])
    expect(first.id).not.toBe(next.id)
    const { app } = desk.server
    const at = (n: number) => new Date(Date.now() - 86_400_000 + n * 1_000).toISOString()
    for (let n = 0; n < PUSH_DEVICES; n++)
      await app.db
        .insertInto('channel_receivers')
        .values({
          ...{
            id: `0197a1b2-0000-7000-8000-${String(n).padStart(12, '0')}`,
            uid: phone.uid,
            channel: 'push',
          },
          ...{ state: 'bound', name: `${n}`, address: app.keys.seal('https://fcm.googleapis.com/x') },
          ...{
            address_mark: `mark ${n}`,
            config: null,
            sid: null,
            created_at: at(n),
            last_ok_at: null,
            reason: null,
            doubted: 0,
          },
        })
        .execute()
    const newest = await subscribe(phone)
    const ids = (await phone.call(listPushSubscriptions, {})).map(({ id }) => id)
    expect(ids).toHaveLength(PUSH_DEVICES)
    expect(ids).toContain(newest.id)
    expect(ids).not.toContain('0197a1b2-0000-7000-8000-000000000000')
    await forget(phone)
  })

  test('a signal reaches the device with its record inside, readable by a browser without our code', async () => {
    const device = await subscribe(phone)
    const { strategy, send } = await strategyOf()
    await buy(send)
    await caughtUp()
    const [record] = await recordsOf(desk, strategy.id)
    const [delivery] = (await phone.call(listNotificationDeliveries, { channel: 'push' })).items
    expect(reached(device)).toEqual([
      {
        web_push: 8030,
        notification: {
          title: `${strategy.name} · 多單進場`,
          body: expect.stringContaining('1 口 @ 46,512'),
          navigate: `${desk.server.url}/signals?signal=${record?.id}&org=personal`,
          lang: 'zh-Hant',
          tag: `strategy:${strategy.id}`,
        },
        // a signal is read in the feed: it asks for nobody
        app_badge: 0,
        mutable: true,
        lingbo: {
          v: 1,
          uid: phone.uid,
          ctx: 'personal',
          notification_id: delivery?.notification_id,
          delivery_id: delivery?.id,
          at: expect.any(String),
          kind: 'signal',
          record,
        },
      },
    ])
    const [message] = service.messages.filter(({ endpoint }) => endpoint === device.endpoint)
    expect(message).toMatchObject({ ttl: 86_400, urgency: 'high' })
    // A device that was away is told the newest of a strategy: the service keeps one for each topic.
    await buy(send)
    await caughtUp()
    const topics = service.messages
      .filter(({ endpoint }) => endpoint === device.endpoint)
      .map(({ topic }) => topic)
    expect(topics).toHaveLength(2)
    expect(new Set(topics).size).toBe(1)
    expect(topics[0]).not.toContain(strategy.id.replaceAll('-', ''))
    await forget(phone)
  })

  test('a push says what was read elsewhere meanwhile', async () => {
    const device = await subscribe(phone)
    const { send } = await strategyOf()
    const newest = async () => (await phone.call(listNotifications, { limit: 1 })).items[0]?.id ?? ''
    await buy(send)
    await caughtUp()
    const first = await newest()
    await phone.call(readNotifications, { ids: [first] })
    await buy(send)
    await caughtUp()
    const told = reached(device).map((one) => (one as { lingbo: { read?: string[] } }).lingbo.read)
    expect(told).toHaveLength(2)
    expect(told[1]).toContain(first)
    expect(told[1]).not.toContain(await newest())
    await forget(phone)
  })

  test('T25: who signs in on the device of another takes it over: nothing of the other reaches it', async () => {
    const device = await subscribe(phone)
    const { send } = await strategyOf()
    await subscribe(desk.stranger, device)
    await buy(send)
    await caughtUp()
    expect(reached(device)).toEqual([])
    expect(await phone.call(listPushSubscriptions, {})).toEqual([])
    expect(await desk.stranger.call(listPushSubscriptions, {})).toHaveLength(1)
    await desk.stranger.call(unsubscribePush, { endpoint: device.endpoint })
  })

  test('T25: who has only come to know an endpoint cannot take it away: the browser’s keys prove the device', async () => {
    const device = await subscribe(phone)
    const { keys } = service.subscribe(sender())
    const stolen = desk.stranger.call(subscribePush, { endpoint: device.endpoint, keys })
    await expect(stolen).rejects.toMatchObject({ code: 4220 })
    expect(await phone.call(listPushSubscriptions, {})).toHaveLength(1)
    const { send } = await strategyOf()
    await buy(send)
    await caughtUp()
    expect(reached(device)).toHaveLength(1)
    await forget(phone)
  })

  test('two who bring the same device at once: it is one person’s in the end, and nobody is refused', async () => {
    const device = service.subscribe(sender())
    await Promise.all([subscribe(phone, device), subscribe(desk.stranger, device), subscribe(phone, device)])
    const lists = await Promise.all([phone, desk.stranger].map((who) => who.call(listPushSubscriptions, {})))
    expect(lists.flat()).toHaveLength(1)
    await forget(phone)
    await forget(desk.stranger)
  })

  test('a session that has run out takes its device along', async () => {
    const here = await signIn(desk.server, phone.email)
    await subscribe(here)
    const { app } = desk.server
    const [kept] = await receiversOf(app.db, phone.uid, 'push')
    await tidy(app)
    expect(await receiversOf(app.db, phone.uid, 'push')).toEqual([kept])
    await app.db
      .updateTable('sessions')
      .set({ expires_at: new Date(Date.now() - 1_000).toISOString() })
      .where('id', '=', kept?.sid ?? '')
      .execute()
    await tidy(app)
    expect(await receiversOf(app.db, phone.uid, 'push')).toEqual([])
  })

  test('signing out, there or from elsewhere, takes the device along', async () => {
    const { send } = await strategyOf()
    const here = await signIn(desk.server, phone.email)
    const there = await signIn(desk.server, phone.email)
    const devices = [await subscribe(here), await subscribe(there)]
    const sid = (await there.call(listSessions, {})).find(({ current }) => current)?.id ?? ''
    await here.call(logout, {})
    await phone.call(endSession, { id: sid })
    await buy(send)
    await caughtUp()
    expect(devices.flatMap(reached)).toEqual([])
    expect(await phone.call(listPushSubscriptions, {})).toEqual([])
  })

  test('410 ends this device alone; it stands in the list as gone until it comes again', async () => {
    const { send } = await strategyOf()
    const other = await signIn(desk.server, phone.email)
    const [lost, well] = [await subscribe(phone), await subscribe(other)]
    service.unsubscribe(lost.endpoint)
    await buy(send)
    await caughtUp()
    expect(reached(well)).toHaveLength(1)
    const states = new Map((await phone.call(listPushSubscriptions, {})).map(({ id, state }) => [id, state]))
    expect(states).toEqual(
      new Map([
        [lost.id, 'gone'],
        [well.id, 'ok'],
      ]),
    )
    const arrivals = service.arrivals.length
    await buy(send)
    await caughtUp()
    expect(service.arrivals.length).toBe(arrivals + 1)
    // A browser that does not know yet brings it as before: it hears that it is gone, and another one takes its place.
    expect(await phone.call(subscribePush, { endpoint: lost.endpoint, keys: lost.keys })).toMatchObject({
      id: lost.id,
      state: 'gone',
    })
    const next = await subscribe(phone)
    expect(await phone.call(listPushSubscriptions, {})).toMatchObject([
      { id: well.id, state: 'ok' },
      { id: next.id, state: 'ok' },
    ])
    await forget(phone)
  })

  test('the test says how long it took, or why it did not arrive, for each device', async () => {
    const device = await subscribe(phone)
    const [result] = await phone.call(testPush, {})
    expect(result).toMatchObject({ delivered: true, reason: null, device_label: '手機' })
    expect(reached(device)).toMatchObject([
      { notification: { tag: 'test' }, lingbo: { kind: 'test', record: null } },
    ])
    await forget(phone)
  })
})
