// Who and what the webhook door turns away, and that every refusal is kept with its reason.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStrategy, type Strategy, updateStrategy } from '#contract/strategy.ts'
import {
  listDeliveries,
  replayDelivery,
  rotateWebhook,
  setWebhookStatus,
  updateWebhook,
  type Webhook,
} from '#contract/webhook.ts'
import { confirmFormat } from '#contract/webhook-format.ts'
import { type Desk, hookPath, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { signUp } from '#tests/support/people.ts'
import { startServer } from '#tests/support/server.ts'

describeEngines('intake door', (engine) => {
  let desk: Desk
  const strategy = (over?: Record<string, unknown>) => desk.strategy(over)
  const records = (of: Strategy) => desk.records(of)
  const deliveries = (of: Webhook) => desk.deliveries(of)

  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  describe('a refusal is kept with its reason', () => {
    // domain §7.4: read again, one and many
    test('of no format, then it is mapped and read again with that: one signal, however often', async () => {
      const { strategy: made, webhook, send } = await strategy()
      const refused = await send('{"what":"MXF1!","doing":"up","at":46500}')
      expect(refused).toMatchObject({ status: 202, answer: { status: 'held' } })
      expect(refused.answer.reason).toMatch(/[一-鿿]/)
      const [delivery] = await deliveries(webhook)
      expect(delivery).toMatchObject({
        outcome: 'held',
        body: '{"what":"MXF1!","doing":"up","at":46500}',
        http_status: 202,
      })
      await desk.person.call(confirmFormat, {
        ...{ id: webhook.id, format_id: refused.answer.format_id as string, waiting: 'skip' },
        mapping: { fields: { symbol: 'what', action: 'doing', price: 'at' }, words: { up: 'long_entry' } },
      })
      const id = { id: webhook.id, delivery_id: delivery?.id as string }
      const first = await desk.person.call(replayDelivery, id)
      expect(first).toMatchObject({ outcome: 'accepted', signal_id: expect.any(String) })
      const second = await desk.person.call(replayDelivery, id)
      expect(second.signal_id).toBe(first.signal_id)
      expect(await records(made)).toHaveLength(1)
      expect((await records(made))[0]).toMatchObject({ symbol: 'MXF', action: 'long_entry', price: 46500 })
    })

    test.each([
      ['', 422, 'empty'],
      ['   \n', 422, 'empty'],
      ['hello', 422, 'unreadable'],
      [new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), 422, 'bad_encoding'],
      ['{"symbol":"MXF1!","action":"buy","price":46500,"__proto__":{"polluted":1}}', 422, 'unreadable'],
      ['['.repeat(10_000) + ']'.repeat(10_000), 422, 'unreadable'],
      [
        '{"symbol":"MXF1!","action":"{{strategy.order.action}}","price":"46510"}',
        422,
        'unresolved_placeholder',
      ],
      ['{"symbol":"ABC9!","action":"buy"}', 422, 'unknown_symbol'],
      ['{"symbol":"TXF1!","action":"buy","price":1}', 422, 'symbol_mismatch'],
      ['{"symbol":"MXF1!","action":"buy","price":-5}', 422, 'bad_price'],
      ['{"symbol":"MXF1!","action":"buy","price":1,"qty":1.5}', 422, 'bad_quantity'],
    ])('%j', async (body, status, reason_code) => {
      const { strategy: made, webhook, send } = await strategy()
      const refused = await send(body)
      expect(refused).toMatchObject({ status, answer: { status: 'rejected', reason_code, signal_id: null } })
      const [delivery] = await deliveries(webhook)
      expect(delivery).toMatchObject({
        id: refused.answer.delivery_id,
        outcome: 'rejected',
        reason_code,
        http_status: status,
      })
      expect(await records(made)).toEqual([])
      expect(({} as { polluted?: number }).polluted).toBeUndefined()
    })

    test('64 KB fit, one byte more is 413 and kept by its size only', async () => {
      const { webhook, send } = await strategy()
      const frame = '{"symbol":"MXF1!","action":"buy","price":46500,"note":""}'
      const full = frame.replace('""', `"${'a'.repeat(64 * 1024 - frame.length)}"`)
      expect((await send(full)).status).toBe(200)
      expect((await send(`${full} `)).status).toBe(413)
      const [large] = await deliveries(webhook)
      expect(large).toMatchObject({
        outcome: 'rejected',
        reason_code: 'too_large',
        size: 64 * 1024 + 1,
        body: null,
      })
    })

    test('a heartbeat is ignored, not refused', async () => {
      const { webhook, send } = await strategy()
      expect(await send('PING')).toMatchObject({
        status: 200,
        answer: { status: 'ignored', reason_code: 'heartbeat' },
      })
      // it is no message, and stands among them only where it is asked for
      expect(await deliveries(webhook)).toEqual([])
      const asked = { id: webhook.id, reason_code: 'heartbeat' } as const
      const { items } = await desk.person.call(listDeliveries, asked)
      expect(items[0]?.outcome).toBe('ignored')
    })
  })

  describe('the door', () => {
    test('unknown token 404, nothing stored', async () => {
      const response = await desk.server.request('/hooks/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', {
        method: 'POST',
        body: 'x',
      })
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ status: 'rejected', delivery_id: null })
    })

    test('a disabled webhook, an archived strategy and a replaced address answer 410, and the attempt is kept', async () => {
      const { strategy: made, webhook, send } = await strategy()
      await desk.person.call(setWebhookStatus, { id: webhook.id, enabled: false })
      expect(await send('{"symbol":"MXF1!","action":"buy","price":1}')).toMatchObject({
        status: 410,
        answer: { reason_code: 'disabled' },
      })
      await desk.person.call(setWebhookStatus, { id: webhook.id, enabled: true })
      const rotated = await desk.person.call(rotateWebhook, { id: webhook.id, grace: 'now' })
      expect((await send('{"symbol":"MXF1!","action":"buy","price":1}')).status).toBe(410)
      const fresh = desk.sender(rotated)
      expect((await fresh('{"symbol":"MXF1!","action":"buy","price":1}')).status).toBe(200)
      await desk.person.call(updateStrategy, { id: made.id, status: 'archived' })
      expect(await fresh('{"symbol":"MXF1!","action":"buy","price":1}')).toMatchObject({
        status: 410,
        answer: { reason_code: 'archived' },
      })
      expect((await deliveries(webhook)).map(({ http_status }) => http_status)).toEqual([410, 200, 410, 410])
    })

    // domain §7.4: a new address with its grace, the old one beside it
    test('with a grace the old address goes on beside the new one', async () => {
      const { webhook, send } = await strategy()
      const rotated = await desk.person.call(rotateWebhook, { id: webhook.id, grace: '1h' })
      expect((await send('{"symbol":"MXF1!","action":"buy","price":1}')).status).toBe(200)
      expect((await desk.sender(rotated)('{"symbol":"MXF1!","action":"buy","price":2}')).status).toBe(200)
    })

    // domain §7.4: bodySecret
    test('a secret in the body is asked for, compared, and never kept', async () => {
      const { webhook, send } = await strategy()
      await desk.person.call(updateWebhook, { id: webhook.id, body_secret: 'open-sesame-77' })
      const say = (more: object) =>
        send(JSON.stringify({ symbol: 'MXF1!', action: 'buy', price: 46500, ...more }))
      expect(await say({})).toMatchObject({ status: 401, answer: { reason_code: 'bad_secret' } })
      expect(await say({ secret: 'guess-guess' })).toMatchObject({
        status: 401,
        answer: { reason_code: 'bad_secret' },
      })
      expect((await say({ secret: 'open-sesame-77' })).status).toBe(200)
      expect(
        JSON.stringify(await desk.server.app.db.selectFrom('deliveries').selectAll().execute()),
      ).not.toMatch(/open-sesame|guess-guess/)
      const refused = (await deliveries(webhook)).find(({ reason_code }) => reason_code === 'bad_secret')
      await expect(
        desk.person.call(replayDelivery, { id: webhook.id, delivery_id: refused?.id as string }),
      ).rejects.toMatchObject({ code: 4221 })
    })

    // domain §7.4: ipAllowlist
    test('an address list lets in only who is on it', async () => {
      const { webhook, send } = await strategy()
      await desk.person.call(updateWebhook, { id: webhook.id, ip_allow: ['52.89.214.238', '10.0.0.0/8'] })
      expect(await send('{"symbol":"MXF1!","action":"buy","price":1}')).toMatchObject({
        status: 401,
        answer: { reason_code: 'ip_not_allowed' },
      })
      await desk.person.call(updateWebhook, { id: webhook.id, ip_allow: ['127.0.0.0/8'] })
      expect((await send('{"symbol":"MXF1!","action":"buy","price":1}')).status).toBe(200)
    })

    test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])(
      'only POST is a message: %s is told so at an address that is one, and nothing else',
      async (method) => {
        const { webhook } = await strategy()
        const { pathname } = new URL(webhook.url as string)
        for (const path of [pathname, `${pathname}/`]) {
          const told = await desk.server.request(path, { method })
          expect([told.status, told.headers.get('allow')]).toEqual([method === 'OPTIONS' ? 204 : 405, 'POST'])
          const text = await told.text()
          if (method === 'HEAD' || method === 'OPTIONS') expect(text).toBe('')
          else expect(JSON.parse(text)).toMatchObject({ status: 'rejected', reason: '請用 POST 送出訊息' })
        }
        const unknown = await desk.server.request(`/hooks/${'A'.repeat(43)}`, { method })
        expect([unknown.status, unknown.headers.get('allow')]).toEqual([404, null])
        expect(await deliveries(webhook)).toEqual([])
      },
    )
  })
})

describeEngines('the burst', (engine) => {
  test('more than the burst of one webhook is told to wait, other webhooks are not', async () => {
    // The clock stands: nothing is refilled, however slow the machine is.
    const at = Date.now()
    const server = await startServer({
      engine,
      env: { HOOK_RATE_PER_MINUTE: '60', HOOK_BURST: '50' },
      overrides: { now: () => at },
    })
    try {
      const person = await signUp(server)
      const path = async (name: string) => {
        const made = await person.call(createStrategy, {
          kind: 'futures',
          name,
          settings: { product_code: 'MXF' },
        })
        return hookPath(made)
      }
      const [flooded, quiet] = [await path('被灌爆的'), await path('安靜的')]
      const ping = (to: string) => server.request(to, { method: 'POST', body: 'PING' })
      const answers = await Promise.all(Array.from({ length: 70 }, () => ping(flooded)))
      const refused = answers.filter(({ status }) => status === 429)
      expect(refused).toHaveLength(20)
      expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await ping(quiet)).status).toBe(200)
    } finally {
      await server.close()
    }
  })
})
