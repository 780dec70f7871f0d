// Strategies over HTTP on both databases: how they are made and named.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiError } from '#contract/errors.ts'
import {
  createStrategy,
  deleteStrategy,
  getStrategy,
  listStrategies,
  updateStrategy,
} from '#contract/strategy.ts'
import { type Desk, openDesk, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { signUp } from '#tests/support/people.ts'

describeEngines('strategies made', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  const FUTURES = { kind: 'futures', settings: { product_code: 'TXF' } } as const

  describe('made', () => {
    // spec §0: The product is a web application with a Traditional Chinese interface for managing trading…
    // spec §1: Its areas are: strategies (futures and stock), webhooks, signals (including manual signals),…
    test('futures: defaults, tax of the product, first webhook, nothing in it', async () => {
      const made = await desk.make({ name: '  台指當沖  ', tags: ['當沖'], summary: '一句話' })
      expect(made).toMatchObject({
        kind: 'futures',
        name: '台指當沖',
        summary_text: '一句話',
        tags: ['當沖'],
        status: 'active',
        direction: 'both',
        trade_style: null,
        timeframe: null,
        initial_capital: 500_000,
        quantity_mode: 'signal',
        default_quantity: 1,
        max_position: 10,
        allow_pyramiding: true,
        allow_reversal: true,
        slippage_ticks: 0,
        stop_loss: null,
        late_after_s: 120,
        on_symbol_mismatch: 'reject',
        silence_alarm: { enabled: false, max_gap_minutes: null },
        settings: {
          product_code: 'TXF',
          contract_rule: 'near',
          contract_month: null,
          session: 'day_night',
          fee_per_side: 50,
          tax_rate: 0.00002,
        },
        owner: { type: 'personal', id: desk.person.uid },
        created_by: { id: desk.person.uid, name: '王小明' },
        positions: [],
        last_signal: null,
        signal_count: 0,
        pending_price_count: 0,
        warnings: [],
        my_notify: { enabled: true, channels: null, actions: 'all', important: false },
        groups: [],
        access: null,
        chain_head: { chain_seq: 0, hash: '0'.repeat(64) },
        can: ['edit', 'delete'],
      })
      expect(made.summary).toMatchObject({ trade_count: 0, net_profit: 0, win_rate: null })
      expect(made.curve).toHaveLength(30)
      expect(made.webhooks).toHaveLength(1)
      expect(made.webhooks?.[0]).toMatchObject({
        name: '主要',
        format: 'auto',
        enabled: true,
        health: 'never',
      })
      expect(made.webhooks?.[0]?.url).toMatch(new RegExp(`^${desk.server.url}/hooks/[\\w-]{32}$`))
      expect((await desk.told(made.id)).map((event) => event.change)).toEqual(['created'])
      const { webhooks: _only_once, ...again } = made
      expect(await desk.person.call(getStrategy, { id: made.id })).toEqual({
        ...again,
        usual_gap_minutes: null,
      })
    })

    // spec §0: The product is a web application with a Traditional Chinese interface for managing trading…
    test('stock and xq-stock have the defaults of their kind', async () => {
      const stock = await desk.person.call(createStrategy, {
        kind: 'stock',
        name: '存股',
        settings: { symbols: ['2330', '00878'] },
      })
      expect(stock).toMatchObject({ direction: 'long', initial_capital: 1_000_000 })
      expect(stock.settings).toEqual({
        symbols: ['2330', '00878'],
        unit: 'board_lot',
        commission_rate: 0.001425,
        commission_discount: 0.6,
        min_fee: 20,
        odd_lot_min_fee: 1,
        allow_day_trade: false,
      })
      const bare = await desk.person.call(createStrategy, { kind: 'stock', name: '任何股票' })
      expect(bare.settings).toMatchObject({ symbols: [] })
      const xq = await desk.person.call(createStrategy, {
        kind: 'xq-stock',
        name: '雷達',
        settings: { xq_script_name: '突破' },
      })
      expect(xq.settings).toMatchObject({
        xq_script_name: '突破',
        script_type: 'sensor',
        dedupe_per_day: true,
        unit: 'board_lot',
      })
      const auto = await desk.person.call(createStrategy, {
        kind: 'xq-stock',
        name: '自動',
        settings: { xq_script_name: '突破', script_type: 'autotrade' },
      })
      expect(auto.settings).toMatchObject({ dedupe_per_day: false })
    })

    // spec §5: Email verification is required before creating a strategy.
    test('is refused until the address is verified', async () => {
      const fresh = await signUp(desk.server, '未驗證', { verify: false })
      const error = await refused(fresh.call(createStrategy, { ...FUTURES, name: '早了' }))
      expect([error.status, error.code]).toEqual([403, 6010])
      expect((await fresh.call(listStrategies, {})).total).toBe(0)
    })

    test('read-only and unknown fields are ignored', async () => {
      const made = await desk.make({
        id: '00000000-0000-7000-8000-000000000000',
        owner: { type: 'organization', id: desk.stranger.uid },
        owner_id: desk.stranger.uid,
        scope: `p:${desk.stranger.uid}`,
        created_by: desk.stranger.uid,
        chain_seq: 99,
        version: 7,
        deleted_at: '2020-01-01T00:00:00.000Z',
        signal_count: 5,
        settings: { product_code: 'TXF', tax_rate: 0.5, evil: 1 },
      })
      expect(made.id).not.toBe('00000000-0000-7000-8000-000000000000')
      const row = await desk.server.app.db
        .selectFrom('strategies')
        .selectAll()
        .where('id', '=', made.id)
        .executeTakeFirstOrThrow()
      expect(row).toMatchObject({
        scope: `p:${desk.person.uid}`,
        owner_id: desk.person.uid,
        chain_seq: 0,
        version: 1,
        deleted_at: null,
      })
      expect(JSON.parse(row.settings)).toMatchObject({ tax_rate: 0.00002 })
      expect(row.settings).not.toContain('evil')
    })
  })

  describe('names', () => {
    test('are taken whatever the case, per owner, also by a change', async () => {
      await desk.make({ name: 'Alpha 一號' })
      const error = await refused(desk.make({ name: ' ALPHA 一號 ' }))
      expect([error.status, error.code, error.details.fields]).toEqual([
        409,
        4090,
        { name: '這個名稱已經用過，請換一個' },
      ])
      await desk.stranger.call(createStrategy, { ...FUTURES, name: 'alpha 一號' })
      const other = await desk.make()
      const change = await refused(desk.person.call(updateStrategy, { id: other.id, name: 'alpha 一號' }))
      expect([change.code, change.details.fields]).toEqual([4090, { name: '這個名稱已經用過，請換一個' }])
      expect((await desk.person.call(getStrategy, { id: other.id })).name).toBe(other.name)
      // The own name in another case is no clash.
      expect(
        (await desk.person.call(updateStrategy, { id: other.id, name: other.name.toUpperCase() })).id,
      ).toBe(other.id)
    })

    test('twenty creates at once make one strategy', async () => {
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, () =>
          desk.person.call(createStrategy, { ...FUTURES, name: '搶同一個名字' }),
        ),
      )
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
      const codes = results.flatMap((result) =>
        result.status === 'rejected' ? [(result.reason as ApiError).code] : [],
      )
      expect(new Set(codes)).toEqual(new Set([4090]))
      expect((await desk.person.call(listStrategies, { search: '搶同一個名字' })).total).toBe(1)
    })

    test('two changes to one name at once: one wins', async () => {
      const both = [await desk.make(), await desk.make()]
      const results = await Promise.allSettled(
        both.map(({ id }) => desk.person.call(updateStrategy, { id, name: '只給一個' })),
      )
      expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected'])
      const lost = results.find((result) => result.status === 'rejected')
      expect(lost?.reason).toMatchObject({ code: 4090 })
    })

    test('a deleted strategy gives its name back', async () => {
      const made = await desk.make({ name: '再用一次' })
      await desk.person.call(deleteStrategy, { id: made.id, name: '再用一次' })
      await desk.make({ name: '再用一次' })
    })
  })
})
