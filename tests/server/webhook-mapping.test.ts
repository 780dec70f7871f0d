// A mapping learned from one message, tried by the intake's own code, and what it would change: nothing of it is stored (both databases).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWebhook, type Mapping, updateWebhook, type Webhook } from '#contract/webhook.ts'
import { confirmFormat, impactOfMapping, learnMapping, previewMapping } from '#contract/webhook-format.ts'
import { type Desk, openDesk, refused } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'

const BOT = '{"bot":{"tkr":"MXF1!","dir":"看多","lots":2,"px":46500}}'
const TRADINGVIEW = '{"symbol":"TAIFEX:MXF1!","action":"buy","contracts":"1","price":"46510"}'
const WORDS = { 看多: 'long_entry' } as const
const whole = (over: Partial<Mapping> = {}): Mapping => ({
  fields: {},
  words: {},
  units: {},
  ignore: [],
  id_is_unique: false,
  strict: false,
  ...over,
})

describeEngines('webhook mapping', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  const stored = async (webhook: Webhook) => {
    const { db } = desk.server.app
    const rows = await db.selectFrom('webhooks').selectAll().where('id', '=', webhook.id).execute()
    const { count } = await db
      .selectFrom('deliveries')
      .select((eb) => eb.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    const keys = await db
      .selectFrom('idempotency')
      .select((eb) => eb.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    return JSON.stringify([rows, Number(count), Number(keys.count)])
  }

  test('a message that waits is learned, tried, weighed, confirmed, and the usual message still comes in', async () => {
    const { webhook, send } = await desk.strategy()
    const webhook_id = webhook.id
    const refusal = await send(BOT)
    expect(refusal.status).toBe(202)
    const delivery_id = refusal.answer.delivery_id as string
    const before = await stored(webhook)

    const learned = await desk.person.call(learnMapping, { webhook_id, delivery_id })
    expect(learned).toMatchObject({ format: 'auto', body: BOT, words: [{ word: '看多', action: null }] })
    expect(learned.preview).toMatchObject({ outcome: 'rejected', reason_code: 'unknown_action' })
    expect(learned.leaves.map(({ path }) => path)).toEqual(['bot.tkr', 'bot.dir', 'bot.lots', 'bot.px'])

    const mapping = { ...learned.mapping, words: WORDS }
    const tried = await desk.person.call(previewMapping, {
      webhook_id,
      delivery_id,
      format: 'auto',
      mapping,
    })
    expect(tried).toMatchObject({
      outcome: 'accepted',
      reason: null,
      normal: { symbol: 'MXF', action: 'long_entry', quantity: 2, price: 46_500 },
    })

    expect((await send(TRADINGVIEW)).status).toBe(200)
    const after = await stored(webhook)
    const impact = await desk.person.call(impactOfMapping, { id: webhook.id, format: 'auto', mapping })
    expect(impact).toMatchObject({
      looked: 2,
      counts: { changed: 0, same: 1, newly_readable: 1, becomes_unreadable: 0 },
      rows: [
        {
          delivery_id,
          change: 'newly_readable',
          before: { outcome: 'held' },
          after: { outcome: 'accepted', normal: { action: 'long_entry' } },
        },
      ],
    })
    expect(await stored(webhook)).toBe(after)
    expect(after).not.toBe(before)

    const confirmed = {
      id: webhook.id,
      format_id: refusal.answer.format_id as string,
      waiting: 'take' as const,
    }
    await desk.person.call(confirmFormat, { ...confirmed, mapping })
    expect((await send(BOT.replace('46500', '46510'))).answer.status).toBe('accepted')
    expect((await send(TRADINGVIEW.replace('46510', '46520'))).answer.status).toBe('accepted')
  })

  test('pasted text: the time is now, the secret is gone, the door is not asked', async () => {
    const { webhook } = await desk.strategy()
    await desk.person.call(updateWebhook, {
      id: webhook.id,
      body_secret: 'at-least-eight',
      ip_allow: ['10.0.0.1'],
    })
    const body = '{"secret":"at-most-eight","symbol":"MXF1!","action":"buy"}'
    const learned = await desk.person.call(learnMapping, { webhook_id: webhook.id, body })
    expect(learned.body).not.toContain('at-most-eight')
    expect(JSON.stringify(learned.leaves)).not.toContain('at-most-eight')
    expect(learned.preview).toMatchObject({ outcome: 'accepted', normal: { action: 'buy' } })
  })

  test('the impact counts every kind of change, of the last 50 that can be read', async () => {
    const { webhook, send } = await desk.strategy()
    await send('{"symbol":"MXF1!","action":"buy","quantity":1,"price":46500,"id":"0"}')
    await send('{"symbol":"MXF1!","action":"sell","quantity":1,"price":46500,"id":"1"}')
    await send('{"symbol":"MXF1!","action":"看多","quantity":1,"price":46500,"id":"2"}')
    const look = (mapping: Mapping | null) =>
      desk.person.call(impactOfMapping, { id: webhook.id, format: 'auto', mapping })
    const changed = await look(whole({ words: { sell: 'long_exit', 看多: 'long_entry' } }))
    expect(changed.counts).toEqual({ changed: 1, same: 1, newly_readable: 1, becomes_unreadable: 0 })
    expect(changed.rows.map(({ change }) => change)).toEqual(['newly_readable', 'changed'])
    const unsaid = await look(whole({ ignore: ['action'] }))
    expect(unsaid.counts).toEqual({ changed: 0, same: 1, newly_readable: 0, becomes_unreadable: 2 })
    expect((await look(null)).rows).toEqual([])
    for (let i = 0; i < 50; i++)
      await send(`{"symbol":"MXF1!","action":"buy","quantity":1,"price":46500,"id":"${i + 3}"}`)
    expect((await look(null)).looked).toBe(50)
  })

  test('a line of own words is read by its cells, once they are named and confirmed', async () => {
    const { webhook, send } = await desk.strategy()
    const line = 'MXF1!,看多,2手,46500'
    const refusal = await send(line)
    expect(refusal.answer).toMatchObject({ status: 'rejected', reason_code: 'unreadable' })
    const delivery_id = refusal.answer.delivery_id as string
    const learned = await desk.person.call(learnMapping, { webhook_id: webhook.id, delivery_id })
    expect(learned.mapping.fields).toEqual({ symbol: '#1', action: '#2', quantity: '#3', price: '#4' })
    expect([learned.words, learned.units]).toEqual([
      [{ word: '看多', action: null }],
      [{ word: '手', unit: null }],
    ])
    const mapping = { ...learned.mapping, words: WORDS, units: { 手: 'lot' as const } }
    await desk.person.call(updateWebhook, { id: webhook.id, mapping })
    expect((await desk.asking(webhook)(line.replace('46500', '46510'))).answer.status).toBe('accepted')
    expect((await send(line.replace('46500', '46520'))).answer.status).toBe('accepted')
    expect((await desk.deliveries(webhook))[0]?.normal).toMatchObject({
      symbol: 'MXF',
      action: 'long_entry',
      quantity: 2,
      price: 46_520,
    })
    // what follows in another notation is asked about, ours too: the mapping may mean it
    expect((await send('MXF1!,看多')).answer.signal_id).toBeNull()
    expect((await send(TRADINGVIEW)).answer.status).toBe('held')
  })

  test('either a body or a delivery of this webhook, kept as text; strangers learn nothing', async () => {
    const { webhook, send } = await desk.strategy()
    const other = await desk.strategy()
    const foreign = (await other.send(BOT)).answer.delivery_id as string
    const binary = (await send(new Uint8Array([0xff, 0xfe, 0x80]))).answer.delivery_id as string
    const webhook_id = webhook.id
    const fails = async (input: { body?: string; delivery_id?: string }) => {
      const error = await refused(desk.person.call(learnMapping, { webhook_id, ...input }))
      return [error.code, Object.keys(error.details.fields ?? {})]
    }
    expect(await fails({})).toEqual([4220, ['body']])
    expect(await fails({ body: BOT, delivery_id: foreign })).toEqual([4220, ['body']])
    expect(await fails({ delivery_id: foreign })).toEqual([4040, []])
    expect(await fails({ delivery_id: binary })).toEqual([4220, ['delivery_id']])
    expect(await fails({ body: 'x'.repeat(65_537) })).toEqual([4220, ['body']])
    for (const attempt of [
      () => desk.stranger.call(learnMapping, { webhook_id, body: BOT }),
      () => desk.stranger.call(previewMapping, { webhook_id, body: BOT, format: 'auto', mapping: null }),
      () => desk.stranger.call(impactOfMapping, { id: webhook_id, format: 'auto', mapping: null }),
    ])
      expect((await refused(attempt())).code).toBe(4040)
  })

  test('the wider mapping is stored and given back whole', async () => {
    const { webhook, strategy } = await desk.strategy()
    const mapping = whole({
      fields: { quantity: 'n', note: { const: '外部' } },
      words: WORDS,
      units: { 手: 'lot', '': 'lot' },
      ignore: ['mood'],
      id_is_unique: true,
      strict: true,
      sequence: 'seq',
    })
    expect((await desk.person.call(updateWebhook, { id: webhook.id, mapping })).mapping).toEqual(mapping)
    const made = await desk.person.call(createWebhook, { strategy_id: strategy.id, name: '第二個', mapping })
    expect(made.mapping).toEqual(mapping)
    const wrong = { ...mapping, units: { 手: 'ton' } } as unknown as Mapping
    const error = await refused(desk.person.call(updateWebhook, { id: webhook.id, mapping: wrong }))
    expect([error.code, Object.keys(error.details.fields ?? {})]).toEqual([4220, ['mapping.units.手']])
  })

  test('a mapping stored before its newer keys were there is read with their defaults', async () => {
    const { webhook } = await desk.strategy()
    const send = desk.asking(webhook)
    const old = JSON.stringify({ fields: { action: 'dir' }, words: WORDS, id_is_unique: false })
    await desk.server.app.db
      .updateTable('webhooks')
      .set({ mapping: old })
      .where('id', '=', webhook.id)
      .execute()
    expect((await send('{"symbol":"MXF1!","dir":"看多","price":46500}')).answer.status).toBe('accepted')
    const shown = await desk.person.call(updateWebhook, { id: webhook.id, name: '改名' })
    expect(shown.mapping).toEqual(whole({ fields: { action: 'dir' }, words: WORDS }))
  })
})
