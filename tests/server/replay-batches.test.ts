// Messages read again in batches and by many at once, over HTTP on both databases; and those that never come in by this way.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getStrategy, updateStrategy } from '#contract/strategy.ts'
import {
  listDeliveries,
  listStrategyWebhooks,
  replayDelivery,
  setWebhookStatus,
  testWebhook,
  updateWebhook,
} from '#contract/webhook.ts'
import { replayDeliveries } from '#contract/webhook-format.ts'
import { newId } from '#server/ids.ts'
import { type Desk, openDesk, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { expectWhole, type Ground, openGround } from '#tests/support/replays.ts'
import { sized } from '#tests/support/tier.ts'

const P1 = { fields: { price: 'p1' } }
const LONG = { words: { 去: 'long_entry' as const } }
const MAPPED = { ...P1, ...LONG }

describeEngines('replay in batches', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  const deliveries = async ({ webhook }: Ground) => {
    const items = await desk.deliveries(webhook)
    return new Map(items.map((one) => [one.id, one]))
  }
  const position = async ({ strategy }: Ground) =>
    (await desk.person.call(getStrategy, { id: strategy.id })).positions[0]?.quantity ?? 0
  const counts = async ({ strategy }: Ground) =>
    (await desk.person.call(listStrategyWebhooks, { id: strategy.id }))[0]

  test('what was refused at the door never comes in by this way', async () => {
    const on = await openGround(desk)
    const { id } = on.webhook
    const body = (secret?: string) =>
      JSON.stringify({
        action: 'buy',
        symbol: 'MXF1!',
        quantity: 1,
        price: 46_000,
        ...(secret && { secret }),
      })
    await on.send('x'.repeat(70_000))
    await on.send(new Uint8Array([0xff, 0xfe, 0x00]))
    await desk.person.call(updateWebhook, { id, body_secret: 'open-sesame' })
    await on.send(body('guessed-wrong'))
    // Nobody asked who sent it while the door was shut.
    await desk.person.call(setWebhookStatus, { id, enabled: false })
    await on.send(body())
    await on.send(body('open-sesame'))
    await desk.person.call(setWebhookStatus, { id, enabled: true })
    await desk.person.call(updateWebhook, { id, ip_allow: ['203.0.113.9'] })
    await on.send(body('open-sesame'))
    await desk.person.call(updateWebhook, { id, ip_allow: [] })
    await desk.person.call(testWebhook, { id, body: body() })
    const done = await on.commit()
    expect(done.items.map(({ change, after, why }) => [after.reason_code, change, why !== null])).toEqual(
      ['too_large', 'bad_encoding', 'bad_secret', 'disabled', 'disabled', 'ip_not_allowed'].map((code) => [
        code,
        'still_refused',
        true,
      ]),
    )
    expect(await expectWhole(desk, on.strategy)).toEqual([])
    for (const { delivery_id } of done.items) {
      const single = await refused(desk.person.call(replayDelivery, { id, delivery_id }))
      expect([single.code, single.status]).toEqual([4221, 422])
    }
    // Without a secret there is nothing to ask but the address.
    await desk.person.call(updateWebhook, { id, body_secret: null, ip_allow: ['203.0.113.9'] })
    expect((await on.commit({ reason_code: 'disabled' })).items).toMatchObject([
      { change: 'still_refused', after: { reason_code: 'ip_not_allowed' } },
      { change: 'still_refused', after: { reason_code: 'ip_not_allowed' } },
    ])
    expect(await expectWhole(desk, on.strategy)).toEqual([])
  })

  test('what came while the door was shut is read when it needed no secret', async () => {
    const on = await openGround(desk)
    const { id } = on.webhook
    await desk.person.call(setWebhookStatus, { id, enabled: false })
    await on.send(JSON.stringify({ action: 'buy', symbol: 'MXF1!', quantity: 1, price: 46_000 }))
    await desk.person.call(setWebhookStatus, { id, enabled: true })
    expect((await on.commit()).counts).toMatchObject({ new: 1 })
    expect(await expectWhole(desk, on.strategy)).toHaveLength(1)
  })

  test('of resends that were all refused one becomes a signal, the others its copies, in whatever batches', async () => {
    const on = await openGround(desk)
    const time = desk.at()
    const ids = []
    for (let i = 0; i < 4; i++) ids.push(await on.order('去', { time }))
    const mapping = { fields: { price: 'p1' }, words: { 去: 'long_entry' as const } }
    await on.map(mapping)
    const dry = await on.try()
    expect(dry.counts).toMatchObject({ new: 1, still_refused: 3 })
    await on.commit({ delivery_ids: ids.slice(2) })
    await on.commit({ delivery_ids: ids.slice(0, 2) })
    const records = await expectWhole(desk, on.strategy)
    expect(records).toMatchObject([{ delivery_id: ids[2] }])
    const now = [...(await deliveries(on)).values()]
    expect(now.filter(({ outcome }) => outcome === 'duplicate')).toHaveLength(3)
    for (const one of now) expect(one.signal_id).toBe(records[0]?.id)
  })

  test('batches by cursor, by outcome, reason and time; counts follow, another product’s too', async () => {
    const on = await openGround(desk)
    const began = Date.now()
    for (let i = 0; i < 5; i++) {
      // Each of a moment of its own: from and to are moments.
      desk.setClock(began - (5 - i) * 1_000)
      await on.order('去', { p1: 46_000 + i })
    }
    const since = (await desk.deliveries(on.webhook))[0]?.received_at as string
    desk.setClock(null)
    for (let i = 0; i < 3; i++) await on.order('buy', { symbol: 'TXF1!' })
    expect((await counts(on))?.counts).toMatchObject({ held: 5, rejected: 3, mismatch: 3 })
    expect(await on.try({ reason_code: 'symbol_mismatch', limit: 1 })).toMatchObject({ total: 3 })
    expect(await on.try({ to: since })).toMatchObject({ total: 4 })
    expect((await on.try({ from: since, outcome: 'rejected' })).total).toBe(3)
    expect((await on.try({ from: since, outcome: 'held' })).total).toBe(1)
    expect((await on.try({ outcome: 'accepted' })).items).toEqual([])
    const listed = await desk.person.call(listDeliveries, {
      id: on.webhook.id,
      reason_code: 'symbol_mismatch',
    })
    expect(listed.items).toHaveLength(3)
    await on.map({ ...P1, ...LONG })
    const seen: string[] = []
    for (let after: string | null | undefined; after !== null; ) {
      const page = await on.commit({ limit: 3, ...(after && { after }) })
      expect(page.total).toBe(after === undefined ? 8 : null)
      seen.push(...page.items.map(({ delivery_id }) => delivery_id))
      after = page.next_after
    }
    expect(seen).toEqual([...seen].sort())
    expect(seen).toHaveLength(8)
    expect((await counts(on))?.counts).toMatchObject({ accepted: 5, rejected: 3, mismatch: 3 })
    // The last three are about another product still: as the last that came they keep the webhook failing.
    expect((await counts(on))?.health).toBe('failing')
    await on.commit({ mapping: { fields: { symbol: { const: 'MXF1!' }, price: 'p1' } } })
    expect(await counts(on)).toMatchObject({
      counts: { accepted: 3, rejected: 5, mismatch: 0 },
      health: 'ok',
    })
    await expectWhole(desk, on.strategy)
  })

  test('commits of many at once, while signals arrive: one standing signal each, one chain', async () => {
    const on = await openGround(desk)
    const ids = []
    for (let i = 0; i < 12; i++) ids.push(await on.order('去', { p1: 46_000 + i }))
    await on.map({ ...P1, ...LONG })
    const [done] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => on.commit())),
      Promise.all(Array.from({ length: 16 }, (_, i) => on.order('buy', { p1: 47_000 + i }))),
      ...ids.map((delivery_id) => desk.person.call(replayDelivery, { id: on.webhook.id, delivery_id })),
    ])
    // Those with a word that is new wait for it, and a commit may take them as well: each is new once.
    expect(done.reduce((sum, one) => sum + one.counts.new, 0)).toBeLessThanOrEqual(28)
    const records = await expectWhole(desk, on.strategy)
    expect(records).toHaveLength(28)
    expect(await position(on)).toBe(28)
  })

  test('the same key gives the same answer, and nothing more', async () => {
    const on = await openGround(desk)
    await on.order('去')
    const call = () =>
      desk.person.call(
        replayDeliveries,
        { id: on.webhook.id, dry_run: false, mapping: MAPPED },
        { 'idempotency-key': '01890000-0000-7000-8000-00000000000b' },
      )
    expect(await call()).toEqual(await call())
    expect(await expectWhole(desk, on.strategy)).toHaveLength(1)
  })

  test('refused: an archived strategy, more than 200 ids, another’s webhook', async () => {
    const on = await openGround(desk)
    const id = await on.order('去')
    const many = await refused(on.try({ delivery_ids: Array.from({ length: 201 }, () => id) }))
    expect([many.code, Object.keys(many.details.fields ?? {})]).toEqual([4220, ['delivery_ids']])
    const other = await openGround(desk)
    expect((await other.try({ delivery_ids: [id] })).items).toEqual([])
    await desk.person.call(updateStrategy, { id: on.strategy.id, status: 'archived' })
    for (const call of [on.try, on.commit]) expect((await refused(call())).code).toBe(4221)
  })

  // The rows are the same on both; the size is tried where it costs least.
  const size = engine === 'sqlite' ? sized(2_000, 10_000) : 2_000
  test(`${size} in batches of 200, broken off and begun anew: every one once, in one chain`, async () => {
    const on = await openGround(desk, { late_after_s: 3600 })
    const { db } = desk.server.app
    await on.order('去')
    const [sample] = await db
      .selectFrom('deliveries')
      .selectAll()
      .where('webhook_id', '=', on.webhook.id)
      .execute()
    const begun = Date.now() - 10_000
    const rows = Array.from({ length: size - 1 }, (_, i) => ({
      ...(sample as NonNullable<typeof sample>),
      id: newId(),
      received_at: new Date(begun + i).toISOString(),
      body: JSON.stringify({
        action: i % 2 ? '回' : '去',
        symbol: 'MXF1!',
        quantity: 1,
        p1: 46_000 + (i % 50),
      }),
    }))
    for (let i = 0; i < rows.length; i += 500)
      await db
        .insertInto('messages')
        .values(rows.slice(i, i + 500))
        .execute()
    await on.map({ ...P1, words: { 去: 'long_entry', 回: 'long_exit' } })
    const sum = { new: 0, same: 0 }
    const run = async (batches: number) => {
      let total: number | null = null
      let after: string | null | undefined
      for (let n = 0; n < batches && after !== null; n++) {
        const page = await on.commit({ ...(after && { after }) })
        total ??= page.total
        after = page.next_after
        sum.new += page.counts.new
        sum.same += page.counts.same
      }
      return total
    }
    expect(await run(7)).toBe(size)
    expect(sum).toEqual({ new: 1_400, same: 0 })
    await run(100)
    expect(sum).toEqual({ new: size, same: 1_400 })
    expect(await expectWhole(desk, on.strategy)).toHaveLength(size)
  })
})
