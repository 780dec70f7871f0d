// What changes between the plan and the sending: settings, quiet hours, a void, a strategy that is gone; and who waits for whom.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ChannelId } from '#contract/channels.ts'
import {
  listNotificationDeliveries,
  resendDelivery,
  updateNotificationSetting,
} from '#contract/notification.ts'
import { correctSignal, type SignalRecord, voidSignal } from '#contract/signal.ts'
import { deleteStrategy, type Strategy, updateStrategy, updateStrategyNotify } from '#contract/strategy.ts'
import { storeReceiver } from '#server/notify/receivers.ts'
import { botEnv } from '#tests/support/bots.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { type DiscordApi, startDiscordApi } from '#tests/support/discord-api.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { jsonOf, type Scripted, startScripted } from '#tests/support/scripted.ts'
import { startTelegramApi, type TelegramApi } from '#tests/support/telegram-api.ts'
import { instantOf } from '#trading/calendar.ts'

const QUIET = { enabled: true, from: '22:30', to: '07:30', days: [1, 2, 3, 4, 5, 6, 7], exits_pass: true }

describeEngines('between plan and sending', (engine) => {
  let desk: Desk
  let telegram: TelegramApi
  let discord: DiscordApi
  /** A program that does not look at the clock, which stands where the test puts it. */
  let robot: Scripted
  const heard: string[] = []
  let chat = 0
  let count = 0
  let day = Date.parse(instantOf('2026-11-20', '10:00'))
  let ms = day
  const passes = (seconds: number) => {
    ms += seconds * 1_000
    desk.setClock(ms)
  }
  const clock = (time: string, days = 0) => {
    ms = Date.parse(instantOf(new Date(day).toISOString().slice(0, 10), time)) + days * 86_400_000
    desk.setClock(ms)
  }
  const set = (changes: Record<string, unknown>) => desk.person.call(updateNotificationSetting, changes)
  const caughtUp = () => desk.server.app.notifier.catchUp()
  const toTelegram = () => telegram.sent.filter(({ chat_id }) => chat_id === chat).map(({ text }) => text)
  const deliveries = async (channel: ChannelId) =>
    (await desk.person.call(listNotificationDeliveries, { channel })).items

  beforeAll(async () => {
    telegram = await startTelegramApi()
    discord = await startDiscordApi()
    robot = await startScripted({
      take(arrival) {
        heard.push((jsonOf(arrival, []) as { type: string }).type)
        return { status: 204 }
      },
      refuse: ({ status }) => ({ status }),
    })
    desk = await openDesk({
      engine,
      env: { ...botEnv(telegram), DISCORD_API_ROOT: discord.root, OUTGOING_ALLOW: '127.0.0.0/8' },
    })
    const { app } = desk.server
    const someone = telegram.person('someone')
    someone.says('hi')
    chat = someone.id
    const keep = (channel: ChannelId, address: string, config = {}) =>
      storeReceiver(app, app.db, new Date(ms).toISOString(), {
        ...{ uid: desk.person.uid, channel, address, same: address, name: channel, config },
      })
    await keep('telegram', String(chat))
    await keep('discord', new URL(discord.webhook().url).pathname.split('/webhooks/')[1] ?? '')
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    await keep('webhook', `${robot.url}/in`, { secret })
  })
  afterAll(async () => {
    await desk.server.close()
    await Promise.all([telegram.close(), discord.close(), robot.close()])
  })
  beforeEach(async () => {
    day += 2 * 86_400_000
    ms = day
    desk.setClock(ms)
    await desk.server.app.db.deleteFrom('notifications').execute()
    await set({
      ...{ 'channels.telegram': true, 'channels.discord': true, 'kinds.signal.telegram': true },
      ...{ 'quiet_hours.enabled': false, 'fallback.order': [], 'fallback.after_s': 60, merge_seconds: 0 },
    })
  })

  async function fire(of?: Strategy, action = 'buy'): Promise<{ strategy: Strategy; record: SignalRecord }> {
    const strategy = of ?? (await desk.strategy({ name: `策略 ${++count}` })).strategy
    const id = `s${++count}`
    await desk.hook(strategy, { id, symbol: 'MXF1!', action, qty: 1, price: 46_000 })
    await caughtUp()
    const [record] = await desk.records(strategy)
    return { strategy, record: record as SignalRecord }
  }

  test('a channel, a kind or a bell that is switched off meanwhile sends nothing of what waits', async () => {
    const off = [
      () => set({ 'channels.telegram': false }),
      () => set({ 'kinds.signal.telegram': false }),
      (id: string) => desk.person.call(updateStrategyNotify, { id, enabled: false }),
      (id: string) => desk.person.call(updateStrategyNotify, { id, enabled: true, actions: 'closing' }),
      (id: string) => desk.person.call(updateStrategyNotify, { id, actions: 'all', channels: ['push'] }),
    ]
    for (const change of off) {
      await set({ 'channels.telegram': true, 'kinds.signal.telegram': true, merge_seconds: 30 })
      const before = toTelegram().length
      const { strategy } = await fire()
      await change(strategy.id)
      passes(60)
      await caughtUp()
      expect(toTelegram()).toHaveLength(before)
      expect((await deliveries('telegram'))[0]).toMatchObject({
        state: 'skipped',
        reason: '你後來改了設定，不再通知到這裡',
      })
    }
    passes(5)
    const [last] = await deliveries('telegram')
    const before = toTelegram().length
    await desk.person.call(resendDelivery, { id: last?.id ?? '' })
    await caughtUp()
    expect(toTelegram()).toHaveLength(before + 1)
  })

  test('a further try that falls into quiet hours waits for their end; the robot does not', async () => {
    await set({
      quiet_hours: undefined,
      'quiet_hours.enabled': true,
      'quiet_hours.from': QUIET.from,
      'quiet_hours.to': QUIET.to,
    })
    clock('22:29')
    telegram.faults.next({ on: 'sendMessage', status: 502 })
    const { strategy } = await fire()
    expect((await deliveries('telegram'))[0]).toMatchObject({ state: 'failed' })
    passes(120)
    const before = toTelegram().length
    await caughtUp()
    expect(toTelegram()).toHaveLength(before)
    expect((await deliveries('telegram'))[0]).toMatchObject({
      state: 'planned',
      next_at: new Date(
        Date.parse(instantOf(new Date(day).toISOString().slice(0, 10), '07:30')) + 86_400_000,
      ).toISOString(),
    })
    const robots = heard.length
    await fire(strategy)
    expect(heard).toHaveLength(robots + 1)
    clock('07:31', 1)
    await caughtUp()
    passes(2)
    await caughtUp()
    expect(toTelegram()).toHaveLength(before + 2)
  })

  test('held for a long night it has all of its tries afterwards', async () => {
    await set({ 'quiet_hours.enabled': true, 'quiet_hours.from': '18:00', 'quiet_hours.to': '08:00' })
    clock('18:05')
    await fire()
    clock('08:01', 1)
    telegram.faults.next({ on: 'sendMessage', status: 502 })
    await caughtUp()
    expect((await deliveries('telegram'))[0]).toMatchObject({ state: 'failed', attempts: 1 })
  })

  test('a strategy that is deleted meanwhile is told of no more', async () => {
    await set({ merge_seconds: 30 })
    const before = toTelegram().length
    const { strategy } = await fire()
    await desk.person.call(deleteStrategy, { id: strategy.id, name: strategy.name })
    passes(60)
    await caughtUp()
    expect(toTelegram()).toHaveLength(before)
    expect((await deliveries('telegram'))[0]).toMatchObject({ state: 'skipped', reason: '策略已經刪除' })
  })

  test('voided before it went: people hear of neither, the robot of both; voided afterwards: of the void', async () => {
    await set({ merge_seconds: 30 })
    let before = toTelegram().length
    const robots = heard.length
    const { strategy, record } = await fire()
    await desk.person.call(voidSignal, { id: record.id, reason: '重複' })
    await caughtUp()
    passes(61)
    await caughtUp()
    expect(toTelegram()).toHaveLength(before)
    expect((await deliveries('telegram')).slice(0, 2).map(({ state, reason }) => [state, reason])).toEqual([
      ['skipped', '作廢的那一筆沒有送出過'],
      ['skipped', '這筆訊號已經作廢'],
    ])
    expect(heard.slice(robots)).toEqual(['signal.created', 'signal.voided'])

    await set({ merge_seconds: 0 })
    passes(5)
    before = toTelegram().length
    const { record: told } = await fire(strategy)
    passes(5)
    await desk.person.call(voidSignal, { id: told.id, reason: '打錯' })
    await caughtUp()
    expect(toTelegram().slice(before)).toEqual([
      expect.stringContaining('多單進場'),
      // Which one: several of a product may stand in a day.
      expect.stringMatching(/作廢一筆訊號\n.+ 1 口 @ 46,000\n原訊號 \d\d\/\d\d \d\d:\d\d:\d\d\n原因：打錯/),
    ])
  })

  test('a missing price that is put right before the alarm goes alarms nobody', async () => {
    await set({ 'quiet_hours.enabled': true, 'quiet_hours.from': '09:00', 'quiet_hours.to': '12:00' })
    const { strategy } = await desk.strategy({ name: `策略 ${++count}` })
    await desk.hook(strategy, { id: `s${++count}`, symbol: 'MXF1!', action: 'buy', qty: 1 })
    await caughtUp()
    const [record] = await desk.records(strategy)
    await desk.person.call(correctSignal, { id: record?.id ?? '', price: 46_010 })
    clock('12:01')
    const before = toTelegram().length
    await caughtUp()
    expect(toTelegram().slice(before).join('\n')).not.toContain('訊號沒有價格')
    expect((await deliveries('telegram')).map(({ reason }) => reason)).toContain('訊號價已經補上')
  })

  test('whether it goes short, answered before the alarm goes, alarms nobody', async () => {
    await set({ 'quiet_hours.enabled': true, 'quiet_hours.from': '09:00', 'quiet_hours.to': '12:00' })
    const short = async () => {
      const { strategy } = await desk.strategy({ name: `策略 ${++count}`, assumed: ['direction'] })
      await desk.hook(strategy, {
        id: `s${++count}`,
        symbol: 'MXF1!',
        action: 'short_entry',
        qty: 1,
        price: 46_000,
      })
      return strategy
    }
    const [answered, open] = [await short(), await short()]
    await caughtUp()
    await desk.person.call(updateStrategy, { id: answered.id, direction: 'long' })
    clock('12:01')
    const before = toTelegram().length
    await caughtUp()
    const asked = toTelegram().slice(before).join('\n')
    expect(asked).toContain(`【${open.name}】這個策略做空嗎？`)
    expect(asked).not.toContain(answered.name)
    expect((await deliveries('telegram')).map(({ reason }) => reason)).toContain('做不做空已經回答')
  })

  test('a price in doubt is told with the doubt and asked about; borne out before the alarm goes it alarms nobody', async () => {
    const { strategy } = await fire()
    const say = async (action: string, price: number) => {
      passes(30)
      await desk.hook(strategy, { id: `s${++count}`, symbol: 'MXF1!', action, qty: 1, price })
      await caughtUp()
    }
    const before = toTelegram().length
    await say('long_exit', 460_000)
    // The second one may be put off for a second by the chat's pace: the clock stands still by itself.
    const told = async () => {
      passes(1)
      await caughtUp()
      return toTelegram().slice(before)
    }
    await expect
      .poll(told)
      .toEqual([
        expect.stringMatching(/平倉\n.+ 1 口 @ 460,000（價格可疑）\n部位 \+1 → 0｜[^損]+$/),
        expect.stringContaining('訊號價格可疑'),
      ])
    const [exit] = await desk.records(strategy)
    await desk.person.call(correctSignal, { id: exit?.id ?? '', price: 460_000 })
    passes(30)
    await caughtUp()
    expect(toTelegram().at(-1)).toMatch(/確認一筆訊號的價格\n.+\n.+\n訊號價 460,000\n/)
    await set({ 'quiet_hours.enabled': true, 'quiet_hours.from': '09:00', 'quiet_hours.to': '12:00' })
    await say('buy', 46_000)
    await say('sell', 46_010)
    await say('buy', 60_000)
    await say('sell', 60_010)
    clock('12:01')
    const night = toTelegram().length
    await caughtUp()
    expect(toTelegram().slice(night).join('\n')).not.toContain('訊號價格可疑')
    expect((await deliveries('telegram')).map(({ reason }) => reason)).toContain('價格已經確定')
  })

  test('合併通知: what comes within the window is one message, also two of them', async () => {
    await set({ merge_seconds: 30 })
    const before = toTelegram().length
    const { strategy } = await fire()
    passes(20)
    await fire(strategy)
    passes(11)
    await caughtUp()
    expect(toTelegram().slice(before)).toEqual([expect.stringContaining('2 則新通知')])
    const robots = heard.length
    await fire(strategy)
    expect(heard).toHaveLength(robots + 1)
  })

  test('the next channel waits its time after the first, also when that was held; a robot confirms nothing', async () => {
    await set({ 'fallback.order': ['discord', 'telegram'], 'quiet_hours.enabled': true })
    await set({ 'quiet_hours.from': QUIET.from, 'quiet_hours.to': QUIET.to })
    clock('23:00')
    let before = toTelegram().length
    await fire()
    clock('07:30', 1)
    discord.faults.next({ status: 502 })
    await caughtUp()
    expect(toTelegram()).toHaveLength(before)
    passes(61)
    discord.faults.next({ status: 502 })
    await caughtUp()
    passes(3)
    await caughtUp()
    expect(toTelegram()).toHaveLength(before + 1)

    // The robot said yes to this one; that is no word from the first of the order.
    await set({ 'quiet_hours.enabled': false })
    passes(3_600)
    await caughtUp()
    before = toTelegram().length
    discord.faults.by(({ method }) => (method === 'POST' ? { status: 503 } : null))
    await fire()
    passes(61)
    await caughtUp()
    passes(3)
    await caughtUp()
    expect(toTelegram()).toHaveLength(before + 1)
    discord.faults.by(null)
  })

  test('told to wait, nothing else goes there either; as soon as it answers, what waited comes', async () => {
    const before = toTelegram().length
    telegram.faults.next({ on: 'sendMessage', status: 429, retry_after: 40 })
    const { strategy } = await fire()
    passes(10)
    await fire(strategy)
    expect(toTelegram()).toHaveLength(before)
    passes(31)
    await caughtUp()
    passes(2)
    await caughtUp()
    expect(toTelegram()).toHaveLength(before + 2)

    // Silent for minutes, so that its next try is far away; then it takes the next message.
    passes(3_600)
    telegram.faults.next({ on: 'sendMessage', status: 502 })
    await fire(strategy)
    passes(20)
    telegram.faults.next({ on: 'sendMessage', status: 502 })
    await caughtUp()
    passes(70)
    telegram.faults.next({ on: 'sendMessage', status: 502 })
    await caughtUp()
    expect((await deliveries('telegram'))[0]).toMatchObject({ state: 'failed', attempts: 3 })
    const silent = toTelegram().length
    passes(65)
    await fire(strategy)
    passes(2)
    await caughtUp()
    expect(toTelegram()).toHaveLength(silent + 2)
  })
})
