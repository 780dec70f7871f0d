// What the planner does by itself: an event that cannot be planned is passed over, nobody is woken by the end of a membership,
// what was wished for later counts as no delay, and whoever has much that waits leaves room for the others, also when it is sent.
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  getLatency,
  listNotificationDeliveries,
  listNotifications,
  updateNotificationSetting,
} from '#contract/notification.ts'
import { createStrategy } from '#contract/strategy.ts'
import type { Schema } from '#server/db/schema.ts'
import { InFlight } from '#server/limits/concurrency.ts'
import { remindOfEnds } from '#server/notify/ends.ts'
import { Planner } from '#server/notify/planner.ts'
import { claim } from '#server/notify/queue.ts'
import { storeReceiver } from '#server/notify/receivers.ts'
import { botEnv } from '#tests/support/bots.ts'
import { type Desk, hookPath, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { insertMember, insertOrganization } from '#tests/support/organizations.ts'
import { startTelegramApi, type TelegramApi } from '#tests/support/telegram-api.ts'
import { instantOf } from '#trading/calendar.ts'

describeEngines('planning', (engine) => {
  let desk: Desk
  let api: TelegramApi
  let chat = 0
  const at = (day: string, time: string) => desk.setClock(Date.parse(instantOf(day, time)))
  const caughtUp = () => desk.server.app.notifier.catchUp()
  const told = () => api.sent.filter(({ chat_id }) => chat_id === chat).map(({ text }) => text)
  beforeAll(async () => {
    api = await startTelegramApi()
    desk = await openDesk({ engine, env: botEnv(api) })
    at('2026-11-26', '12:00')
    const someone = api.person('someone')
    someone.says('hi')
    chat = someone.id
    const { app } = desk.server
    await storeReceiver(app, app.db, instantOf('2026-11-26', '12:00'), {
      ...{ uid: desk.person.uid, channel: 'telegram', address: String(chat), same: String(chat) },
      ...{ name: '@someone', config: {} },
    })
  })
  afterAll(async () => {
    await desk.server.close()
    await api.close()
  })

  test('an event that cannot be planned is told to nobody after five tries; what comes after it is told', async () => {
    const { app } = desk.server
    const scope = `p:${desk.person.uid}` as keyof Schema & `p:${string}`
    const { seq } = await app.db
      .selectFrom('counters')
      .select('seq')
      .where('scope', '=', scope)
      .executeTakeFirstOrThrow()
    await caughtUp()
    await app.db
      .updateTable('counters')
      .set({ seq: Number(seq) + 1 })
      .where('scope', '=', scope)
      .execute()
    await app.db
      .insertInto('events')
      .values({
        scope,
        seq: Number(seq) + 1,
        at: instantOf('2026-11-26', '12:00'),
        kind: 'setting',
        data: 'no JSON',
      })
      .execute()
    const { send } = await desk.strategy({ name: '壞事件之後' })
    await send(JSON.stringify({ id: 'p1', symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 }))
    const listed = async () => (await desk.person.call(listNotifications, {})).items.map(({ title }) => title)
    for (let n = 0; n < 4; n++) await caughtUp()
    expect(await listed()).toEqual([])
    for (let n = 0; n < 2; n++) await caughtUp()
    expect(await listed()).toEqual(['壞事件之後 · 多單進場'])
  })

  test('a membership that ends soon stands in the inbox with the day, and reaches the phone in the morning', async () => {
    const { app } = desk.server
    const organization = await insertOrganization(app.db, '浪花')
    await insertMember(app.db, organization, desk.person.uid, { expires_on: '2026-11-30' })
    at('2026-11-27', '00:00')
    expect(await remindOfEnds(app)).toBe(1)
    expect(await remindOfEnds(app)).toBe(1)
    const before = told().length
    await caughtUp()
    const { items } = await desk.person.call(listNotifications, {})
    expect(items[0]).toMatchObject({ kind: 'organization', title: '你在「浪花」的資格還有 3 天' })
    expect(items.filter(({ kind }) => kind === 'organization')).toHaveLength(1)
    expect(told()).toHaveLength(before)
    at('2026-11-27', '08:00')
    await caughtUp()
    expect(told().slice(before)).toEqual([expect.stringContaining('你在「浪花」的資格還有 3 天')])
    for (const [day, title] of [
      ['2026-11-28', null],
      ['2026-11-29', '你在「浪花」的資格還有 1 天'],
    ] as const) {
      at(day, '09:00')
      expect(await remindOfEnds(app)).toBe(title === null ? 0 : 1)
      if (title) expect((await desk.person.call(listNotifications, {})).items[0]).toMatchObject({ title })
    }
    await app.db.deleteFrom('memberships').execute()
  })

  test('what was held by the person’s own wish is no delay of ours', async () => {
    at('2026-11-30', '23:00')
    await desk.person.call(updateNotificationSetting, { 'quiet_hours.enabled': true })
    const { strategy, send } = await desk.strategy({ name: '夜裡' })
    await send(JSON.stringify({ id: 'q1', symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 }))
    await caughtUp()
    at('2026-12-01', '07:30')
    await caughtUp()
    const { items } = await desk.person.call(listNotificationDeliveries, { channel: 'telegram' })
    expect(items[0]).toMatchObject({ state: 'confirmed', sent_at: instantOf('2026-12-01', '07:30') })
    const { channels } = await desk.person.call(getLatency, { id: strategy.id })
    const own = channels.find(({ channel }) => channel === 'telegram')
    expect(own?.stored_to_handed).toEqual({ p50: 0, p95: 0, count: 1 })
  })

  test('whoever has much that waits leaves room: the others are planned in the same transaction', async () => {
    const { app } = desk.server
    await caughtUp()
    const other = await desk.stranger.call(createStrategy, {
      ...{ kind: 'futures', name: '只有一筆', settings: { product_code: 'MXF' } },
    })
    const { send } = await desk.strategy({ name: '一百筆' })
    const message = (n: number) =>
      JSON.stringify({ id: `m${n}`, symbol: 'MXF1!', action: n % 2 ? 'sell' : 'buy', qty: 1, price: 46_000 })
    for (let n = 0; n < 100; n++) await send(message(n))
    await fetch(`${desk.server.url}${hookPath(other)}`, { method: 'POST', body: message(0) })
    const planner = new Planner(app, () => void planner.stop())
    await planner.sweep()
    const planned = async (uid: string, name: string) => {
      const rows = await app.db
        .selectFrom('notifications')
        .select('title')
        .where('uid', '=', uid)
        .where('title', 'like', `${name} %`)
        .execute()
      return rows.length
    }
    expect(await planned(desk.stranger.uid, '只有一筆')).toBe(1)
    expect(await planned(desk.person.uid, '一百筆')).toBeLessThan(100)
    await caughtUp()
    expect(await planned(desk.person.uid, '一百筆')).toBe(100)
  })

  test('what another process left behind is found among what was touched of late', async () => {
    const { app } = desk.server
    await caughtUp()
    const planner = new Planner(app, () => undefined)
    await planner.sweep()
    const scope = `p:${desk.person.uid}`
    const behind = async () => {
      const of = async (table: 'counters' | 'notify_cursors') => {
        const row = app.db.selectFrom(table).select('seq').where('scope', '=', scope)
        return Number((await row.executeTakeFirstOrThrow()).seq)
      }
      return (await of('counters')) - (await of('notify_cursors'))
    }
    const { send } = await desk.strategy({ name: '別的行程' })
    await app.db.updateTable('counters').set({ touched: 0 }).where('scope', '=', scope).execute()
    await send(JSON.stringify({ id: 'b1', symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 }))
    expect(await behind()).toBeGreaterThan(0)
    await planner.sweep()
    await planner.sweep()
    expect(await behind()).toBe(0)
    await planner.stop()
  })

  test('more than one look finds: the rest is found by the next, however long ago it was touched', async () => {
    const { db } = desk.server.app
    await caughtUp()
    const scopes = Array.from({ length: 700 }, (_, at) => `p:left-${at}`)
    const rows = scopes.map((scope, at) => ({ scope, seq: 1, touched: at + 1 }))
    const event = {
      seq: 1,
      at: new Date(desk.server.app.now()).toISOString(),
      kind: 'setting' as const,
      data: '{}',
    }
    for (let from = 0; from < rows.length; from += 100) {
      const some = rows.slice(from, from + 100)
      await db.insertInto('counters').values(some).execute()
      await db
        .insertInto('events')
        .values(some.map(({ scope }) => ({ scope, ...event })))
        .execute()
    }
    const left = async () => {
      const found = await db
        .selectFrom('counters as c')
        .leftJoin('notify_cursors as n', 'n.scope', 'c.scope')
        .select('c.scope')
        .where('c.scope', 'in', scopes)
        .where('n.seq', 'is', null)
        .execute()
      return found.length
    }
    const planner = new Planner(desk.server.app, () => undefined)
    await planner.sweep()
    expect(await left()).toBe(200)
    await planner.sweep()
    expect(await left()).toBe(0)
    await planner.stop()
    for (const table of ['counters', 'notify_cursors', 'events'] as const)
      await db.deleteFrom(table).where('scope', 'in', scopes).execute()
  })

  test('so many messages are taken in one go and no more; who was left is there for the next', async () => {
    const { app } = desk.server
    const like = await app.db.selectFrom('notification_deliveries').selectAll().executeTakeFirstOrThrow()
    const at = new Date(app.now()).toISOString()
    const due = {
      ...like,
      channel: 'webhook' as const,
      state: 'planned' as const,
      sent_at: null,
      next_at: at,
    }
    const rows = ['a', 'a', 'b', 'b', 'c'].map((receiver_id, n) => {
      const id = `01990000-0000-7000-8000-0000000002${10 + n}`
      return { ...due, ...{ id, receiver_id, uid: receiver_id, attempts: 0, lease_holder: null } }
    })
    await app.db.insertInto('notification_deliveries').values(rows).execute()
    const in_flight = new InFlight(5)
    const taken = async () => {
      const { claimed, more } = await claim(app, app.channels.webhook, 'another process', in_flight, 3)
      return [...claimed.map((one) => `${one.receiver_id} ${one.rows.length}`), more]
    }
    expect(await taken()).toEqual(['a 2', 'b 1', true])
    in_flight.drop(['a', 'b'])
    expect(await taken()).toEqual(['c 1', false])
    const ids = rows.map(({ id }) => id)
    await app.db.deleteFrom('notification_deliveries').where('id', 'in', ids).execute()
  })
})
