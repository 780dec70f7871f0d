// What webhooks received, over HTTP on both databases: counts, deliveries, test messages, replays, and nothing for strangers.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { listWebhookSignals } from '#contract/signal.ts'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listStrategyWebhooks,
  listWebhooks,
  replayDelivery,
  rotateWebhook,
  setWebhookStatus,
  testWebhook,
  updateWebhook,
  type Webhook,
} from '#contract/webhook.ts'
import { confirmFormat } from '#contract/webhook-format.ts'

import { type Desk, openDesk, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'

const NEVER = '01890000-0000-7000-8000-000000000000'

describeEngines('webhook deliveries', (engine) => {
  let desk: Desk
  let offset_ms = 0
  beforeAll(async () => {
    desk = await openDesk({ engine, overrides: { now: () => Date.now() + offset_ms } })
  })
  afterAll(() => desk.server.close())

  const first = async (over = {}) => {
    const strategy = await desk.make(over)
    return { strategy, webhook: strategy.webhooks?.[0] as Webhook }
  }
  const token = (webhook: Webhook) => new URL(webhook.url as string).pathname.split('/').at(-1) as string
  const post = (webhook: Webhook, body = '{"action":"buy","symbol":"TXF1!","price":23000}') =>
    desk.server.request(`/hooks/${token(webhook)}`, { method: 'POST', body })

  // domain §7.4: counts of 24 h, health
  test('counts, health and lists', async () => {
    const { webhook, strategy } = await first()
    const look = async () => (await desk.person.call(listStrategyWebhooks, { id: strategy.id }))[0] as Webhook
    await post(webhook)
    expect(await look()).toMatchObject({
      health: 'ok',
      counts: { accepted: 1 },
      counts_24h: { accepted: 1, rejected: 0 },
    })
    // a test is neither taken nor refused: what a filter lists is what the counts count
    await desk.person.call(testWebhook, { id: webhook.id })
    const { items } = await desk.person.call(listDeliveries, { id: webhook.id, outcome: 'accepted' })
    expect(items.map(({ test }) => test)).toEqual([false])
    expect((await desk.person.call(listDeliveries, { id: webhook.id })).items).toHaveLength(2)
    // Of two that came in the same moment neither is the last.
    offset_ms += 1_000
    await post(webhook, 'hello')
    expect(await look()).toMatchObject({
      health: 'failing',
      counts: { rejected: 1 },
      counts_24h: { accepted: 1, rejected: 1 },
    })
    // About another product: refused like any other, and counted beside them, too.
    await post(webhook, '{"action":"buy","symbol":"MXF1!","price":23000}')
    expect(await look()).toMatchObject({
      counts: { rejected: 2, mismatch: 1 },
      counts_24h: { accepted: 1, rejected: 2, mismatch: 1 },
    })
    offset_ms = 14 * 86_400_000
    await post(webhook)
    offset_ms = 28.5 * 86_400_000
    expect(await look()).toMatchObject({
      health: 'quiet',
      counts: { accepted: 2 },
      counts_24h: { accepted: 0, rejected: 0 },
    })
    offset_ms = 0
    const page = await desk.person.call(listWebhooks, { strategy_id: strategy.id })
    expect(page).toMatchObject({ total: 1, page: 1, page_size: 20 })
    await first()
    expect((await desk.person.call(listWebhooks, {})).total).toBeGreaterThan(1)
    expect((await desk.stranger.call(listWebhooks, {})).total).toBe(0)
  })

  // domain §7.4: a test goes through the real reader and does not count
  // domain §7.4: log of requests: reason, body without the secret, what was read
  test('deliveries: newest first, by cursor, by outcome; test and replay', async () => {
    const { webhook, strategy } = await first()
    for (let i = 0; i < 5; i++) await post(webhook, `{"action":"buy","symbol":"TXF1!","price":2300${i}}`)
    await post(webhook, '{"action":"哈","symbol":"TXF1!","price":23000}')
    const tried = await desk.person.call(testWebhook, { id: webhook.id })
    expect(tried.answer).toMatchObject({ status: 'accepted', signal_id: null })
    expect(tried.delivery).toMatchObject({
      test: true,
      outcome: 'accepted',
      normal: { symbol: 'TXF', action: 'long_entry' },
    })
    const ids: string[] = []
    let before: string | undefined
    do {
      const page = await desk.person.call(listDeliveries, {
        id: webhook.id,
        limit: 2,
        ...(before && { before }),
      })
      ids.push(...page.items.map(({ id }) => id))
      before = page.next_before ?? undefined
    } while (before)
    expect(ids).toHaveLength(7)
    expect(ids).toEqual([...ids].sort().reverse())
    const { items } = await desk.person.call(listDeliveries, { id: webhook.id, outcome: 'held' })
    expect(items).toMatchObject([{ reason_code: 'unconfirmed_format', http_status: 202, signal_id: null }])
    await desk.person.call(confirmFormat, {
      ...{ id: webhook.id, format_id: items[0]?.format_id as string, waiting: 'skip' },
      mapping: { fields: {}, words: { 哈: 'long_entry' } },
    })
    const again = await desk.person.call(replayDelivery, {
      id: webhook.id,
      delivery_id: items[0]?.id as string,
    })
    expect(again).toMatchObject({ outcome: 'accepted', reason: null })
    const once = await desk.person.call(replayDelivery, {
      id: webhook.id,
      delivery_id: items[0]?.id as string,
    })
    expect(once.signal_id).toBe(again.signal_id)
    const signals = await desk.person.call(listWebhookSignals, { id: webhook.id, limit: 4 })
    expect(signals.items.map(({ chain_seq }) => chain_seq)).toEqual([6, 5, 4, 3])
    const rest = await desk.person.call(listWebhookSignals, {
      id: webhook.id,
      limit: 4,
      before: signals.next_before as string,
    })
    expect(rest.items.map(({ chain_seq }) => chain_seq)).toEqual([2, 1])
    expect(rest.next_before).toBeNull()
    const other = await first()
    const foreign = desk.person.call(replayDelivery, {
      id: other.webhook.id,
      delivery_id: items[0]?.id as string,
    })
    expect((await refused(foreign)).code).toBe(4040)
    expect(strategy.id).not.toBe(other.strategy.id)
  })

  const KINDS_OF_STRATEGY = [
    {},
    { settings: { product_code: 'MXF', contract_rule: 'month', contract_month: '203012' } },
    { settings: { product_code: 'TMF', contract_rule: 'next' } },
    { kind: 'stock', settings: { symbols: ['00878'] } },
    { kind: 'xq-stock', settings: { xq_script_name: '突破' } },
  ]

  // domain §7.4: a test goes through the real reader and does not count
  test.each(['auto', 'tradingview', 'multicharts'] as const)(
    'the sample of format %s is understood',
    async (format) => {
      for (const over of KINDS_OF_STRATEGY) {
        const { webhook } = await first(over)
        await desk.person.call(updateWebhook, { id: webhook.id, format })
        const { answer, delivery } = await desk.person.call(testWebhook, { id: webhook.id })
        expect(answer.status, `${JSON.stringify(over)} ${delivery.body} ${delivery.reason}`).toBe('accepted')
      }
    },
  )

  test('the sample of a mapping waits as its messages do; once one was confirmed it is that one', async () => {
    for (const over of KINDS_OF_STRATEGY) {
      const { webhook } = await first(over)
      const mapping = {
        fields: { action: 'order.side', symbol: 'order.code', quantity: 'order.size' },
        words: { 買: 'long_entry' as const },
      }
      await desk.person.call(updateWebhook, { id: webhook.id, format: 'template', mapping })
      const { answer, delivery } = await desk.person.call(testWebhook, { id: webhook.id })
      expect([answer.status, answer.format_id, delivery.normal?.action]).toEqual(['held', null, 'long_entry'])
      const body = delivery.body as string
      expect((await desk.asking(webhook)(body)).answer.status).toBe('accepted')
      expect(await desk.person.call(testWebhook, { id: webhook.id })).toMatchObject({
        answer: { status: 'accepted' },
        delivery: { body },
      })
    }
  })

  test('strangers: 404 like a webhook that never was', async () => {
    const { webhook } = await first()
    const { text } = await refused(desk.stranger.call(listDeliveries, { id: NEVER }))
    for (const attempt of [
      () => desk.stranger.call(updateWebhook, { id: webhook.id, name: '偷' }),
      () => desk.stranger.call(setWebhookStatus, { id: webhook.id, enabled: false }),
      () => desk.stranger.call(rotateWebhook, { id: webhook.id }),
      () => desk.stranger.call(deleteWebhook, { id: webhook.id }),
      () => desk.stranger.call(testWebhook, { id: webhook.id }),
      () => desk.stranger.call(listDeliveries, { id: webhook.id }),
      () => desk.stranger.call(listWebhookSignals, { id: webhook.id }),
      () => desk.stranger.call(listStrategyWebhooks, { id: webhook.strategy_id }),
      () => desk.stranger.call(createWebhook, { strategy_id: webhook.strategy_id, name: '偷' }),
    ]) {
      const error = await refused(attempt())
      expect([error.status, error.code, error.text]).toEqual([404, 4040, text])
    }
  })
})
