// Formats of webhooks under attack: other people's ids, closed doors, races, who is killed in between, long messages.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateStrategy } from '#contract/strategy.ts'
import { deleteWebhook, replayDelivery, type Webhook } from '#contract/webhook.ts'
import {
  confirmFormat,
  deleteFormat,
  impactOfMapping,
  learnMapping,
  listFormats,
  previewMapping,
  replayDeliveries,
  updateFormat,
} from '#contract/webhook-format.ts'
import { type Desk, openDesk, refused } from '../support/desk.ts'

const own = (action: string, more: object = {}) =>
  JSON.stringify({ symbol: 'MXF1!', side: action, lots: 1, px: 46_500, ...more })
const wide = (i: number) =>
  own('buy', Object.fromEntries(Array.from({ length: 180 }, (_, k) => [`k${k}_${i % 40}`, `x${k}`])))

describe('formats under attack', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  })
  afterAll(() => desk.server.close())
  const held = async (body = own('buy')) => {
    const ground = await desk.strategy()
    const { answer } = await ground.send(body)
    const [format_id, delivery_id] = [answer.format_id as string, answer.delivery_id as string]
    return { ...ground, id: ground.webhook.id, format_id, delivery_id }
  }
  const outcomes = async (webhook: Webhook) =>
    (await desk.deliveries(webhook)).map(({ outcome }) => outcome).toReversed()

  test('ids of another webhook, of mine or of others, are none of this one', async () => {
    const [mine, another] = [await held(), await held()]
    const { person, stranger } = desk
    const mapping = { fields: {} }
    for (const { format_id, delivery_id } of [
      another,
      { format_id: mine.format_id, delivery_id: mine.delivery_id },
    ])
      for (const [who, id] of [
        [person, mine.id],
        [stranger, mine.id],
      ] as const) {
        if (who === person && format_id === mine.format_id) continue
        const calls = [
          who.call(confirmFormat, { id, format_id, waiting: 'take' }),
          who.call(updateFormat, { id, format_id, name: '改名' }),
          who.call(deleteFormat, { id, format_id }),
          who.call(learnMapping, { webhook_id: id, delivery_id }),
          who.call(previewMapping, { webhook_id: id, delivery_id, format: 'auto', mapping }),
          who.call(replayDelivery, { id, delivery_id }),
        ]
        for (const { code } of await Promise.all(calls.map(refused))) expect(code).toBe(4040)
      }
    const { id } = mine
    expect((await refused(stranger.call(listFormats, { id }))).code).toBe(4040)
    expect((await refused(stranger.call(impactOfMapping, { id, format: 'auto', mapping }))).code).toBe(4040)
    expect((await refused(stranger.call(replayDeliveries, { id, dry_run: true }))).code).toBe(4040)
    for (const one of [mine, another])
      expect((await person.call(listFormats, { id: one.id })).items).toMatchObject([
        { state: 'waiting', name: '新格式' },
      ])
  })

  test('of a strategy that is archived nothing is taken, of a webhook that is deleted nothing is there', async () => {
    const one = await held()
    await desk.person.call(updateStrategy, { id: one.strategy.id, status: 'archived' })
    const { id, format_id } = one
    expect((await refused(desk.person.call(confirmFormat, { id, format_id, waiting: 'take' }))).code).toBe(
      4221,
    )
    expect(await outcomes(one.webhook)).toEqual(['held'])
    const other = await held()
    await desk.person.call(deleteWebhook, { id: other.id })
    const gone = { id: other.id, format_id: other.format_id, waiting: 'take' as const }
    expect((await refused(desk.person.call(confirmFormat, gone))).code).toBe(4040)
    expect((await other.send(own('buy'))).status).toBe(410)
  })

  test('who confirms and who deletes at once: the one or the other, and no message in between', async () => {
    for (let i = 0; i < 5; i++) {
      const { id, format_id, webhook, strategy } = await held()
      const calls = [
        desk.person.call(confirmFormat, { id, format_id, waiting: 'take' }),
        desk.person.call(deleteFormat, { id, format_id }),
      ]
      const done = await Promise.allSettled(i % 2 ? calls.toReversed() : calls)
      const [outcome] = await outcomes(webhook)
      const records = await desk.records(strategy)
      expect(done.some(({ status }) => status === 'fulfilled')).toBe(true)
      expect([outcome, records.length]).toEqual(records.length === 1 ? ['accepted', 1] : ['ignored', 0])
    }
  })

  test('killed in the middle of a confirmation: nothing of it stands, and it can be done again', async () => {
    const { id, format_id, webhook, strategy, send } = await held()
    for (let i = 1; i < 5; i++) await send(own('buy', { px: 46_500 + i }))
    const { app } = desk.server
    const { intake } = app as { intake: { replay: typeof app.intake.replay } }
    const replay = intake.replay
    let count = 0
    intake.replay = async (...given) => {
      const done = await replay.apply(intake, given)
      if (++count === 2) throw new Error('killed')
      return done
    }
    const input = { id, format_id, waiting: 'take' as const }
    await refused(desk.person.call(confirmFormat, input)).catch(() => undefined)
    intake.replay = replay
    expect(count).toBe(2)
    expect(await outcomes(webhook)).toEqual(Array(5).fill('held'))
    expect(await desk.records(strategy)).toEqual([])
    expect((await desk.person.call(listFormats, { id })).items).toMatchObject([
      { state: 'waiting', waiting_count: 5 },
    ])
    expect((await send(own('buy', { px: 46_510 }))).status).toBe(202)
    expect((await desk.person.call(confirmFormat, input)).signal_ids).toHaveLength(6)
  })

  test('what was held with words around it is not read without them', async () => {
    const { id, webhook, send, strategy } = await held(
      `取消 ${JSON.stringify({ action: 'buy', symbol: 'MXF1!', quantity: 1, secret: 'a-word' })}`,
    )
    const [first] = await desk.deliveries(webhook)
    expect(first?.body).toContain('取消')
    expect(first?.body).not.toContain('a-word')
    const other = await send(own('buy'))
    await desk.person.call(confirmFormat, {
      id,
      format_id: other.answer.format_id as string,
      waiting: 'take',
    })
    expect(await outcomes(webhook)).toEqual(['held', 'accepted'])
    await desk.person.call(replayDeliveries, { id, dry_run: false })
    expect(await desk.records(strategy)).toHaveLength(1)
  })

  test('a confirmation proposes nothing anew for what waits for another format', async () => {
    const one = await held()
    for (let i = 0; i < 40; i++) await one.send(wide(i))
    const { app } = desk.server
    const { intake } = app as { intake: { replay: typeof app.intake.replay } }
    const replay = intake.replay
    const looked: number[] = []
    intake.replay = (...given) => {
      looked.push(given[2].length)
      return replay.apply(intake, given)
    }
    const { id, format_id } = one
    const taken = await desk.person.call(confirmFormat, { id, format_id, waiting: 'take' })
    intake.replay = replay
    expect(taken.signal_ids).toHaveLength(1)
    // A thousand of them, looked at twice, cost 25 seconds in which nobody else was answered.
    expect(looked).toEqual([1, 1])
    expect((await outcomes(one.webhook)).filter((outcome) => outcome === 'held')).toHaveLength(40)
  })
})
