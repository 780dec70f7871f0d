// Bodies of messages that became no signal fill their owner's room, never the disk: then the verdict alone is kept.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DELIVERY_KEPT_DAYS, REFUSED_PER_OWNER_BYTES } from '#contract/limits.ts'
import { readUsage } from '#contract/profile.ts'
import { deleteStrategy } from '#contract/strategy.ts'
import { replayDelivery, type Webhook } from '#contract/webhook.ts'
import { confirmFormat } from '#contract/webhook-format.ts'
import { tidy } from '#server/housekeeping.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Person, signUp } from '#tests/support/people.ts'

const GOOD = JSON.stringify({ symbol: 'MXF1!', action: 'buy', qty: 1, price: 46500 })
/** Read, and refused: no order has such a price. 64 KB of it, as large as a message may be. */
const LARGE = JSON.stringify({
  symbol: 'MXF1!',
  action: 'buy',
  qty: 1,
  price: -1,
  note: 'x'.repeat(60_000),
})

describeEngines('room for refused messages', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  const used = async (person: Person = desk.person) => (await person.call(readUsage, {})).refused_bytes.used
  /** What the deliveries themselves say. */
  async function summed(): Promise<number> {
    const { bytes } = await desk.server.app.db
      .selectFrom('deliveries')
      .innerJoin('strategies', 'strategies.id', 'deliveries.strategy_id')
      .select(sql<number | string | null>`sum(octet_length(body))`.as('bytes'))
      .where('scope', '=', `p:${desk.person.uid}`)
      .where('outcome', 'in', ['rejected', 'held', 'ignored', 'duplicate'])
      .where('test', '=', 0)
      .executeTakeFirstOrThrow()
    return Number(bytes ?? 0)
  }
  /** As if so many bytes of earlier lay behind this webhook. */
  const lay = (webhook: Webhook, bytes: number) =>
    desk.server.app.db
      .updateTable('webhooks')
      .set((eb) => ({ refused_bytes: eb('refused_bytes', '+', bytes) }))
      .where('id', '=', webhook.id)
      .execute()

  test('what is kept is counted: refused, held and copies, not signals; and no more once it became one', async () => {
    const { webhook, send } = await desk.strategy({ allow_pyramiding: true, max_position: 999 })
    const before = await used()
    expect((await send(GOOD)).answer.status).toBe('accepted')
    expect(await used()).toBe(before)
    const bad = JSON.stringify({ symbol: 'MXF1!', action: '跳', qty: 1, price: 46500 })
    const { answer } = await send(bad)
    expect(answer.status).toBe('held')
    expect((await send('ping')).answer.signal_id).toBeNull()
    const twice = JSON.stringify({ ...JSON.parse(GOOD), id: 'one', time: desk.at() })
    await send(twice)
    expect((await send(twice)).answer.status).toBe('duplicate')
    const after = await used()
    expect(after - before).toBe(Buffer.byteLength(bad) + 4 + Buffer.byteLength(twice))
    expect(after).toBe(await summed())
    await desk.person.call(confirmFormat, {
      ...{ id: webhook.id, format_id: answer.format_id as string, waiting: 'take' },
      mapping: { fields: {}, words: { 跳: 'long_entry' } },
    })
    expect(await used()).toBe(await summed())
    expect(await used()).toBe(after - Buffer.byteLength(bad))
  })

  test('one message too many keeps verdict, reason and hash, not the body; signals go on; others are untouched', async () => {
    const { strategy, webhook, send } = await desk.strategy()
    const other = await signUp(desk.server, '隔壁')
    await lay(webhook, REFUSED_PER_OWNER_BYTES - (await used()) - LARGE.length)
    const [fits, over] = [await send(LARGE), await send(LARGE)]
    expect(over.status).toBe(422)
    expect(over.answer).toMatchObject({ status: 'rejected', reason_code: fits.answer.reason_code })
    const small = await send('nothing of a message')
    expect((await send(GOOD)).answer.status).toBe('accepted')
    const kept = await desk.deliveries(webhook)
    const of = (reply: typeof fits) => kept.find(({ id }) => id === reply.answer.delivery_id)
    expect(of(fits)?.body).toBe(LARGE)
    expect(of(over)).toMatchObject({
      body: null,
      body_cut: false,
      size: LARGE.length,
      reason: over.answer.reason,
    })
    expect(of(small)).toMatchObject({ body: null, reason_code: 'unreadable' })
    expect(await desk.records(strategy)).toHaveLength(1)
    expect(await used()).toBe(REFUSED_PER_OWNER_BYTES)
    expect(await used(other)).toBe(0)
    const again = { id: webhook.id, delivery_id: over.answer.delivery_id as string }
    await expect(desk.person.call(replayDelivery, again)).rejects.toMatchObject({ code: 4221 })
    await desk.person.call(deleteStrategy, { id: strategy.id, name: strategy.name, keep_records: false })
    await desk.server.app.jobs.settled('erase')
    expect(await used()).toBe(await summed())
  })

  test('many at once fill no more than the room', async () => {
    const { strategy, webhook, send } = await desk.strategy()
    await lay(webhook, REFUSED_PER_OWNER_BYTES - (await used()) - 3 * LARGE.length - 10)
    const replies = await Promise.all(Array.from({ length: 12 }, () => send(LARGE)))
    expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(422))
    expect((await desk.deliveries(webhook)).filter(({ body }) => body !== null)).toHaveLength(3)
    await desk.person.call(deleteStrategy, { id: strategy.id, name: strategy.name, keep_records: false })
    await desk.server.app.jobs.settled('erase')
  })

  test('what is deleted after its days gives its room back', async () => {
    const { webhook, send } = await desk.strategy()
    const before = await used()
    const old = await send('an old one')
    const young = await send('young')
    const long_ago = new Date(Date.now() - (DELIVERY_KEPT_DAYS + 1) * 86_400_000).toISOString()
    const { db } = desk.server.app
    await db
      .updateTable('messages')
      .set({ received_at: long_ago })
      .where('id', '=', old.answer.delivery_id as string)
      .execute()
    expect(await used()).toBe(before + 15)
    expect(await tidy(desk.server.app)).toMatchObject({ deliveries: 1 })
    expect(await used()).toBe(before + 5)
    expect((await desk.deliveries(webhook)).map(({ id }) => id)).toEqual([young.answer.delivery_id])
  })
})
