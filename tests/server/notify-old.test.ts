// What nobody waits for any more alarms nobody: what is older than an hour, and what was read again without asking for it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listNotifications } from '#contract/notification.ts'
import { storeReceiver } from '#server/notify/receivers.ts'
import { botEnv } from '#tests/support/bots.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { openGround } from '#tests/support/replays.ts'
import { startTelegramApi, type TelegramApi } from '#tests/support/telegram-api.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.parse('2026-11-26T02:00:00.000Z')

describeEngines('what nobody waits for any more', (engine) => {
  let desk: Desk
  let api: TelegramApi
  let chat = 0
  let now_ms = START_MS
  const pass = (ms: number) => {
    now_ms += ms
    desk.setClock(now_ms)
  }
  const caughtUp = () => desk.server.app.notifier.catchUp()
  /** What the chat was told since the last look. */
  let looked = 0
  const told = () => {
    const all = api.sent.filter(({ chat_id }) => chat_id === chat).map(({ text }) => text.split('\n')[0])
    const fresh = all.slice(looked)
    looked = all.length
    return fresh
  }
  const listed = async (strategy_id: string) =>
    (await desk.person.call(listNotifications, {})).items.filter(
      (one) => one.kind === 'signal' && one.strategy_id === strategy_id,
    ).length
  const buy = (id: string, more: object = {}) =>
    JSON.stringify({ id, symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000, ...more })

  beforeAll(async () => {
    api = await startTelegramApi()
    desk = await openDesk({ engine, env: botEnv(api) })
    pass(0)
    const someone = api.person('someone')
    someone.says('hi')
    chat = someone.id
    const { app } = desk.server
    await storeReceiver(app, app.db, new Date(now_ms).toISOString(), {
      ...{ uid: desk.person.uid, channel: 'telegram', address: String(chat), same: String(chat) },
      ...{ name: '@someone', config: {} },
    })
  })
  afterAll(async () => {
    await desk.server.close()
    await api.close()
  })

  test('fired an hour before it came, it stands in the inbox and alarms nobody; a minute less, and it does', async () => {
    const { strategy, send } = await desk.strategy({
      name: '來晚的',
      allow_pyramiding: true,
      max_position: 9,
    })
    const fired = (ago_ms: number) => ({ time: new Date(now_ms - ago_ms).toISOString() })
    await send(buy('o1', fired(HOUR_MS + 1_000)))
    await caughtUp()
    expect([told(), await listed(strategy.id)]).toEqual([[], 1])
    pass(60_000)
    await send(buy('o2', fired(HOUR_MS - 60_000)))
    await caughtUp()
    expect([told(), await listed(strategy.id)]).toEqual([[expect.stringContaining('來晚的')], 2])
  })

  test('planned an hour after it came, because nobody planned meanwhile: the inbox only', async () => {
    const { strategy, send } = await desk.strategy({ name: '停了一小時' })
    await send(buy('s1'))
    pass(HOUR_MS + 1_000)
    await caughtUp()
    expect([told(), await listed(strategy.id)]).toEqual([[], 1])
  })

  test('read again it is told to nobody, in no place; asked for, it is', async () => {
    const on = await openGround(desk, { name: '重新解析的' })
    await on.order('去')
    await caughtUp()
    // That it waits is an alarm of its own.
    expect(told()).toEqual(['新格式的訊息，等你確認'])
    await on.map({ fields: { price: 'p1' }, words: { 去: 'long_entry' } })
    expect((await on.commit()).counts).toMatchObject({ new: 1 })
    await caughtUp()
    expect([told(), await listed(on.strategy.id)]).toEqual([[], 0])
    await on.order('再去')
    pass(60_000)
    await caughtUp()
    told()
    await on.map({ fields: { price: 'p1' }, words: { 去: 'long_entry', 再去: 'long_entry' } })
    expect((await on.commit({ notify: true })).counts).toMatchObject({ new: 1 })
    await caughtUp()
    expect([told(), await listed(on.strategy.id)]).toEqual([[expect.stringContaining('重新解析的')], 1])
  })
})
