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

  const opened = async () => {
    const rows = await desk.server.app.db
      .selectFrom('notification_deliveries as delivery')
      .innerJoin('notifications as told', 'told.id', 'delivery.notification_id')
      .select('told.signal_id')
      .where('delivery.opened_at', 'is not', null)
      .execute()
    return rows.map(({ signal_id }) => signal_id)
  }
})
