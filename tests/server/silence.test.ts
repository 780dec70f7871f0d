// The alarm of a silent source: by open minutes since anything of its sender came, once for each silence, in inbox and channels, as a
// warning and a to-do exactly while it lasts; none for what nobody could hear.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getDashboard } from '#contract/dashboard.ts'
import {
  listNotificationDeliveries,
  listNotifications,
  updateNotificationSetting,
} from '#contract/notification.ts'
import { getStrategy, type Strategy, updateStrategy } from '#contract/strategy.ts'
import { setWebhookStatus, testWebhook, updateWebhook } from '#contract/webhook.ts'
import { SilenceWatch } from '#server/notify/silence.ts'
import { instantOf } from '#trading/calendar.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { startServer } from '../support/server.ts'

const ALARM = (max_gap_minutes: number | null = 30) => ({ silence_alarm: { enabled: true, max_gap_minutes } })
const ORDER = { symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 }

describeEngines('the alarm of a silent source', (engine) => {
  let desk: Desk
  let now = Date.parse(instantOf('2026-11-16', '09:00'))
  let watch: SilenceWatch
  let strategy: Strategy
  beforeAll(async () => {
    desk = await openDesk({ engine, overrides: { now: () => now } })
    watch = new SilenceWatch(desk.server.app)
    await desk.person.call(updateNotificationSetting, {
      'channels.email': true,
      'kinds.alarm.email': true,
    })
  })
  afterAll(() => desk.server.close())
  beforeEach(async () => {
    // A morning of its own, and nothing of the one before.
    await desk.server.app.db.updateTable('strategies').set({ deleted_at: 'x' }).execute()
    now = nextMorning()
    await watch.look()
  })

  /** 09:00 in Taipei of the next day from Monday to Friday, or of the next such weekday. */
  function nextMorning(weekday?: number): number {
    let at = Math.floor((now + 8 * 3_600_000) / 86_400_000) * 86_400_000 + 3_600_000
    do at += 86_400_000
    while (
      weekday === undefined ? [0, 6].includes(new Date(at).getUTCDay()) : new Date(at).getUTCDay() !== weekday
    )
    return at
  }
  /** So many minutes pass, and the server looks as it does. */
  async function pass(minutes: number): Promise<void> {
    const until = now + minutes * 60_000
    while (now < until) {
      now = Math.min(until, now + 4 * 60_000)
      await watch.look()
    }
    await desk.server.app.notifier.catchUp()
  }
  /** Hours in which it looked all the time and had nothing to do. */
  async function idle(hours: number): Promise<void> {
    now += hours * 3_600_000
    const { db } = desk.server.app
    const row = await db
      .selectFrom('ground')
      .select('value')
      .where('name', '=', 'listened')
      .executeTakeFirstOrThrow()
    const value = JSON.stringify({ ...JSON.parse(row.value), to: now })
    await db.updateTable('ground').set({ value }).where('name', '=', 'listened').execute()
    await watch.look()
  }
  const opened = async (over: Record<string, unknown> = ALARM()) => {
    strategy = (await desk.strategy(over)).strategy
    return strategy
  }
  let count = 0
  const speaks = async (body: object | string = { ...ORDER, id: `m${++count}` }, status = 200) => {
    await desk.hook(strategy, body as Record<string, unknown>, status)
  }
  const alarms = async () => {
    const { items } = await desk.person.call(listNotifications, {})
    return items.filter(
      (one) => one.kind === 'alarm' && one.strategy_id === strategy.id && /太久沒收到/.test(one.title),
    )
  }
  const warned = async () =>
    (await desk.person.call(getStrategy, { id: strategy.id })).warnings.includes('silent')
  const todo = async () =>
    (await desk.person.call(getDashboard, {})).todos.find(({ kind }) => kind === 'silent')

  test('one alarm, the warning and the to-do after its minutes; all but the alarm are gone with the next message', async () => {
    await opened()
    await speaks()
    await pass(30)
    expect([await alarms(), await warned(), await todo()]).toEqual([[], false, undefined])
    await pass(4)
    const [alarm, ...more] = await alarms()
    expect(more).toEqual([])
    expect(alarm).toMatchObject({
      title: `${strategy.name} · 太久沒收到訊號`,
      link: `/strategies/${strategy.id}?org=personal`,
      signal_id: null,
    })
    expect(alarm?.body).toMatch(
      /^交易時段裡已經 3\d 分鐘沒有訊息進來\n最後一則 \d\d\/\d\d 09:00，請確認來源平台的快訊還在執行$/,
    )
    expect([await warned(), await todo()]).toEqual([
      true,
      { kind: 'silent', count: 1, link: `/strategies/${strategy.id}` },
    ])
    await pass(60)
    expect(await alarms()).toHaveLength(1)
    await speaks()
    // At once, before anybody looks.
    expect([await warned(), await todo()]).toEqual([false, undefined])
    await pass(30)
    expect(await alarms()).toHaveLength(1)
    await pass(4)
    expect([(await alarms()).length, await warned()]).toEqual([2, true])
  })

  test('whatever its sender sent tells that it is alive; a stranger and our own test tell nothing', async () => {
    await opened()
    await speaks()
    await pass(24)
    await speaks('PING')
    await pass(24)
    await speaks({ ...ORDER, action: '???' }, 202)
    await pass(24)
    expect([await alarms(), await warned()]).toEqual([[], false])
    const webhook = strategy.webhooks?.[0]?.id as string
    await desk.person.call(updateWebhook, { id: webhook, body_secret: '12345678' })
    await speaks({ ...ORDER, secret: 'wrong' }, 401)
    await desk.person.call(testWebhook, { id: webhook })
    await pass(8)
    expect([(await alarms()).length, await warned()]).toEqual([1, true])
  })

  test('only open minutes count: night where it trades by night, no weekend', async () => {
    await opened({ settings: { product_code: 'MXF', session: 'day' }, ...ALARM(300) })
    now = nextMorning(5)
    await watch.look()
    await speaks()
    await idle(2 * 24 + 12)
    expect([await alarms(), await warned()]).toEqual([[], false])
    await idle(11)
    await pass(45)
    expect(await alarms()).toEqual([])
    // Friday 09:00–13:45 and Monday from 08:45 on.
    await pass(20)
    expect([(await alarms()).length, await warned()]).toEqual([1, true])
  })

  test('nothing that began before somebody asked for it, or while it did not run', async () => {
    await opened({})
    await speaks()
    await pass(120)
    await desk.person.call(updateStrategy, { id: strategy.id, ...ALARM() })
    await pass(30)
    expect(await alarms()).toEqual([])
    await pass(4)
    expect([(await alarms()).length, await warned()]).toEqual([1, true])
    await desk.person.call(updateStrategy, { id: strategy.id, status: 'paused' })
    expect([await warned(), await todo()]).toEqual([false, undefined])
    await pass(60)
    await desk.person.call(updateStrategy, { id: strategy.id, status: 'active' })
    await pass(30)
    expect([(await alarms()).length, await warned()]).toEqual([1, false])
    await pass(4)
    expect((await alarms()).length).toBe(2)
    await desk.person.call(updateStrategy, {
      id: strategy.id,
      silence_alarm: { enabled: false, max_gap_minutes: 30 },
    })
    expect(await warned()).toBe(false)
  })

  test('another number of minutes counts at once, and tells the same silence no second time', async () => {
    await opened()
    await speaks()
    await pass(34)
    expect(await warned()).toBe(true)
    await desk.person.call(updateStrategy, { id: strategy.id, ...ALARM(60) })
    expect(await warned()).toBe(false)
    await pass(28)
    expect([(await alarms()).length, await warned()]).toEqual([1, true])
  })

  test('never spoken, or without a webhook that is on: not silent', async () => {
    await opened()
    await pass(120)
    expect([await alarms(), await warned()]).toEqual([[], false])
    await speaks()
    await pass(34)
    const id = strategy.webhooks?.[0]?.id as string
    await desk.person.call(setWebhookStatus, { id, enabled: false })
    expect([(await alarms()).length, await warned()]).toEqual([1, false])
    await pass(60)
    await desk.person.call(setWebhookStatus, { id, enabled: true })
    await pass(28)
    expect([(await alarms()).length, await warned()]).toEqual([1, false])
    await pass(8)
    expect((await alarms()).length).toBe(2)
  })

  test('what the server could not hear is no silence: it was stopped, or its clock jumped', async () => {
    await opened()
    await speaks()
    now += 3 * 3_600_000
    await pass(24)
    expect([await alarms(), await warned()]).toEqual([[], false])
    now -= 3 * 3_600_000
    await pass(28)
    expect([await alarms(), await warned()]).toEqual([[], false])
    await pass(8)
    expect((await alarms()).length).toBe(1)
  })

  test('without a number its own record says what is unusual; before that nothing is said', async () => {
    await opened(ALARM(null))
    const learned = async () => (await desk.person.call(getStrategy, { id: strategy.id })).usual_gap_minutes
    for (let i = 0; i < 20; i++) {
      await speaks()
      await pass(4)
    }
    await pass(60)
    expect([await alarms(), await warned(), await learned()]).toEqual([[], false, null])
    // The twentieth gap is one of an hour, and half as much again is usual.
    await speaks()
    await pass(88)
    expect([await alarms(), await learned()]).toEqual([[], 96])
    await pass(16)
    expect([(await alarms()).length, await warned()]).toEqual([1, true])
  })

  test('quiet hours hold it, and what has ended until then is not sent', async () => {
    await opened()
    const quiet = (on: boolean) =>
      desk.person.call(updateNotificationSetting, {
        'quiet_hours.enabled': on,
        'quiet_hours.from': '00:00',
        'quiet_hours.to': '23:59',
      })
    const mailed = async () =>
      (await desk.server.mails()).filter(
        ({ to, subject }) => to === desk.person.email && subject.includes(strategy.name),
      ).length
    const newest = async () =>
      (await desk.person.call(listNotificationDeliveries, { channel: 'email' })).items[0]
    await quiet(true)
    await speaks()
    await pass(34)
    expect([(await alarms()).length, await mailed(), (await newest())?.state]).toEqual([1, 0, 'planned'])
    await speaks()
    await quiet(false)
    now += 86_400_000
    await desk.server.app.notifier.catchUp()
    expect([await mailed(), (await newest())?.reason]).toEqual([0, '後來有訊息進來，或不再留意了'])
    now = nextMorning()
    await watch.look()
    await speaks()
    await pass(40)
    expect(await mailed()).toBe(1)
  })

  test('a server looks by itself from its start on', async () => {
    const server = await startServer({ engine, notifies: true })
    const listened = () =>
      server.app.db.selectFrom('ground').select('name').where('name', '=', 'listened').executeTakeFirst()
    await expect.poll(listened).toEqual({ name: 'listened' })
    await server.close()
  })

  test('it is told to those who may edit, by an event of its own', async () => {
    await opened()
    await speaks()
    await pass(34)
    await speaks()
    await pass(4)
    const rows = await desk.server.app.db
      .selectFrom('events')
      .select(['scope', 'data'])
      .where('kind', '=', 'silence')
      .where('data', 'like', `%${strategy.id}%`)
      .orderBy('seq')
      .execute()
    expect(rows.map(({ scope }) => scope)).toEqual([`p:${desk.person.uid}`, `p:${desk.person.uid}`])
    expect(rows.map(({ data }) => JSON.parse(data).since !== null)).toEqual([true, false])
  })
})
