// What a webhook message becomes, over HTTP on both databases: one signal, its copies, its place in the chain.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getSignal } from '#contract/signal.ts'
import { type Strategy, updateStrategy } from '#contract/strategy.ts'
import type { Webhook } from '#contract/webhook.ts'
import { sha256 } from '#server/ids.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { linkText } from '#trading/chain.ts'

describeEngines('intake', (engine) => {
  let desk: Desk
  const strategy = (over?: Record<string, unknown>) => desk.strategy(over)
  const records = (of: Strategy) => desk.records(of)
  const deliveries = (of: Webhook) => desk.deliveries(of)
  const at = (offset_s?: number) => desk.at(offset_s)

  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  describe('a message', () => {
    // spec §1: The product is a trading-signal platform.
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

    test('with a NUL, which PostgreSQL takes in no text: refused or held, and kept with its reason', async () => {
      const { webhook, send } = await strategy()
      const bodies = [
        '\0',
        '{}\0',
        '{"action":"\\u0000","symbol":"MXF1!"}',
        '{"action":"buy","symbol":"M\\u0000"}',
      ]
      for (const body of bodies) expect(['rejected', 'held']).toContain((await send(body)).answer.status)
      const kept = await deliveries(webhook)
      expect(kept).toHaveLength(bodies.length)
      for (const { reason } of kept) expect(reason).toMatch(/[一-鿿]/)
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
      expect(second.answer).toMatchObject({
        status: 'accepted',
        // whether the market is open while the test runs is not its subject
        flags: expect.arrayContaining(['possible_duplicate']),
      })
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
      await desk.person.call(updateStrategy, { id: made.id, status: 'paused' })
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
      const rows = await desk.server.app.db
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
      const again = await desk.person.call(getSignal, { id: rows[0]?.id as string })
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
      const events = await desk.server.app.db
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
})
