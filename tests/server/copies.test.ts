// An id that comes again (ruling C39): with its time and an equal body a copy, with another body a signal that says so, on both databases.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateWebhook } from '#contract/webhook.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'

describeEngines('copies', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  const time = new Date().toISOString()
  const body = (over: Record<string, unknown> = {}) =>
    JSON.stringify({ id: 'stg-1', symbol: 'MXF1!', action: 'buy', quantity: 1, price: 46_500, time, ...over })

  test('same id and time, another body: a signal flagged id_reused; a resend of either is a copy of its own', async () => {
    const { strategy, send } = await desk.strategy()
    const first = await send(body())
    const second = await send(body({ action: 'sell' }))
    expect(second.answer).toMatchObject({ status: 'accepted', flags: expect.arrayContaining(['id_reused']) })
    expect(first.answer.flags).not.toContain('id_reused')
    const resent = await send(`${body()}\n`)
    expect(resent.answer).toMatchObject({ status: 'duplicate', duplicate_of: first.answer.delivery_id })
    const other = await send(body({ action: 'sell' }))
    expect(other.answer).toMatchObject({ status: 'duplicate', duplicate_of: second.answer.delivery_id })
    const records = await desk.records(strategy)
    expect(records.map(({ action, flags }) => [action, flags.includes('id_reused')])).toEqual([
      ['sell', true],
      ['buy', false],
    ])
  })

  test('within one commit it is the same', async () => {
    const { strategy, send } = await desk.strategy()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => send(body({ id: 'at-once', price: 46_500 + (i % 3) }))),
    )
    expect(answers.filter(({ answer }) => answer.status === 'accepted')).toHaveLength(3)
    const records = await desk.records(strategy)
    expect(records).toHaveLength(3)
    expect(records.filter(({ flags }) => flags.includes('id_reused'))).toHaveLength(2)
  })

  test('where the id is unique it alone decides, whatever the body', async () => {
    const { strategy, webhook } = await desk.strategy()
    await desk.person.call(updateWebhook, { id: webhook.id, mapping: { fields: {}, id_is_unique: true } })
    const send = desk.asking(webhook)
    const first = await send(body({ id: 'order-7' }))
    const second = await send(body({ id: 'order-7', action: 'sell', price: 46_600 }))
    expect(second.answer).toMatchObject({ status: 'duplicate', duplicate_of: first.answer.delivery_id })
    expect(await desk.records(strategy)).toHaveLength(1)
  })
})
