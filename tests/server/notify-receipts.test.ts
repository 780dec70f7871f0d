// What a device says it showed and opened: of the message it was, no more, and only of the person's own.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listNotifications, sendReceipts } from '#contract/notification.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'

describeEngines('receipts', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  test('opening one in the inbox says nothing of others that were planned together with it', async () => {
    const { send } = await desk.strategy({ name: '一起到的' })
    for (const [id, action] of [
      ['r1', 'buy'],
      ['r2', 'sell'],
    ])
      await send(JSON.stringify({ id, symbol: 'MXF1!', action, qty: 1, price: 46_000 }))
    await desk.server.app.notifier.catchUp()
    const { items } = await desk.person.call(listNotifications, {})
    expect(items).toHaveLength(2)
    const signal_id = items[0]?.signal_id as string
    const receipts = [{ signal_id, channel: 'in_app' as const, opened_at: new Date().toISOString() }]
    await desk.stranger.call(sendReceipts, { items: receipts })
    expect(await opened()).toEqual([])
    await desk.person.call(sendReceipts, { items: receipts })
    expect(await opened()).toEqual([signal_id])
  })

  test('the first word of each counts, in one call for many; an alarm about the record is not the record', async () => {
    const { send } = await desk.strategy({ name: '沒有價的' })
    for (const id of ['m1', 'm2']) await send(JSON.stringify({ id, symbol: 'MXF1!', action: 'buy', qty: 1 }))
    await desk.server.app.notifier.catchUp()
    const { items } = await desk.person.call(listNotifications, {})
    const ids = items.flatMap(({ kind, title, signal_id }) =>
      kind === 'signal' && signal_id !== null && title.startsWith('沒有價的') ? [signal_id] : [],
    )
    expect(ids).toHaveLength(2)
    const now = desk.server.app.now()
    const say = (what: object) =>
      desk.person.call(sendReceipts, {
        items: ids.map((signal_id) => ({ signal_id, channel: 'in_app' as const, ...what })),
      })
    const at = (ago: number) => new Date(now - ago).toISOString()
    await say({ shown_at: at(500) })
    await say({ shown_at: at(100) })
    const all = await seen(ids)
    expect(all.filter(({ shown_at }) => shown_at === at(500)).map(({ kind }) => kind)).toEqual([
      'signal',
      'signal',
    ])
    expect(all.filter(({ kind }) => kind === 'alarm').length).toBeGreaterThan(0)
    expect(all.filter(({ kind, shown_at }) => kind === 'alarm' && shown_at !== null)).toEqual([])
    // Who has opened the record has seen what the alarm is about. A clock that runs ahead is not believed.
    await say({ opened_at: at(-3_600_000) })
    const after = await seen(ids)
    expect(after.every(({ opened_at }) => opened_at !== null && opened_at < at(-60_000))).toBe(true)
    expect(after.filter(({ kind, shown_at }) => kind === 'signal' && shown_at !== at(500))).toEqual([])
  })

  const seen = (signal_ids: string[]) =>
    desk.server.app.db
      .selectFrom('notifications')
      .select(['kind', 'shown_at', 'opened_at'])
      .where('signal_id', 'in', signal_ids)
      .execute()
  const opened = async () => {
    const rows = await desk.server.app.db
      .selectFrom('notifications')
      .select('signal_id')
      .where('opened_at', 'is not', null)
      .execute()
    return rows.map(({ signal_id }) => signal_id)
  }
})
