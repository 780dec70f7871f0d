// The order that nobody chose: of each signal one channel rings, and the next only when nothing has confirmed it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { subscribePush } from '#contract/binding.ts'
import type { ChannelId } from '#contract/channels.ts'
import {
  getNotificationSetting,
  listNotificationDeliveries,
  listNotifications,
  readNotifications,
  resendDelivery,
  sendReceipts,
  updateNotificationSetting,
} from '#contract/notification.ts'
import { storeReceiver } from '#server/notify/receivers.ts'
import { botEnv } from '#tests/support/bots.ts'
import type { Desk } from '#tests/support/desk.ts'
import { type DiscordApi, startDiscordApi } from '#tests/support/discord-api.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { openPushDesk } from '#tests/support/push-desk.ts'
import type { PushService } from '#tests/support/push-service.ts'
import { startTelegramApi, type TelegramApi } from '#tests/support/telegram-api.ts'
import { instantOf } from '#trading/calendar.ts'

describeEngines('the order of channels', (engine) => {
  let desk: Desk
  let service: PushService
  let telegram: TelegramApi
  let discord: DiscordApi
  let device = { endpoint: '', keys: { p256dh: '', auth: '' } }
  let chat = 0
  let count = 0
  let ms = Date.parse(instantOf('2026-11-20', '10:00'))
  const passes = (seconds: number) => {
    ms += seconds * 1_000
    desk.setClock(ms)
  }
  const caughtUp = () => desk.server.app.notifier.catchUp()

  beforeAll(async () => {
    telegram = await startTelegramApi()
    discord = await startDiscordApi()
    const env = { ...botEnv(telegram), DISCORD_API_ROOT: discord.root, OUTGOING_ALLOW: '127.0.0.0/8' }
    ;({ desk, service } = await openPushDesk({ engine, env }))
    const { app } = desk.server
    const someone = telegram.person('someone')
    someone.says('hi')
    chat = someone.id
    const keep = (channel: ChannelId, address: string) =>
      storeReceiver(app, app.db, new Date(ms).toISOString(), {
        ...{ uid: desk.person.uid, channel, address, same: address, name: channel, config: {} },
      })
    await keep('telegram', String(chat))
    await keep('discord', new URL(discord.webhook().url).pathname.split('/webhooks/')[1] ?? '')
  })
  afterAll(async () => {
    await desk.server.close()
    await Promise.all([service.close(), telegram.close(), discord.close()])
  })
  beforeEach(async () => {
    passes(3_600)
    await desk.server.app.db.deleteFrom('notifications').execute()
    device = service.subscribe(desk.server.app.vapid.public)
    await desk.person.call(subscribePush, { ...device, device_label: '手機' })
  })

  /** How often each has rung by now. */
  const rang = () => ({
    push: service.messages.filter(({ endpoint }) => endpoint === device.endpoint).length,
    telegram: telegram.sent.filter(({ chat_id }) => chat_id === chat).length,
    discord: discord.sent.length,
  })
  /** The same since then. */
  const since = (before: ReturnType<typeof rang>) => {
    const now = rang()
    return {
      push: now.push - before.push,
      telegram: now.telegram - before.telegram,
      discord: now.discord - before.discord,
    }
  }
  async function fire() {
    const { strategy, send } = await desk.strategy({ name: `順序 ${++count}` })
    await send(JSON.stringify({ id: `o${++count}`, symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 }))
    await caughtUp()
    const { items } = await desk.person.call(listNotifications, {})
    const told = items.find(({ strategy_id }) => strategy_id === strategy.id)
    return { id: told?.id ?? '', signal_id: told?.signal_id ?? '' }
  }
  const shown = (signal_id: string) =>
    desk.person.call(sendReceipts, {
      items: [{ signal_id, channel: 'push', shown_at: new Date(ms).toISOString() }],
    })
  const stateOf = async (channel: ChannelId) => {
    const [one] = (await desk.person.call(listNotificationDeliveries, { channel })).items
    return { state: one?.state, reason: one?.reason }
  }

  test('whoever never chose has it, and may have all at once', async () => {
    const { fallback } = await desk.person.call(getNotificationSetting, {})
    expect(fallback).toEqual({ after_s: 60, order: ['push', 'telegram', 'line', 'discord', 'email'] })
    await desk.person.call(updateNotificationSetting, { 'fallback.order': [] })
    const before = rang()
    await fire()
    expect(since(before)).toEqual({ push: 1, telegram: 1, discord: 1 })
    await desk.person.call(updateNotificationSetting, { 'fallback.order': [...fallback.order] })
  })

  test('what the first shows rings nowhere else', async () => {
    const before = rang()
    const { signal_id } = await fire()
    expect(since(before)).toEqual({ push: 1, telegram: 0, discord: 0 })
    expect(await stateOf('telegram')).toEqual({ state: 'planned', reason: '前一個通道沒有確認送到才送' })
    passes(5)
    await shown(signal_id)
    for (let minutes = 0; minutes < 5; minutes++) {
      passes(60)
      await caughtUp()
    }
    expect(since(before)).toEqual({ push: 1, telegram: 0, discord: 0 })
    expect(await stateOf('discord')).toEqual({ state: 'skipped', reason: '前一個通道已經送達' })
  })

  test('a device that is off says nothing: the next comes after its time, and ends it by its yes', async () => {
    const before = rang()
    await fire()
    passes(59)
    await caughtUp()
    expect(since(before)).toEqual({ push: 1, telegram: 0, discord: 0 })
    passes(2)
    await caughtUp()
    expect(since(before)).toEqual({ push: 1, telegram: 1, discord: 0 })
    passes(600)
    await caughtUp()
    expect(since(before)).toEqual({ push: 1, telegram: 1, discord: 0 })
  })

  test('a subscription that is gone lets the next come at once, and has no place in it after that', async () => {
    service.unsubscribe(device.endpoint)
    const before = rang()
    await fire()
    await caughtUp()
    expect(since(before)).toEqual({ push: 0, telegram: 1, discord: 0 })
    // A chat takes one message in a second.
    passes(5)
    const again = rang()
    await fire()
    expect(since(again)).toEqual({ push: 0, telegram: 1, discord: 0 })
  })

  test.each([
    [
      'opened in the app',
      ({ signal_id }: { signal_id: string }) =>
        desk.person.call(sendReceipts, {
          items: [{ signal_id, channel: 'in_app', opened_at: new Date(ms).toISOString() }],
        }),
      '已經打開過了',
    ],
    ['read', ({ id }: { id: string }) => desk.person.call(readNotifications, { ids: [id] }), '已經讀過了'],
  ])('%s, it rings nowhere any more', async (_how, look, reason) => {
    const before = rang()
    await look(await fire())
    passes(61)
    await caughtUp()
    expect(since(before)).toEqual({ push: 1, telegram: 0, discord: 0 })
    expect(await stateOf('telegram')).toEqual({ state: 'skipped', reason })
  })

  test('an app that shows it is not a person who looks: the next comes all the same', async () => {
    const before = rang()
    const { signal_id } = await fire()
    const at = new Date(ms).toISOString()
    await desk.person.call(sendReceipts, { items: [{ signal_id, channel: 'in_app', shown_at: at }] })
    passes(61)
    await caughtUp()
    expect(since(before)).toEqual({ push: 1, telegram: 1, discord: 0 })
  })

  test('what failed at first does not come after the next has rung; 重送 does', async () => {
    service.faults.by(() => ({ status: 503 }))
    const before = rang()
    await fire()
    passes(61)
    await caughtUp()
    // While the first is being tried once more the next waits a moment.
    passes(3)
    await caughtUp()
    service.faults.by(null)
    expect(since(before)).toEqual({ push: 0, telegram: 1, discord: 0 })
    passes(1_800)
    await caughtUp()
    expect(since(before)).toEqual({ push: 0, telegram: 1, discord: 0 })
    const [push] = (await desk.person.call(listNotificationDeliveries, { channel: 'push' })).items
    expect(push).toMatchObject({ state: 'skipped', reason: '後一個通道已經送達' })
    await desk.person.call(resendDelivery, { id: push?.id ?? '' })
    await caughtUp()
    expect(since(before)).toEqual({ push: 1, telegram: 1, discord: 0 })
  })

  test('after an outage, when all of them are due, they still come one after the other', async () => {
    const before = rang()
    const { app } = desk.server
    await fire()
    // As if nobody had sent anything for an hour.
    await app.db
      .updateTable('notification_deliveries')
      .set({ state: 'planned', sent_at: null, attempts: 0, next_at: new Date(ms).toISOString() })
      .where('channel', '=', 'push')
      .execute()
    const again = rang()
    passes(3_600)
    await caughtUp()
    expect(since(again).push + since(again).telegram + since(again).discord).toBe(1)
    expect(since(before).discord).toBe(0)
  })
})
