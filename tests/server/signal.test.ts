// Signal records read over HTTP on both databases: feed, one with its timeline, of a strategy with filters.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InputOf } from '#contract/endpoint.ts'
import { getSignal, listStrategySignals, type SignalRecord, signalFeed } from '#contract/signal.ts'
import { getStrategy, type Strategy } from '#contract/strategy.ts'
import { clearMessages } from '#server/usage/messages.ts'
import { type Desk, openDesk, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { canonical, linkText } from '#trading/chain.ts'

const NEVER = '01890000-0000-7000-8000-000000000000'

describeEngines('signals', (engine) => {
  let desk: Desk
  let one: Strategy
  let two: Strategy
  const start = Date.parse('2026-11-18T01:00:00.000Z')
  let now = start
  beforeAll(async () => {
    desk = await openDesk({ engine, overrides: { now: () => now } })
    one = await desk.make({ name: '一', settings: { product_code: 'MXF' } })
    two = await desk.make({ name: '二', on_symbol_mismatch: 'accept' })
    // Twelve signals over three Taipei days, alternating strategies.
    for (let i = 0; i < 12; i++) {
      now = start + i * 6 * 3_600_000
      const of = i % 2 === 0 ? one : two
      const action = Math.floor(i / 2) % 2 === 0 ? 'long_entry' : 'long_exit'
      const symbol = of === one ? 'MXF1!' : i === 11 ? 'TMF1!' : 'TXF1!'
      const fired = new Date(now).toISOString()
      await desk.hook(of, {
        symbol,
        action,
        quantity: 1,
        price: 23_000 + i,
        timenow: fired,
        note: `第 ${i} 筆`,
      })
    }
  })
  afterAll(() => desk.server.close())

  const feed = (query: InputOf<typeof signalFeed>) => desk.person.call(signalFeed, query)
  const seqs = (items: readonly SignalRecord[]) => items.map(({ seq }) => seq)

  describe('feed', () => {
    // spec §1: Its areas are: strategies (futures and stock), webhooks, signals (including manual signals),…
    test('in order, by pages, nothing twice and nothing missing', async () => {
      const seen: SignalRecord[] = []
      let after = 0
      for (let more = true; more; ) {
        const page = await feed({ after, limit: 5 })
        expect(page.items.length).toBeLessThanOrEqual(5)
        seen.push(...page.items)
        more = page.more
        after = page.next_after
      }
      expect(seen).toHaveLength(12)
      expect(seqs(seen)).toEqual([...seqs(seen)].sort((a, b) => a - b))
      expect(seen.map(({ note }) => note)).toEqual(Array.from({ length: 12 }, (_, i) => `第 ${i} 筆`))
      expect(await feed({ after })).toMatchObject({ items: [], more: false, next_after: after })
    })

    test('latest: the newest ones in order, then those before them', async () => {
      const all = (await feed({ limit: 1_000 })).items
      const newest = await feed({ latest: 'true', limit: 5 })
      expect(seqs(newest.items)).toEqual(seqs(all).slice(-5))
      expect(newest).toMatchObject({ more: true, next_after: seqs(all).at(-1) })
      const older = await feed({ latest: 'true', limit: 100, before: newest.items[0]?.seq })
      expect(seqs(older.items)).toEqual(seqs(all).slice(0, -5))
      expect(older.more).toBe(false)
    })

    test('of one strategy only; of an unknown one 404', async () => {
      const mine = await feed({ strategy_id: two.id, after: 0 })
      expect(new Set(mine.items.map(({ strategy_id }) => strategy_id))).toEqual(new Set([two.id]))
      expect(mine.items).toHaveLength(6)
      expect((await refused(feed({ strategy_id: NEVER }))).code).toBe(4040)
    })

    test('says what may be kept only when it changed; a personal context has no lease', async () => {
      const first = await feed({ limit: 1 })
      expect(first).toMatchObject({
        access_version: expect.any(Number),
        lease_until: null,
        forget: [],
        server_time: new Date(now).toISOString(),
      })
      expect(first.access).toEqual(
        [one, two].map(({ id }) => ({
          strategy_id: id,
          visible_from: null,
          valid_until: null,
          chain_seq: 6,
        })),
      )
      expect((await feed({ limit: 1, access_version: first.access_version })).access).toBeUndefined()
    })

    test('a record carries the facts that were hashed, linked to the one before', async () => {
      const { items } = await feed({ strategy_id: one.id })
      let prev = '0'.repeat(64)
      for (const record of items) {
        expect(record.prev_hash).toBe(prev)
        prev = createHash('sha256')
          .update(linkText(prev, canonical(record)))
          .digest('hex')
        expect(record.hash).toBe(prev)
      }
      expect((await desk.person.call(getStrategy, { id: one.id })).chain_head).toEqual({
        chain_seq: 6,
        hash: prev,
      })
    })

    test('a stranger has an empty feed', async () => {
      expect(await desk.stranger.call(signalFeed, {})).toMatchObject({ items: [], access: [], more: false })
    })

    test.each([
      [{ limit: 1_001 }, 'limit'],
      [{ limit: 0 }, 'limit'],
      [{ after: -1 }, 'after'],
      [{ after: 'x' }, 'after'],
      [{ before: 1e300 }, 'before'],
      [{ latest: 'maybe' }, 'latest'],
    ])('%j is refused with its field', async (query, field) => {
      const error = await refused(feed(query as InputOf<typeof signalFeed>))
      expect([error.code, Object.keys(error.details.fields ?? {})]).toEqual([4220, [field]])
    })
  })

  describe('one', () => {
    // domain §7.5: the message as it came
    test('with its timeline and the message it came from', async () => {
      const [first] = (await feed({ strategy_id: one.id })).items as [SignalRecord]
      const got = await desk.person.call(getSignal, { id: first.id })
      const { timeline, delivery, deliveries_to_me, ...record } = got
      expect(record).toEqual(first)
      expect(deliveries_to_me).toEqual([])
      expect(timeline).toEqual({
        fired_at: '2026-11-18T01:00:00.000Z',
        received_at: '2026-11-18T01:00:00.000Z',
        stored_at: '2026-11-18T01:00:00.000Z',
        clock_ahead: false,
        // Whether the inbox has it by now is the planner's matter (notify.test.ts).
        steps: timeline.steps,
      })
      expect(delivery).toMatchObject({ id: first.delivery_id, outcome: 'accepted', body_encoding: 'utf-8' })
      expect(JSON.parse(delivery?.body as string)).toMatchObject({ note: '第 0 筆' })
      await clearMessages(desk.server.app.db, first.webhook_id as string, [first.delivery_id as string])
      expect((await desk.person.call(getSignal, { id: first.id })).delivery).toBeNull()
    })

    test('a source whose clock runs ahead is named', async () => {
      const ahead = await desk.make({ name: '時鐘快了' })
      const timenow = new Date(now + 600_000).toISOString()
      const { signal_id } = await desk.hook(ahead, {
        symbol: 'TXF1!',
        action: 'buy',
        quantity: 1,
        price: 23_000,
        timenow,
      })
      const got = await desk.person.call(getSignal, { id: signal_id as string })
      expect(got.timeline.clock_ahead).toBe(true)
      expect(got.flags).toContain('future')
    })

    test('a stranger: 404 like one that never was', async () => {
      const [first] = (await feed({})).items as [SignalRecord]
      const foreign = await refused(desk.stranger.call(getSignal, { id: first.id }))
      const never = await refused(desk.stranger.call(getSignal, { id: NEVER }))
      expect([foreign.status, foreign.code, foreign.text]).toEqual([404, never.code, never.text])
      expect((await refused(desk.person.call(getSignal, { id: 'nonsense' }))).code).toBe(4040)
    })
  })

  describe('of a strategy', () => {
    const list = (query: Omit<InputOf<typeof listStrategySignals>, 'id'>, id = one.id) =>
      desk.person.call(listStrategySignals, { id, ...query })
    const places = (items: readonly SignalRecord[]) => items.map(({ chain_seq }) => chain_seq)

    // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
    // domain §7.5: pages by cursor
    test('newest first by an opaque cursor, each once', async () => {
      const first = await list({ limit: 4 })
      expect(places(first.items)).toEqual([6, 5, 4, 3])
      const rest = await list({ limit: 4, before: first.next_before as string })
      expect(places(rest.items)).toEqual([2, 1])
      expect(rest.next_before).toBeNull()
      for (const before of ['x', '5', 'bjk5OTk5OTk5OTk5OTk5', '%00'])
        expect((await refused(list({ before }))).details.fields).toEqual({ before: '游標不正確，請從頭讀取' })
    })

    // domain §7.5: filter 日期
    // domain §7.5: filters 動作, 來源, 代號
    test.each([
      [{ action: 'long_exit' }, [6, 4, 2]],
      [{ effect: 'open' }, [5, 3, 1]],
      [{ effect: 'add' }, []],
      [{ source: 'webhook' }, [6, 5, 4, 3, 2, 1]],
      [{ source: 'manual' }, []],
      [{ symbol: 'mxf' }, [6, 5, 4, 3, 2, 1]],
      [{ symbol: 'TXF' }, []],
      // 09:00 and 21:00 Taipei of 18, 19 and 20 November.
      [{ from: '2026-11-19' }, [6, 5, 4, 3]],
      [{ to: '2026-11-19' }, [4, 3, 2, 1]],
      [{ from: '2026-11-19', to: '2026-11-19' }, [4, 3]],
      [{ from: '2026-11-20', to: '2026-11-19' }, []],
      [{ min_chain_seq: 5 }, [6, 5]],
      [{ action: 'long_entry', from: '2026-11-19', min_chain_seq: 4 }, [5]],
    ] as const)('filter %j', async (query, expected) => {
      expect(places((await list(query)).items)).toEqual(expected)
    })

    test('another symbol that was accepted is found by its own', async () => {
      expect(places((await list({ symbol: 'TMF' }, two.id)).items)).toEqual([6])
    })

    test.each([
      [{ from: '2026-13-01' }, 'from'],
      [{ to: 'gestern' }, 'to'],
      [{ action: 'hold' }, 'action'],
      [{ limit: 201 }, 'limit'],
      [{ min_chain_seq: 3e9 }, 'min_chain_seq'],
      [{ symbol: 'a\u0000' }, 'symbol'],
    ])('%j is refused with its field', async (query, field) => {
      const error = await refused(list(query as Parameters<typeof list>[0]))
      expect([error.code, Object.keys(error.details.fields ?? {})]).toEqual([4220, [field]])
    })
  })
})
