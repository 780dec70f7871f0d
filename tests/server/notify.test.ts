// Notifications: who is told what of a signal, where it stands, and that it is told once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiError } from '#contract/errors.ts'
import {
  getLatency,
  getNotificationSetting,
  listChannels,
  listNotificationDeliveries,
  listNotifications,
  readNotifications,
  updateNotificationSetting,
} from '#contract/notification.ts'
import { updateStrategyNotify } from '#contract/strategy.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { signIn } from '../support/people.ts'

describeEngines('notifications', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  const inbox = (who = desk.person) => who.call(listNotifications, {})
  const caughtUp = () => desk.server.app.notifier.catchUp()

  // spec §1: Its areas are: strategies (futures and stock), webhooks, signals (including manual signals),…
  // spec §2: signal-notification | login only
  // spec §2: The menu holds privacy mode, 訊號通知 (/signal-notification), 個人設定 (/profile), 登出, and the identity…
  // spec §2: The popover holds the identity switcher, 訊號通知, 個人設定, 登出, the theme toggle and privacy mode.
  // spec §3: Other entity kinds known by name only, with fields not shown: Identity, JoinOrganizationList,…
  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('a signal stands in the inbox of its owner with what it did, and in nobody else’s', async () => {
    const { strategy, send } = await desk.strategy({ name: '台指突破' })
    await send(JSON.stringify({ id: 'a2', symbol: 'MXF1!', action: 'buy', qty: 2, price: 46_512 }))
    await caughtUp()
    const { items, unread_count } = await inbox()
    const [record] = await desk.records(strategy)
    expect(items).toHaveLength(1)
    expect(unread_count).toBe(1)
    expect(items[0]).toMatchObject({
      kind: 'signal',
      title: '台指突破 · 多單進場',
      strategy_id: strategy.id,
      signal_id: record?.id,
      link: `/signals?signal=${record?.id}&org=personal`,
      read_at: null,
      channels: [{ channel: 'in_app', state: 'confirmed', reason: null }],
    })
    expect(items[0]?.body).toContain('2 口 @ 46,512')
    expect(items[0]?.body).toContain('部位 0 → +2')
    expect((await inbox(desk.stranger)).items).toEqual([])
  })

  test('reading is counted, tells the stream, and is the person’s own', async () => {
    const { items } = await inbox()
    const ids = items.map(({ id }) => id)
    expect(await desk.stranger.call(readNotifications, { ids })).toEqual({
      unread_count: 0,
      attention_count: 0,
    })
    expect((await inbox()).unread_count).toBe(1)
    expect(await desk.person.call(readNotifications, { ids })).toEqual({
      unread_count: 0,
      attention_count: 0,
    })
    expect((await inbox()).items[0]?.read_at).not.toBeNull()
  })

  test('what is switched off is not told: the bell, the kind, only exits', async () => {
    const { strategy, send } = await desk.strategy({ name: '只看出場' })
    await desk.person.call(updateStrategyNotify, { id: strategy.id, actions: 'closing' })
    const say = (id: string, action: string) =>
      send(JSON.stringify({ id, symbol: 'MXF1!', action, qty: 1, price: 46_000 }))
    await say('b1', 'buy')
    await caughtUp()
    const of = async () =>
      (await inbox()).items.filter(({ strategy_id }) => strategy_id === strategy.id).map(({ title }) => title)
    expect(await of()).toEqual([])
    await say('b2', 'sell')
    await caughtUp()
    expect(await of()).toEqual(['只看出場 · 平倉'])
    await desk.person.call(updateStrategyNotify, { id: strategy.id, enabled: false })
    await say('b3', 'buy')
    await say('b4', 'sell')
    await caughtUp()
    expect(await of()).toHaveLength(1)
    await desk.person.call(updateStrategyNotify, { id: strategy.id, enabled: true, actions: 'all' })
    await desk.person.call(updateNotificationSetting, { 'kinds.signal.in_app': false })
    await say('b5', 'buy')
    await caughtUp()
    expect(await of()).toHaveLength(1)
    await desk.person.call(updateNotificationSetting, { 'kinds.signal.in_app': true })
  })

  test('settings merge by field, and the edit that lost is given back', async () => {
    const early = new Date(Date.now() - 60_000).toISOString()
    const first = await desk.person.call(updateNotificationSetting, { 'quiet_hours.from': '23:00' })
    expect(first.overwritten).toEqual([])
    // Made on another device before it heard of the first, sent after it.
    const phone = await signIn(desk.server, desk.person.email)
    const second = await phone.call(updateNotificationSetting, {
      'quiet_hours.from': '21:00',
      'quiet_hours.to': '06:00',
      edited_at: early,
    })
    expect(second.quiet_hours).toMatchObject({ from: '23:00', to: '06:00' })
    expect(second.overwritten).toMatchObject([{ path: 'quiet_hours.from', value: '21:00', at: early }])
    expect((await desk.person.call(getNotificationSetting, {})).quiet_hours.from).toBe('23:00')
  })

  test('a setting goes back in the parts it came in: changed there, or by paths, or both', async () => {
    const { call } = desk.person
    const before = await call(getNotificationSetting, {})
    const whole = {
      ...before,
      channels: { ...before.channels, email: !before.channels.email },
      kinds: { ...before.kinds, alarm: { ...before.kinds.alarm, push: !before.kinds.alarm.push } },
      quiet_hours: { ...before.quiet_hours, days: [6, 7] },
    }
    const { overwritten, ...after } = await call(updateNotificationSetting, whole)
    expect([after, overwritten]).toEqual([whole, []])
    expect(await call(getNotificationSetting, {})).toEqual(whole)
    const part = { quiet_hours: { to: '05:00', from: '20:00' }, 'quiet_hours.from': '20:30' }
    expect((await call(updateNotificationSetting, part)).quiet_hours).toEqual({
      ...whole.quiet_hours,
      ...{ from: '20:30', to: '05:00' },
    })
    // What is the same as it stands is no edit: another device's own is not covered by it.
    const phone = await signIn(desk.server, desk.person.email)
    const late = new Date(Date.now() - 60_000).toISOString()
    const same = { channels: whole.channels, edited_at: late }
    expect((await phone.call(updateNotificationSetting, same)).overwritten).toEqual([])
    await call(updateNotificationSetting, before)
  })

  test('a key that nothing has is refused by name, in parts too, and nothing changes', async () => {
    const { call } = desk.person
    const before = await call(getNotificationSetting, {})
    const fields = (input: Record<string, unknown>) =>
      call(updateNotificationSetting, input).then(
        () => 'taken',
        ({ code, details }: ApiError) => [code, Object.keys(details.fields ?? {})],
      )
    for (const [input, named] of [
      [{ quiet: true }, ['quiet']],
      [{ 'channels.pigeon': true }, ['channels.pigeon']],
      [{ merge_seconds: 30, channels: { pigeon: true } }, ['channels.pigeon']],
      [{ kinds: { signal: { fax: true }, gossip: {} } }, ['kinds.signal.fax', 'kinds.gossip']],
      [{ quiet_hours: { from: '25:00' } }, ['quiet_hours.from']],
      [{ channels: null }, ['channels']],
    ] as const)
      expect(await fields(input)).toEqual([4220, named])
    expect(await call(getNotificationSetting, {})).toEqual(before)
  })

  test('what one session sets one after the other stands as it comes, and covers nothing: devices know whole seconds', async () => {
    const set = (merge_seconds: 0 | 10 | 30, edited_at?: string) =>
      desk.person.call(updateNotificationSetting, { merge_seconds, ...(edited_at && { edited_at }) })
    const second = (ago: number) => new Date(Math.floor(Date.now() / 1_000 - ago) * 1_000).toISOString()
    await set(10)
    // Made in the same second: by its time it is earlier than what it changes.
    const again = await set(30, second(0))
    expect([again.merge_seconds, again.overwritten]).toEqual([30, []])
    const third = await set(0, second(1))
    expect([third.merge_seconds, third.overwritten]).toEqual([0, []])
    // Another device that did not know of these is told, as before.
    const phone = await signIn(desk.server, desk.person.email)
    const late = await phone.call(updateNotificationSetting, { merge_seconds: 30, edited_at: second(60) })
    expect([late.merge_seconds, late.overwritten]).toMatchObject([0, [{ path: 'merge_seconds', value: 30 }]])
  })

  test('channels, deliveries and latency are answered', async () => {
    const channels = await desk.person.call(listChannels, {})
    expect(channels.map(({ channel }) => channel)).toEqual([
      ...['in_app', 'push', 'telegram', 'email', 'line', 'discord', 'webhook'],
    ])
    const { items } = await desk.person.call(listNotificationDeliveries, { channel: 'in_app' })
    expect(items.length).toBeGreaterThan(0)
    const strategy_id = (await inbox()).items[0]?.strategy_id as string
    const latency = await desk.person.call(getLatency, { id: strategy_id })
    expect(latency.received_to_stored?.count).toBeGreaterThan(0)
    expect(latency.channels.map(({ channel }) => channel)).toEqual(['in_app'])
  })

  test('a source that wrote no time says nothing of how long the way to the server is', async () => {
    const { strategy, send } = await desk.strategy({ name: '沒有時間' })
    const fired = async () => (await desk.person.call(getLatency, { id: strategy.id })).fired_to_received
    await send(JSON.stringify({ symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_512 }))
    expect((await desk.records(strategy))[0]?.flags).toContain('no_source_time')
    expect(await fired()).toBeNull()
    const time = new Date(desk.server.app.now() - 3_000).toISOString()
    await send(JSON.stringify({ symbol: 'MXF1!', action: 'sell', qty: 1, price: 46_520, time }))
    expect(await fired()).toMatchObject({ count: 1 })
  })
})
