// POST /notification-deliveries/{id}/resend: what was given up goes once more, as if it were new; and the list says what became of each.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeliveryState } from '#contract/channels.ts'
import {
  listNotificationDeliveries,
  listNotifications,
  readNotifications,
  resendDelivery,
  updateChannel,
} from '#contract/notification.ts'
import { type Desk, openDesk, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#tests/support/webhook-receiver.ts'

describeEngines('重送', (engine) => {
  let desk: Desk
  let robot: WebhookReceiver
  let send: Awaited<ReturnType<Desk['strategy']>>['send']
  let count = 0
  // near today, because the robot looks at how old a message is
  let ms = Date.now()
  beforeAll(async () => {
    robot = await startWebhookReceiver()
    desk = await openDesk({ engine, env: { OUTGOING_ALLOW: '127.0.0.0/8' } })
    desk.setClock(ms)
    const { secret } = await desk.person.call(updateChannel, {
      channel: 'webhook',
      address: `${robot.url}/in`,
    })
    robot.expects(secret ?? '')
    send = (await desk.strategy({ name: '台指突破' })).send
  })
  afterAll(async () => {
    await desk.server.close()
    await robot.close()
  })
  const caughtUp = () => desk.server.app.notifier.catchUp()
  /** As long as a receiver that failed rests. */
  const rested = () => {
    ms += 25_000
    desk.setClock(ms)
  }
  const listed = async (filter: { state?: DeliveryState; channel?: 'webhook' | 'in_app' } = {}) =>
    (await desk.person.call(listNotificationDeliveries, { channel: 'webhook', ...filter })).items
  const again = (id: string, person = desk.person) => person.call(resendDelivery, { id })
  const newest = async () => {
    const [one] = await listed()
    if (!one) throw new Error('nothing was sent')
    return one
  }
  async function fired(status: number | null) {
    if (status !== null) robot.faults.next({ status })
    const id = `s${++count}`
    rested()
    await send(JSON.stringify({ id, symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 }))
    await caughtUp()
    return newest()
  }

  test('given up, pressed, sent: the program knows it by the same id, the person has it unread once more', async () => {
    const dead = await fired(302)
    expect(dead).toMatchObject({ state: 'dead', reason: expect.stringContaining('（302）') })
    const { items } = await desk.person.call(listNotifications, {})
    await desk.person.call(readNotifications, { ids: items.map(({ id }) => id) })

    expect(await again(dead.id)).toMatchObject({
      id: dead.id,
      title: dead.title,
      state: 'planned',
      attempts: 0,
      reason: null,
      sent_at: null,
    })
    expect((await desk.person.call(listNotifications, {})).unread_count).toBe(1)
    // other devices hear it, too
    const [last] = await desk.server.app.db
      .selectFrom('events')
      .select(['kind', 'data'])
      .where('scope', '=', `p:${desk.person.uid}`)
      .orderBy('seq', 'desc')
      .limit(1)
      .execute()
    expect(last?.kind).toBe('notification')
    expect(JSON.parse(last?.data ?? '')).toEqual({ id: dead.notification_id })
    // it is on its way: a second press changes nothing
    expect(await refused(again(dead.id))).toMatchObject({ code: 4220 })
    // a receiver that failed rests, but whoever presses does not wait for that
    await caughtUp()
    expect(await newest()).toMatchObject({ id: dead.id, state: 'confirmed', attempts: 1, reason: null })
    expect(robot.messages.filter(({ type }) => type === 'signal.created')).toHaveLength(1)
    expect(robot.wrong).toEqual([])
  })

  test('what waits for its next try begins anew', async () => {
    const waits = await fired(503)
    expect(waits).toMatchObject({ state: 'failed', attempts: 1, next_at: expect.any(String) })
    expect(await again(waits.id)).toMatchObject({
      state: 'planned',
      attempts: 0,
      next_at: expect.any(String),
    })
    await caughtUp()
    expect(await newest()).toMatchObject({ id: waits.id, state: 'confirmed' })
  })

  test('the inbox has its own already; what is another person’s, or nothing, is not there', async () => {
    const dead = await fired(302)
    const [inside] = await listed({ channel: 'in_app' })
    expect(await refused(again(inside?.id ?? ''))).toMatchObject({ code: 4220 })
    expect(await refused(again(dead.id, desk.stranger))).toMatchObject({ code: 4040 })
    expect(await refused(again(randomUUID()))).toMatchObject({ code: 4040 })
    expect((await newest()).state).toBe('dead')
  })

  test('發送紀錄 by what became of it: each delivery is counted in one state, and the states are all of them', async () => {
    await fired(null)
    await fired(503)
    const counts: Partial<Record<DeliveryState, number>> = {}
    for (const state of ['planned', 'sending', 'sent', 'confirmed', 'failed', 'skipped', 'dead'] as const)
      counts[state] = (await listed({ state })).length
    expect(counts).toEqual({ planned: 0, sending: 0, sent: 0, confirmed: 3, failed: 1, skipped: 0, dead: 1 })
    expect(await listed()).toHaveLength(5)
  })
})
