// How long a signal was on its way: each step of one signal, and of a strategy the usual and the slow ones, channel by channel.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addGroupMembers, createGroup, setGroupStrategies } from '#contract/group.ts'
import { getLatency, sendReceipts } from '#contract/notification.ts'
import { getSignal, listStrategySignals } from '#contract/signal.ts'
import { hookPath } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Office, openOffice } from '#tests/support/office.ts'

const SIGNALS = 20

describeEngines('how long it took', (engine) => {
  let office: Office
  beforeAll(async () => {
    office = await openOffice(engine)
  })
  afterAll(() => office.server.close())

  test('half of them and 95 of a hundred, of every step and channel; a member’s own deliveries only', async () => {
    const { admin, server } = office
    const member = await office.join('看的人')
    const strategy = await office.strategy()
    const { id } = await office.inside(admin, createGroup, { name: '甲組' })
    await office.inside(admin, setGroupStrategies, { id, strategy_ids: [strategy.id] })
    await office.inside(admin, addGroupMembers, { id, user_ids: [member.uid] })
    const iso = (ahead = 0) => new Date(server.app.now() + ahead).toISOString()
    let known: string | undefined
    for (let n = 1; n <= SIGNALS; n++) {
      office.pass(60_000)
      const message = { symbol: 'TXF1!', action: n % 2 ? 'buy' : 'sell', quantity: 1, price: 23_000 }
      const body = JSON.stringify({ ...message, id: `l${n}`, time: iso(-100 * n) })
      expect((await server.request(hookPath(strategy), { method: 'POST', body })).status).toBe(200)
      office.pass(10 * n)
      await server.app.notifier.catchUp()
      const handed = iso()
      office.pass(1_000)
      const [record] = (await office.inside(admin, listStrategySignals, { id: strategy.id })).items
      known = record?.id as string
      const seen = { shown_at: iso(20 * n - 1_000), opened_at: iso(30 * n - 1_000) }
      await admin.call(sendReceipts, { items: [{ signal_id: known, channel: 'in_app', ...seen }] })
      const { timeline, deliveries_to_me } = await office.inside(admin, getSignal, { id: known })
      expect(timeline.steps).toEqual([
        {
          ...{ channel: 'in_app', device_label: null, state: 'confirmed', reason: null },
          ...{ handed_at: handed, ...seen },
        },
      ])
      expect(deliveries_to_me).toMatchObject([{ channel: 'in_app', sent_at: handed }])
    }
    const latency = await office.inside(admin, getLatency, { id: strategy.id })
    const all = (p50: number, p95: number, count = SIGNALS) => ({ p50, p95, count })
    expect(latency.fired_to_received).toEqual(all(1_000, 1_900))
    expect(latency.received_to_stored).toEqual(all(0, 0))
    // Who may change the strategy sees everybody's: handed over to two, shown to one of them. The open app does not wait for the
    // inbox: it is measured from when the record was stored.
    expect(latency.channels).toEqual([
      {
        channel: 'in_app',
        stored_to_handed: all(100, 190, 2 * SIGNALS),
        handed_to_shown: all(300, 570),
        handed_to_opened: all(400, 760),
      },
    ])
    const [own] = (await office.inside(member, getLatency, { id: strategy.id })).channels
    expect(own).toMatchObject({ stored_to_handed: all(100, 190), handed_to_shown: null })
    const theirs = await office.inside(member, getSignal, { id: known as string })
    expect(theirs.timeline.steps).toMatchObject([{ channel: 'in_app', shown_at: null, opened_at: null }])
  })
})
