// The badge counts what asks for a person; signals are read in the feed, by their ids, and are the person's own.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listNotifications, readNotifications } from '#contract/notification.ts'
import { compiled } from '#server/db/bulk.ts'
import { attentionOf, hearingsOf } from '#server/notify/inbox.ts'
import { Badges } from '#server/notify/send.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { statements } from '../support/grown.ts'

describeEngines('what asks for a person', (engine) => {
  let desk: Desk
  let signal_ids: string[]
  beforeAll(async () => {
    desk = await openDesk({ engine })
    const { send } = await desk.strategy({ name: '台指突破' })
    for (const [at, action] of ['buy', 'sell', 'buy', 'sell'].entries())
      await send(JSON.stringify({ id: `a${at}`, symbol: 'MXF1!', action, qty: 1, price: 46_512 }))
    // The source says that it holds five: an alarm about the same record.
    await send(
      JSON.stringify({
        ...{ symbol: 'MXF1!', action: 'buy', contracts: 1, price: 46_512, position_size: 5 },
        ...{ prev_market_position: 'long', prev_market_position_size: 4, timenow: new Date().toISOString() },
      }),
    )
    await desk.server.app.notifier.catchUp()
    signal_ids = (await inbox({ about: 'signal' })).items.map(({ signal_id }) => signal_id ?? '')
  })
  afterAll(() => desk.server.close())
  const inbox = (input = {}, who = desk.person) => who.call(listNotifications, input)
  const badge = async () => {
    const { app } = desk.server
    const { uid } = desk.person
    return (await attentionOf(app.db, uid, await hearingsOf(app, { uid }))).attention
  }

  test('signals stand in the list and are not counted by the badge', async () => {
    const { items, unread_count, attention_count } = await inbox()
    expect(items.filter(({ kind }) => kind === 'signal')).toHaveLength(5)
    expect(items.filter(({ kind }) => kind === 'alarm')).toHaveLength(1)
    expect({ unread_count, attention_count }).toEqual({ unread_count: 6, attention_count: 1 })
    expect(await badge()).toBe(1)
    expect((await inbox({ about: 'attention' })).items.map(({ kind }) => kind)).toEqual(['alarm'])
    expect(signal_ids).toHaveLength(5)
  })

  test('what was looked at is read by the ids of its records: only signals, and only one’s own', async () => {
    await desk.stranger.call(readNotifications, { signal_ids })
    expect((await inbox()).unread_count).toBe(6)
    expect(await desk.person.call(readNotifications, { signal_ids: signal_ids.slice(0, 2) })).toEqual({
      unread_count: 4,
      attention_count: 1,
    })
    const { items } = await inbox()
    expect(items.filter(({ read_at }) => read_at !== null).map(({ signal_id }) => signal_id)).toEqual(
      signal_ids.slice(0, 2),
    )
    expect(items.find(({ kind }) => kind === 'alarm')?.read_at).toBeNull()
    const { events } = desk.server.app
    const heard: unknown[] = []
    const stop = events.watch((some) =>
      heard.push(...some.filter(({ kind }) => kind === 'notification-read')),
    )
    await desk.person.call(readNotifications, { signal_ids: [signal_ids[2] ?? ''] })
    // Once more: nothing is told of what was read already.
    await desk.person.call(readNotifications, { signal_ids: [signal_ids[2] ?? ''] })
    stop()
    expect(heard).toMatchObject([{ data: { unread_count: 3, attention_count: 1 } }])
  })

  test('marks are found by what they name, however much somebody was told', async () => {
    const { db, engine: on } = desk.server.app
    const ids = (await inbox({ about: 'signal' })).items.map(({ id }) => id)
    const seen = statements()
    await desk.person.call(readNotifications, { ids: ids.slice(0, 1), signal_ids: signal_ids.slice(0, 1) })
    seen.stop()
    const marks = seen.list.filter(({ sql }) => /^update "notifications"/.test(sql))
    expect(marks).toHaveLength(2)
    if (on !== 'sqlite') return
    for (const { sql, parameters } of marks) {
      const { rows } = await db.executeQuery<{ detail: string }>(
        compiled(`explain query plan ${sql}`, parameters as never) as never,
      )
      expect(rows.map(({ detail }) => detail).join()).toMatch(/\((id=\?|uid=\? AND key=\?)\)/)
    }
  })

  test('everything of one part, and everything as old programs say it', async () => {
    const newest = Math.max(...(await inbox()).items.map(({ seq }) => seq))
    const heard: unknown[] = []
    const stop = desk.server.app.events.watch((some) =>
      heard.push(...some.filter(({ kind }) => kind === 'notification-read').map(({ data }) => data)),
    )
    expect(await desk.person.call(readNotifications, { up_to: newest, about: 'signal' })).toEqual({
      unread_count: 1,
      attention_count: 1,
    })
    expect(await desk.person.call(readNotifications, { up_to: newest })).toEqual({
      unread_count: 0,
      attention_count: 0,
    })
    expect(await badge()).toBe(0)
    stop()
    // Other devices mark no more than that part.
    expect(heard).toEqual([
      { up_to: newest, about: 'signal', unread_count: 1, attention_count: 1 },
      { up_to: newest, unread_count: 0, attention_count: 0 },
    ])
  })

  test('between two counts the badge is carried on by what is told: alarms, and no signal', async () => {
    const { app } = desk.server
    const { uid } = desk.person
    const badges = new Badges(app)
    const stop = badges.watch()
    const { strategy, send } = await desk.strategy({ name: '沒有價的' })
    expect((await badges.of(uid)).attention).toBe(0)
    await send(JSON.stringify({ id: 'n1', symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_512 }))
    await app.notifier.catchUp()
    expect((await badges.of(uid)).attention).toBe(0)
    await send(JSON.stringify({ id: 'n2', symbol: 'MXF1!', action: 'sell', qty: 1 }))
    await app.notifier.catchUp()
    expect((await badges.of(uid)).attention).toBe(1)
    const { items } = await inbox({ about: 'attention', unread: true })
    expect(items.map((one) => one.strategy_id)).toEqual([strategy.id])
    await desk.person.call(readNotifications, { ids: items.map(({ id }) => id) })
    expect((await badges.of(uid)).attention).toBe(0)
    stop()
  })
})
