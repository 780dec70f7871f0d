// The webhook door from outside, over HTTP on both databases: what is answered, what is stored, what becomes a signal.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getSignal, listStrategySignals } from '#contract/signal.ts'
import { createStrategy, type Strategy, type StrategyInput, updateStrategy } from '#contract/strategy.ts'
import {
  type HookAnswer,
  listDeliveries,
  replayDelivery,
  rotateWebhook,
  setWebhookStatus,
  updateWebhook,
  type Webhook,
} from '#contract/webhook.ts'
import { sha256 } from '#server/ingest/judge.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { linkText } from '#trading/chain.ts'

interface Fixture {
  title: string
  strategy: Record<string, unknown>
  unparsed_rule?: { action: 'entry' | 'exit'; symbol: string } | null
  received_at: string
  body: string
  expect: { kind: string; reason_code?: string; reason?: string; signal?: Record<string, unknown> }
}

const FOLDER = join(import.meta.dirname, '../fixtures/webhooks')

describeEngines('intake', (engine) => {
  let server: TestServer
  let person: Person
  let count = 0
  let clock = Date.now

  beforeAll(async () => {
    server = await startServer({ engine, overrides: { now: () => clock() } })
    person = await signUp(server, '收訊人')
  })
  afterAll(() => server.close())

  async function strategy(
    over: Record<string, unknown> = {},
  ): Promise<{ strategy: Strategy; webhook: Webhook; send: Send }> {
    count += 1
    const input = {
      kind: 'futures',
      name: `策略 ${count}`,
      settings: { product_code: 'MXF' },
      ...over,
    } as StrategyInput
    const made = await person.call(createStrategy, input)
    const webhook = (made.webhooks as Webhook[])[0] as Webhook
    return { strategy: made, webhook, send: sender(webhook) }
  }
  type Send = (
    body: string | Uint8Array,
    headers?: Record<string, string>,
  ) => Promise<{ status: number; answer: HookAnswer; headers: Headers }>
  function sender(webhook: Webhook): Send {
    const path = new URL(webhook.url as string).pathname
    return async (body, headers = {}) => {
      const response = await server.request(path, {
        method: 'POST',
        body: body as BodyInit,
        headers: { 'content-type': 'text/plain', ...headers },
      })
      return {
        status: response.status,
        answer: (await response.json()) as HookAnswer,
        headers: response.headers,
      }
    }
  }
  const records = async (of: Strategy) =>
    (await person.call(listStrategySignals, { id: of.id, limit: 200 })).items
  const deliveries = async (of: Webhook) =>
    (await person.call(listDeliveries, { id: of.id, limit: 200 })).items
  const at = (offset_s = 0) => new Date(Date.now() + offset_s * 1_000).toISOString()

  describe('a message', () => {
    test('with id and time: four copies make one signal and four deliveries', async () => {
      const { strategy: made, webhook, send } = await strategy()
      const body = JSON.stringify({
        id: 'Long-1',
        symbol: 'TAIFEX:MXF1!',
        action: 'buy',
        contracts: '2',
        price: '46512',
        market_position: 'long',
        market_position_size: '2',
        prev_market_position: 'flat',
        prev_market_position_size: '0',
        timenow: at(),
      })
      const answers = []
      for (let i = 0; i < 2; i++) answers.push(await send(body))
      answers.push(...(await Promise.all([send(body), send(body)])))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(answers.map(({ answer }) => answer.status)).toEqual([
        'accepted',
        'duplicate',
        'duplicate',
        'duplicate',
      ])
      const [first] = answers
      for (const { answer } of answers.slice(1)) expect(answer.duplicate_of).toBe(first?.answer.delivery_id)
      const [record, ...more] = await records(made)
      expect(more).toEqual([])
      expect(record).toMatchObject({
        symbol: 'MXF',
        contract: 'C1',
        action: 'target',
        target_position: 2,
        price: 46512,
        derived: { effect: 'open', position_before: 0, position_after: 2 },
      })
      expect((await deliveries(webhook)).map(({ outcome }) => outcome).sort()).toEqual([
        'accepted',
        'duplicate',
        'duplicate',
        'duplicate',
      ])
    })

    test('in copies that arrive at the same moment makes one signal', async () => {
      const { strategy: made, send } = await strategy()
      const body = JSON.stringify({
        action: 'long_entry',
        symbol: 'MXFR1',
        quantity: 1,
        price: 46500,
        timestamp: at(),
      })
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(body)))
      expect(answers.filter(({ answer }) => answer.status === 'accepted')).toHaveLength(1)
      expect(await records(made)).toHaveLength(1)
    })

    test('without id and time, twice: two signals, the second marked 可能重複', async () => {
      const { strategy: made, send } = await strategy()
      await send('{"symbol":"MXF1!","action":"buy","price":46500,"qty":1}')
      const second = await send('{"symbol":"MXF1!","action":"buy","price":46500,"qty":1}')
      expect(second.answer).toMatchObject({ status: 'accepted', flags: ['possible_duplicate'] })
      expect((await records(made)).map(({ flags }) => flags.includes('possible_duplicate'))).toEqual([
        true,
        false,
      ])
    })

    test('JSON with a trailing newline as text/plain works', async () => {
      const { send } = await strategy()
      expect((await send('{"symbol":"MXF1!","action":"buy","price":46500,"qty":1}\n')).answer.status).toBe(
        'accepted',
      )
    })

    test('that comes late is recorded and flagged', async () => {
      const { webhook, send } = await strategy()
      const late = await send(
        JSON.stringify({ symbol: 'MXF1!', action: 'buy', price: 46500, qty: 1, timenow: at(-600) }),
      )
      expect(late).toMatchObject({
        status: 200,
        answer: { status: 'accepted', flags: expect.arrayContaining(['late']) },
      })
      expect((await deliveries(webhook))[0]?.outcome).toBe('late')
    })

    test('to a paused strategy is recorded and marked', async () => {
      const { strategy: made, send } = await strategy()
      await person.call(updateStrategy, { id: made.id, status: 'paused' })
      expect((await send('{"symbol":"MXF1!","action":"buy","price":46500,"qty":1}')).answer.flags).toContain(
        'paused',
      )
    })
  })

  describe('the chain', () => {
    test('links every record to the one before, over the canonical facts', async () => {
      const { strategy: made, send } = await strategy()
      await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          send(
            JSON.stringify({
              id: `n${i}`,
              symbol: 'MXF1!',
              action: i % 2 ? 'sell' : 'buy',
              price: 46500 + i,
              qty: 1,
              timenow: at(i - 30),
            }),
          ),
        ),
      )
      const rows = await server.app.db
        .selectFrom('signals')
        .selectAll()
        .where('strategy_id', '=', made.id)
        .orderBy('chain_seq')
        .execute()
      expect(rows.map((row) => row.chain_seq)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1))
      let head = '0'.repeat(64)
      for (const row of rows) {
        expect(row.prev_hash).toBe(head)
        head = sha256(linkText(head, row.facts))
        expect(row.hash).toBe(head)
      }
      const again = await person.call(getSignal, { id: rows[0]?.id as string })
      expect(again.delivery?.body).toContain('"id":"n')
    })

    test('a record that arrives out of order folds everything again and says from where', async () => {
      const { strategy: made, send } = await strategy()
      const say = (action: string, price: number, seconds: number) =>
        send(JSON.stringify({ symbol: 'MXF1!', action, quantity: 1, price, time: at(seconds) }))
      await say('long_entry', 46500, -100)
      await say('sell', 46600, -60)
      expect((await records(made))[0]?.derived).toMatchObject({ effect: 'close', position_after: 0 })
      const late = await say('buy', 46550, -80)
      expect(late.answer.flags).toContain('out_of_order')
      const by_price = new Map((await records(made)).map((record) => [record.price, record.derived]))
      expect(by_price.get(46550)).toMatchObject({ effect: 'add', position_before: 1, position_after: 2 })
      expect(by_price.get(46600)).toMatchObject({ effect: 'reduce', position_before: 2, position_after: 1 })
      const events = await server.app.db
        .selectFrom('events')
        .selectAll()
        .where('kind', '=', 'strategy')
        .execute()
      expect(events.map((event) => JSON.parse(event.data))).toContainEqual({
        id: made.id,
        change: 'refolded',
        from_chain_seq: 2,
      })
    })
  })

  describe('a refusal is kept with its reason', () => {
    test('unreadable, then the mapping is mended and it is replayed: one signal, however often', async () => {
      const { strategy: made, webhook, send } = await strategy()
      const refused = await send('{"what":"MXF1!","doing":"up","at":46500}')
      expect(refused).toMatchObject({ status: 422, answer: { status: 'rejected' } })
      expect(refused.answer.reason).toMatch(/[一-鿿]/)
      const [delivery] = await deliveries(webhook)
      expect(delivery).toMatchObject({
        outcome: 'rejected',
        body: '{"what":"MXF1!","doing":"up","at":46500}',
        http_status: 422,
      })
      await person.call(updateWebhook, {
        id: webhook.id,
        mapping: {
          fields: { symbol: 'what', action: 'doing', price: 'at' },
          words: { up: 'long_entry' },
          id_is_unique: false,
        },
      })
      const id = { id: webhook.id, delivery_id: delivery?.id as string }
      const first = await person.call(replayDelivery, id)
      expect(first).toMatchObject({ outcome: 'accepted', signal_id: expect.any(String) })
      const second = await person.call(replayDelivery, id)
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
      ['{"symbol":"MXF1!","action":"dance","price":1}', 422, 'unknown_action'],
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
      const frame = '{"symbol":"MXF1!","action":"buy","price":46500,"x":""}'
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
      expect((await deliveries(webhook))[0]?.outcome).toBe('ignored')
    })
  })

  describe('the door', () => {
    test('unknown token 404, nothing stored', async () => {
      const response = await server.request('/hooks/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', {
        method: 'POST',
        body: 'x',
      })
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ status: 'rejected', delivery_id: null })
    })

    test('a disabled webhook, an archived strategy and a replaced address answer 410, and the attempt is kept', async () => {
      const { strategy: made, webhook, send } = await strategy()
      await person.call(setWebhookStatus, { id: webhook.id, enabled: false })
      expect(await send('{"symbol":"MXF1!","action":"buy","price":1}')).toMatchObject({
        status: 410,
        answer: { reason_code: 'disabled' },
      })
      await person.call(setWebhookStatus, { id: webhook.id, enabled: true })
      const rotated = await person.call(rotateWebhook, { id: webhook.id, grace: 'now' })
      expect((await send('{"symbol":"MXF1!","action":"buy","price":1}')).status).toBe(410)
      const fresh = sender(rotated)
      expect((await fresh('{"symbol":"MXF1!","action":"buy","price":1}')).status).toBe(200)
      await person.call(updateStrategy, { id: made.id, status: 'archived' })
      expect(await fresh('{"symbol":"MXF1!","action":"buy","price":1}')).toMatchObject({
        status: 410,
        answer: { reason_code: 'archived' },
      })
      expect((await deliveries(webhook)).map(({ http_status }) => http_status)).toEqual([410, 200, 410, 410])
    })

    test('with a grace the old address goes on beside the new one', async () => {
      const { webhook, send } = await strategy()
      const rotated = await person.call(rotateWebhook, { id: webhook.id, grace: '1h' })
      expect((await send('{"symbol":"MXF1!","action":"buy","price":1}')).status).toBe(200)
      expect((await sender(rotated)('{"symbol":"MXF1!","action":"buy","price":2}')).status).toBe(200)
    })

    test('a secret in the body is asked for, compared, and never kept', async () => {
      const { webhook, send } = await strategy()
      await person.call(updateWebhook, { id: webhook.id, body_secret: 'open-sesame-77' })
      const say = (more: object) =>
        send(JSON.stringify({ symbol: 'MXF1!', action: 'buy', price: 46500, ...more }))
      expect(await say({})).toMatchObject({ status: 401, answer: { reason_code: 'bad_secret' } })
      expect(await say({ secret: 'guess-guess' })).toMatchObject({
        status: 401,
        answer: { reason_code: 'bad_secret' },
      })
      expect((await say({ secret: 'open-sesame-77' })).status).toBe(200)
      expect(JSON.stringify(await server.app.db.selectFrom('deliveries').selectAll().execute())).not.toMatch(
        /open-sesame|guess-guess/,
      )
      const refused = (await deliveries(webhook)).find(({ reason_code }) => reason_code === 'bad_secret')
      await expect(
        person.call(replayDelivery, { id: webhook.id, delivery_id: refused?.id as string }),
      ).rejects.toMatchObject({ code: 4221 })
    })

    test('an address list lets in only who is on it', async () => {
      const { webhook, send } = await strategy()
      await person.call(updateWebhook, { id: webhook.id, ip_allow: ['52.89.214.238', '10.0.0.0/8'] })
      expect(await send('{"symbol":"MXF1!","action":"buy","price":1}')).toMatchObject({
        status: 401,
        answer: { reason_code: 'ip_not_allowed' },
      })
      await person.call(updateWebhook, { id: webhook.id, ip_allow: ['127.0.0.0/8'] })
      expect((await send('{"symbol":"MXF1!","action":"buy","price":1}')).status).toBe(200)
    })

    test('only POST is a message', async () => {
      const { webhook } = await strategy()
      expect((await server.request(new URL(webhook.url as string).pathname)).status).toBe(404)
    })
  })

  describe('the fifteen bodies of the field', () => {
    const fixtures = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .map((name) => ({ name, ...(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Fixture) }))

    test('are all there', () => {
      expect(new Set(fixtures.map(({ title }) => title.slice(0, 1)))).toEqual(new Set('ABCDEFGHIJKLMNO'))
    })
    test.each(fixtures)('$name', async (fixture) => {
      const {
        kind,
        product_code,
        contract_rule,
        contract_month,
        symbols,
        unit,
        default_quantity,
        default_action,
      } = fixture.strategy
      const settings =
        kind === 'futures'
          ? { product_code, contract_rule, contract_month }
          : { symbols, unit, ...(kind === 'xq-stock' && { xq_script_name: '外資連買', default_action }) }
      clock = () => Date.parse(fixture.received_at)
      try {
        const { strategy: made, webhook, send } = await strategy({ kind, default_quantity, settings })
        if (fixture.unparsed_rule)
          await person.call(updateWebhook, { id: webhook.id, unparsed_rule: fixture.unparsed_rule })
        const { status, answer } = await send(fixture.body)
        const { expect: want } = fixture
        if (want.kind === 'rejected') {
          expect({ status, answer }).toMatchObject({
            status: 422,
            answer: { status: 'rejected', reason_code: want.reason_code },
          })
          if (want.reason) expect(answer.reason).toBe(want.reason)
          return
        }
        expect({ status, reason: answer.reason }).toEqual({ status: 200, reason: null })
        const [record] = await records(made)
        const { reason: _why, ...facts } = want.signal as Record<string, unknown>
        expect(record).toMatchObject({
          ...facts,
          received_at: fixture.received_at,
          strategy_id: made.id,
          source: 'webhook',
          chain_seq: 1,
        })
        expect(record?.derived.status).toBe(
          facts['price'] === null && record?.derived.effect !== 'none' ? 'pending_price' : 'ok',
        )
      } finally {
        clock = Date.now
      }
    })
  })
})

test('more than the burst of one webhook is told to wait, other webhooks are not', async () => {
  const server = await startServer({ env: { HOOK_RATE_PER_MINUTE: '60', HOOK_BURST: '300' } })
  try {
    const person = await signUp(server)
    const path = async (name: string) => {
      const made = await person.call(createStrategy, {
        kind: 'futures',
        name,
        settings: { product_code: 'MXF' },
      })
      return new URL(made.webhooks?.[0]?.url as string).pathname
    }
    const [flooded, quiet] = [await path('被灌爆的'), await path('安靜的')]
    const ping = (to: string) => server.request(to, { method: 'POST', body: 'PING' })
    const answers = await Promise.all(Array.from({ length: 320 }, () => ping(flooded)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(300)
    expect(refused.length).toBeGreaterThanOrEqual(10)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ping(quiet)).status).toBe(200)
  } finally {
    await server.close()
  }
})
