// An alarm about a position that does not fit, which waits while somebody answers it: asked again before it goes (docs/decisions/notifications.md).
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { uuidv7 } from '#contract/ids.ts'
import { listNotificationDeliveries, updateNotificationSetting } from '#contract/notification.ts'
import { sendManualFutures } from '#contract/signal.ts'
import { answerGap, type Strategy } from '#contract/strategy.ts'
import { storeReceiver } from '#server/notify/receivers.ts'
import { instantOf } from '#trading/calendar.ts'
import { botEnv } from '../support/bots.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { startTelegramApi, type TelegramApi } from '../support/telegram-api.ts'
import { noHolidays } from '../support/ten-trades.ts'

describeEngines('alarms of positions that were answered', (engine) => {
  let desk: Desk
  let telegram: TelegramApi
  let chat = 0
  let count = 0
  let ms = 0
  const passes = (seconds: number) => {
    ms += seconds * 1_000
    desk.setClock(ms)
  }
  const clock = (time: string) => {
    ms = Date.parse(instantOf('2026-11-20', time))
    desk.setClock(ms)
  }
  const caughtUp = () => desk.server.app.notifier.catchUp()
  const alarmed = () =>
    telegram.sent.filter(({ chat_id, text }) => chat_id === chat && text.includes('部位不一致')).length
  const reasons = async () =>
    (await desk.person.call(listNotificationDeliveries, { channel: 'telegram' })).items
      .filter(({ title }) => title.includes('部位不一致'))
      .map(({ reason }) => reason)

  beforeAll(async () => {
    telegram = await startTelegramApi()
    desk = await openDesk({ engine, env: botEnv(telegram) })
    noHolidays(desk.server)
    const someone = telegram.person('someone')
    someone.says('hi')
    chat = someone.id
    const { app } = desk.server
    await storeReceiver(app, app.db, new Date().toISOString(), {
      ...{ uid: desk.person.uid, channel: 'telegram', address: String(chat), same: String(chat) },
      ...{ name: '@someone', config: {} },
    })
  })
  afterAll(async () => {
    await desk.server.close()
    await telegram.close()
  })
  beforeEach(async () => {
    clock('09:15')
    await desk.server.app.db.deleteFrom('notifications').execute()
    await desk.person.call(updateNotificationSetting, {
      ...{ 'quiet_hours.enabled': true, 'quiet_hours.from': '09:00', 'quiet_hours.to': '12:00' },
      ...{ 'quiet_hours.days': [1, 2, 3, 4, 5, 6, 7], 'kinds.signal.telegram': false },
    })
  })

  /** TradingView's own words: where it stood, where it stands. */
  const report = (strategy: Strategy, prev: number, to: number) => {
    passes(60)
    return desk.hook(strategy, {
      ...{ symbol: 'MXF1!', action: 'buy', contracts: to - prev, price: 22_000 + to },
      ...{ position_size: to, prev_market_position: prev > 0 ? 'long' : 'flat' },
      ...{ prev_market_position_size: prev, timenow: new Date(ms).toISOString() },
    })
  }
  /** 平台 1 / 來源 2, told of in quiet hours. */
  async function missed() {
    const { strategy } = await desk.strategy({ name: `策略 ${++count}` })
    await report(strategy, 0, 1)
    const between = new Date(ms + 30_000).toISOString()
    const { signal_id } = await report(strategy, 2, 3)
    await caughtUp()
    return { strategy, signal_id: signal_id as string, between }
  }
  const wakes = async () => {
    clock('12:01')
    await caughtUp()
    passes(30)
    await caughtUp()
  }

  test('not answered, it alarms when the quiet hours end', async () => {
    const before = alarmed()
    await missed()
    expect(alarmed()).toBe(before)
    await wakes()
    expect(alarmed()).toBe(before + 1)
  })

  test.each(['source', 'ignore'] as const)('%s meanwhile: nobody is alarmed', async (answer) => {
    const before = alarmed()
    const { strategy, signal_id } = await missed()
    await desk.person.call(answerGap, { id: strategy.id, signal_id, answer })
    await wakes()
    expect([alarmed(), await reasons()]).toEqual([before, ['部位不一致已經處理']])
  })

  test('補一筆 meanwhile: nobody is alarmed', async () => {
    const before = alarmed()
    const { strategy, signal_id, between } = await missed()
    await desk.person.call(answerGap, { id: strategy.id, signal_id, answer: 'add' })
    await desk.person.call(sendManualFutures, {
      ...{ strategy_id: strategy.id, id: uuidv7(ms, randomBytes(10)), product_code: 'MXF' },
      ...{ action: 'long_entry', quantity: 1, price: 22_050, occurred_at: between, notify: false },
    })
    await wakes()
    expect([alarmed(), await reasons()]).toEqual([before, ['部位不一致已經處理']])
  })

  test('a later report that fits ends the question, and its alarm; of two open ones the other still goes', async () => {
    const before = alarmed()
    const { strategy } = await missed()
    await report(strategy, 3, 4)
    const other = await missed()
    await wakes()
    expect(alarmed()).toBe(before + 1)
    expect((await reasons()).sort()).toEqual([null, '部位不一致已經處理'].sort())
    expect(other.signal_id).toBeTruthy()
  })

  test('answered between two tries: the second is not made', async () => {
    clock('12:30')
    const before = alarmed()
    telegram.faults.next({ on: 'sendMessage', status: 502 })
    const { strategy, signal_id } = await missed()
    await desk.person.call(answerGap, { id: strategy.id, signal_id, answer: 'ignore' })
    passes(120)
    await caughtUp()
    expect([alarmed(), await reasons()]).toEqual([before, ['部位不一致已經處理']])
  })
})
