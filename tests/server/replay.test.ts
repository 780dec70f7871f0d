// Messages read again, over HTTP on both databases: first what would change, then exactly that, once, with one standing signal each.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { correctSignal, voidSignal } from '#contract/signal.ts'
import { getStrategy } from '#contract/strategy.ts'
import { listStrategyWebhooks } from '#contract/webhook.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { expectWhole, type Ground, openGround } from '#tests/support/replays.ts'
import { openStream } from '#tests/support/stream.ts'

const P1 = { fields: { price: 'p1' } }
const LONG = { words: { 去: 'long_entry' as const } }
const SHORT = { words: { 去: 'short_entry' as const } }

describeEngines('replay of many', (engine) => {
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

  test('refused ones become signals: told first, made once, and a second commit finds nothing to do', async () => {
    const on = await openGround(desk)
    const ids = [await on.order('去'), await on.order('去', { p1: 46_010 }), await on.order('不知道')]
    await on.map({ ...P1, ...LONG })
    const before = await deliveries(on)
    const dry = await on.try()
    expect(dry).toMatchObject({ dry_run: true, total: 3, next_after: null })
    expect(dry.counts).toEqual({ new: 2, changed: 0, same: 0, still_refused: 1, now_refused: 0 })
    expect(dry.items.map(({ delivery_id, change }) => [delivery_id, change])).toEqual([
      [ids[0], 'new'],
      [ids[1], 'new'],
      [ids[2], 'still_refused'],
    ])
    expect(dry.items[0]).toMatchObject({
      before: { outcome: 'held', reason_code: 'unconfirmed_format' },
      after: { outcome: 'accepted', reason: null, normal: { action: 'long_entry', price: 46_000 } },
      signal_id: null,
    })
    expect(await deliveries(on)).toEqual(before)
    expect(await expectWhole(desk, on.strategy)).toEqual([])

    const stream = await openStream(desk.server, desk.person.token)
    const done = await on.commit()
    expect(done.counts).toEqual(dry.counts)
    const told = (await stream.until(4)).filter(({ kind }) => kind === 'signal')
    await stream.close()
    const records = await expectWhole(desk, on.strategy)
    expect(told.map(({ data }) => data)).toEqual(records)
    expect(records).toMatchObject([
      { source: 'webhook', delivery_id: ids[0], price: 46_000, quiet: true, webhook_id: on.webhook.id },
      { source: 'webhook', delivery_id: ids[1], price: 46_010, quiet: true },
    ])
    const now = await deliveries(on)
    expect(now.get(ids[0] as string)).toMatchObject({ outcome: 'accepted', signal_id: records[0]?.id })
    expect(now.get(ids[0] as string)?.replayed_at).not.toBeNull()
    expect(await position(on)).toBe(2)
    expect((await counts(on))?.counts).toMatchObject({ accepted: 2, rejected: 1 })

    const again = await on.commit()
    expect(again.counts).toEqual({ new: 0, changed: 0, same: 2, still_refused: 1, now_refused: 0 })
    expect(again.items.map(({ signal_id }) => signal_id)).toEqual(
      done.items.map(({ signal_id }) => signal_id),
    )
    expect(await expectWhole(desk, on.strategy)).toEqual(records)
  })

  test('only the price differs: a correction, and the signal stays', async () => {
    const on = await openGround(desk)
    await on.map({ ...P1, ...LONG })
    const id = await on.order('去')
    await on.map({ fields: { price: 'p2' }, ...LONG })
    expect((await on.try()).items).toMatchObject([{ change: 'changed', made: 'correction' }])
    for (let i = 0; i < 2; i++) await on.commit()
    const records = await expectWhole(desk, on.strategy)
    expect(records).toMatchObject([
      {
        source: 'webhook',
        price: 46_000,
        quiet: false,
        derived: { status: 'corrected', price_used: 46_100 },
      },
      {
        source: 'correction',
        refers_to: records[0]?.id,
        price: 46_100,
        quiet: true,
        created_by: desk.person.uid,
      },
    ])
    expect((await deliveries(on)).get(id)?.signal_id).toBe(records[0]?.id)
    // Back again: the message is read as it was at first.
    await on.map({ ...P1, ...LONG })
    await on.commit()
    expect((await expectWhole(desk, on.strategy)).map(({ source, price }) => [source, price])).toEqual([
      ['webhook', 46_000],
      ['correction', 46_100],
      ['correction', 46_000],
    ])
  })

  test('anything else differs: a void and a new record; the delivery and its copies name the new one', async () => {
    const on = await openGround(desk)
    await on.map({ ...P1, ...LONG })
    const time = desk.at()
    const id = await on.order('去', { time })
    const copy = await on.order('去', { time })
    await on.order('buy', { p1: 46_050 })
    await on.map({ ...P1, ...SHORT })
    const dry = await on.try()
    expect(dry.items.map(({ change, made }) => [change, made])).toEqual([
      ['changed', 'anew'],
      ['same', null],
      ['same', null],
    ])
    // Chosen without its copy, which follows all the same.
    for (let i = 0; i < 2; i++) await on.commit({ delivery_ids: [id] })
    const records = await expectWhole(desk, on.strategy)
    const [first, , voided, anew] = records
    expect(records).toMatchObject([
      { action: 'long_entry', derived: { status: 'voided' } },
      { action: 'buy' },
      { source: 'void', refers_to: first?.id, reason: expect.stringContaining('重新解析'), quiet: true },
      { source: 'webhook', action: 'short_entry', delivery_id: id, received_at: first?.received_at },
    ])
    expect(voided?.chain_seq).toBe(3)
    const now = await deliveries(on)
    expect(now.get(id)?.signal_id).toBe(anew?.id)
    expect(now.get(copy)).toMatchObject({ outcome: 'duplicate', duplicate_of: id, signal_id: anew?.id })
  })

  test('what is no signal any more is voided, and nothing takes its place', async () => {
    const on = await openGround(desk)
    await on.map({ ...P1, ...LONG })
    const id = await on.order('去')
    await on.map(P1)
    expect((await on.try()).items).toMatchObject([{ change: 'now_refused', after: { outcome: 'rejected' } }])
    for (let i = 0; i < 2; i++) await on.commit()
    expect(await expectWhole(desk, on.strategy)).toMatchObject([
      { derived: { status: 'voided' } },
      { source: 'void' },
    ])
    expect((await deliveries(on)).get(id)).toMatchObject({ outcome: 'rejected', signal_id: null })
    expect(await position(on)).toBe(0)
    // And it comes back as one new record when its word is known again.
    await on.map({ ...P1, ...LONG })
    await on.commit()
    expect(await expectWhole(desk, on.strategy)).toHaveLength(3)
    expect(await position(on)).toBe(1)
  })

  test('what a person did stays: a price given by hand, a signal voided by hand', async () => {
    const on = await openGround(desk)
    await on.map(LONG)
    const [priced, gone] = [await on.order('去'), await on.order('去', { p1: 1 })]
    const of = async (id: string) => (await deliveries(on)).get(id)?.signal_id as string
    await desk.person.call(correctSignal, { id: await of(priced), price: 46_200 })
    const voided = await of(gone)
    await desk.person.call(voidSignal, { id: voided, reason: '不算' })
    expect((await on.commit()).counts).toMatchObject({ same: 2 })
    // Read otherwise, it is a new record with the price that the person gave.
    await on.map(SHORT)
    const dry = await on.try()
    expect(dry.items).toMatchObject([
      { change: 'changed', made: 'anew' },
      { change: 'same', why: expect.stringContaining('作廢') },
    ])
    await on.commit()
    const records = await expectWhole(desk, on.strategy)
    expect(records.slice(4)).toMatchObject([
      { source: 'void' },
      { action: 'short_entry', price: null, derived: { status: 'corrected', price_used: 46_200 } },
      { source: 'correction', price: 46_200 },
    ])
    expect(await of(gone)).toBe(voided)
    expect(await position(on)).toBe(-1)
  })

  test('who asks for it alarms: notify makes records that are not quiet', async () => {
    const on = await openGround(desk)
    await on.order('去')
    await on.commit({ mapping: { fields: { price: 'p1' }, words: { 去: 'long_entry' } }, notify: true })
    expect(await expectWhole(desk, on.strategy)).toMatchObject([{ quiet: false, action: 'long_entry' }])
  })
})
