// Missing numbers of a sender (domain §5.5): told with their names through inbox and channels, as silence is, and taken back when they come.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getDashboard } from '#contract/dashboard.ts'
import {
  listNotificationDeliveries,
  listNotifications,
  updateNotificationSetting,
} from '#contract/notification.ts'
import { getStrategy } from '#contract/strategy.ts'
import { listStrategyWebhooks, updateWebhook } from '#contract/webhook.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'

const MAPPING = {
  fields: {},
  words: {},
  units: {},
  ignore: [],
  id_is_unique: false,
  strict: false,
  sequence: 'no',
}

describeEngines('missing numbers', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
    await desk.person.call(updateNotificationSetting, { 'channels.email': true, 'kinds.alarm.email': true })
  })
  afterAll(() => desk.server.close())

  const open = async () => {
    const { strategy, webhook } = await desk.strategy()
    await desk.person.call(updateWebhook, { id: webhook.id, mapping: MAPPING })
    const send = desk.asking(webhook)
    const say = (no: number, more: object = {}) =>
      send(JSON.stringify({ no, symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000, ...more }))
    const alarms = async () => {
      await desk.server.app.notifier.catchUp()
      return (await desk.person.call(listNotifications, {})).items.filter(
        (one) => one.strategy_id === strategy.id && one.title.includes('少了第'),
      )
    }
    const seen = () => desk.person.call(getStrategy, { id: strategy.id })
    return { strategy, webhook, say, alarms, seen }
  }

  test('1, 2, 5: 3 and 4 are told by name, and on the strategy until they come', async () => {
    const { say, alarms, seen, strategy } = await open()
    await say(1)
    await say(2)
    expect(await alarms()).toEqual([])
    await say(5)
    const [alarm, ...others] = await alarms()
    expect(others).toEqual([])
    expect(alarm).toMatchObject({ kind: 'alarm', title: `${strategy.name} · 少了第 3、4 則` })
    const { items } = await desk.person.call(listNotificationDeliveries, {})
    expect(
      items.filter(({ notification_id }) => notification_id === alarm?.id).map(({ channel }) => channel),
    ).toContain('email')
    expect(await seen()).toMatchObject({
      warnings: expect.arrayContaining(['missing']),
      missing_numbers: [{ numbers: [3, 4] }],
    })
    const todo = async () =>
      (await desk.person.call(getDashboard, {})).todos.find(({ kind }) => kind === 'missing')
    expect(await todo()).toEqual({
      ...{ kind: 'missing', count: 1 },
      link: `/strategies/${strategy.id}?tab=settings`,
    })
    await say(4)
    expect(await seen()).toMatchObject({ missing_numbers: [{ numbers: [3] }] })
    await say(3)
    const after = await seen()
    expect(after.warnings).not.toContain('missing')
    expect(after.missing_numbers).toBeUndefined()
    expect(await todo()).toBeUndefined()
    expect(await alarms()).toHaveLength(1)
    await say(8)
    expect((await alarms()).map(({ title }) => title)).toContain(`${strategy.name} · 少了第 6、7 則`)
  })

  test('what comes before it was told alarms nobody; a message that waits counts; another field is another count', async () => {
    const { say, alarms, seen, webhook, strategy } = await open()
    await say(1)
    await say(3)
    await say(2)
    expect(await alarms()).toEqual([])
    await desk.hook(strategy, { no: 4, symbol: 'MXF1!', action: 'hold', qty: 1 }, 202)
    await say(5)
    expect((await seen()).warnings).not.toContain('missing')
    await say(9)
    expect((await seen()).warnings).toContain('missing')
    await desk.person.call(updateWebhook, { id: webhook.id, mapping: { ...MAPPING, sequence: 'count' } })
    expect((await seen()).warnings).not.toContain('missing')
  })

  test('what is no count alarms nobody at every message: it is said once, and where the mapping is', async () => {
    const { strategy, webhook, say, alarms, seen } = await open()
    const told = async () => {
      await alarms()
      const { items } = await desk.person.call(listNotifications, {})
      return items.filter((one) => one.strategy_id === strategy.id && one.title.includes('序號不是一則加一'))
    }
    const clock = [0, 60, 300, 301, 900, 1_500, 1_560, 2_000].map((s) => 1_700_000_000 + s)
    for (const no of clock) await say(no)
    expect(await alarms()).toEqual([])
    expect(await told()).toMatchObject([{ kind: 'alarm', body: expect.stringContaining('不再提醒缺號') }])
    const [of] = await desk.person.call(listStrategyWebhooks, { id: strategy.id })
    expect(of?.no_count).toBe(true)
    expect((await seen()).warnings).not.toContain('missing')
    const changed = await desk.person.call(updateWebhook, { id: webhook.id, mapping: MAPPING })
    expect(changed.no_count).toBeUndefined()
    expect(await told()).toHaveLength(1)
  })
})
