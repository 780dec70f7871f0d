// Strategies over HTTP on both databases: changed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listStrategySignals } from '#contract/signal.ts'
import { getStrategy, listStrategies, updateStrategy } from '#contract/strategy.ts'
import { refold } from '#server/record/refold.ts'
import { type Desk, openDesk, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { send } from '#tests/support/people.ts'

describeEngines('strategies changed', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  describe('changed', () => {
    // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
    test('only what is sent; settings key by key; keys of another kind are dropped', async () => {
      const made = await desk.make({ note: '# 筆記', tags: ['a'], stop_loss: { value: 30, unit: 'point' } })
      const after = await desk.person.call(updateStrategy, {
        id: made.id,
        summary: '新的',
        stop_loss: null,
        settings: { fee_per_side: 12, symbols: ['2330'], xq_script_name: 'x' },
      })
      expect(after).toMatchObject({
        summary_text: '新的',
        note: '# 筆記',
        tags: ['a'],
        stop_loss: null,
        name: made.name,
      })
      expect(after.settings).toEqual({ ...made.settings, fee_per_side: 12 })
      const row = await desk.server.app.db
        .selectFrom('strategies')
        .select('settings')
        .where('id', '=', made.id)
        .executeTakeFirstOrThrow()
      expect(JSON.parse(row.settings)).toEqual({ ...made.settings, fee_per_side: 12 })
      expect(after.updated_at >= made.updated_at).toBe(true)
      expect((await desk.told(made.id)).map((event) => event.change)).toEqual(['created', 'updated'])
    })

    test('kind and read-only fields stay whatever is sent', async () => {
      const made = await desk.make()
      const changes = {
        id: made.id,
        kind: 'stock',
        created_by: desk.stranger.uid,
        owner_id: desk.stranger.uid,
        version: 50,
        chain_seq: 9,
        summary: 'ok',
      }
      const answer = await send(desk.server, updateStrategy, changes, {
        authorization: `Bearer ${desk.person.token}`,
      })
      expect(answer.status).toBe(200)
      expect(await desk.person.call(getStrategy, { id: made.id })).toMatchObject({
        kind: 'futures',
        owner: made.owner,
        created_by: made.created_by,
        chain_head: made.chain_head,
        summary_text: 'ok',
      })
    })

    test('nothing changed: no event', async () => {
      const made = await desk.make()
      expect(await desk.person.call(updateStrategy, { id: made.id, name: made.name })).toMatchObject({
        updated_at: made.updated_at,
      })
      expect(await desk.told(made.id)).toHaveLength(1)
    })

    // domain §7.3: taxRate, read-only from the product
    test('another product brings its tax, a rule other than month forgets the month', async () => {
      const made = await desk.make({
        settings: { product_code: 'TXF', contract_rule: 'month', contract_month: '202612' },
      })
      expect(made.settings).toMatchObject({ contract_month: '202612' })
      const after = await desk.person.call(updateStrategy, {
        id: made.id,
        settings: { product_code: 'MXF', contract_rule: 'next' },
      })
      expect(after.settings).toMatchObject({
        product_code: 'MXF',
        contract_rule: 'next',
        contract_month: null,
        tax_rate: 0.00002,
      })
      const error = await refused(
        desk.person.call(updateStrategy, { id: made.id, settings: { contract_rule: 'month' } }),
      )
      expect(error.details.fields).toEqual({ 'settings.contract_month': '指定月份時必填' })
    })

    test('the status says so in its event and hides what is archived from the list', async () => {
      const made = await desk.make({ name: '要封存的' })
      await desk.person.call(updateStrategy, { id: made.id, status: 'archived' })
      expect((await desk.told(made.id)).map((event) => event.change)).toEqual(['created', 'status'])
      expect((await desk.person.call(listStrategies, { search: '要封存的' })).total).toBe(0)
      expect((await desk.person.call(listStrategies, { search: '要封存的', status: 'archived' })).total).toBe(
        1,
      )
    })

    test('terms that decide figures fold the record again; facts and hashes stay', async () => {
      const made = await desk.make({ name: '要重算的', settings: { product_code: 'MXF', fee_per_side: 25 } })
      const at = Date.now() - 60_000
      const say = (i: number, body: Record<string, unknown>) =>
        desk.hook(made, { symbol: 'MXF1!', timenow: new Date(at + i * 1_000).toISOString(), ...body })
      await say(0, { action: 'long_entry', quantity: 1, price: 22_800 })
      await say(1, { action: 'long_exit', quantity: 1, price: 22_900 })
      await say(2, { action: 'long_entry', quantity: 2, price: 22_950 })
      const before = await desk.person.call(getStrategy, { id: made.id })
      // (22,900 − 22,800) × 50 − 2 × 25 fee − 2 × 23 tax (domain §5.4).
      expect(before.summary).toMatchObject({ trade_count: 1, net_profit: 4_904 })
      expect(before.positions).toMatchObject([
        { symbol: 'MXF', quantity: 2, avg_price: 22_950, unrealised_pnl: null },
      ])
      expect(before).toMatchObject({ signal_count: 3, last_signal: { action: 'long_entry', quantity: 2 } })
      expect(before.chain_head.chain_seq).toBe(3)
      const records = (await desk.person.call(listStrategySignals, { id: made.id })).items
      const after = await desk.person.call(updateStrategy, { id: made.id, settings: { fee_per_side: 100 } })
      expect(after.summary).toMatchObject({ net_profit: 4_754, total_fee: 200 })
      expect(after.chain_head).toEqual(before.chain_head)
      const again = (await desk.person.call(listStrategySignals, { id: made.id })).items
      expect(again.map(({ derived: _d, ...rest }) => rest)).toEqual(
        records.map(({ derived: _d, ...rest }) => rest),
      )
      expect(again[1]?.derived.realised_pnl).toBe(4_754)
      expect(await desk.told(made.id)).toContainEqual({ id: made.id, change: 'refolded', from_chain_seq: 1 })
      // What the next message folds onto is the new fold, not a remembered one.
      await say(3, { action: 'close_all', price: 23_000 })
      expect((await desk.person.call(getStrategy, { id: made.id })).summary.net_profit).toBe(
        4_754 + 5_000 - 400 - 92,
      )
      // Folding all again finds nothing to change: the kept view was right.
      const row = await desk.server.app.db
        .selectFrom('strategies')
        .selectAll()
        .where('id', '=', made.id)
        .executeTakeFirstOrThrow()
      expect((await refold(desk.server.app.db, row, new Set())).changed_from).toBeNull()
    })

    test('flags of the fold come and go with the terms, flags of the reading stay', async () => {
      const made = await desk.make({ max_position: 1, status: 'paused' })
      await desk.hook(made, { symbol: 'TXF1!', action: 'long_entry', quantity: 3, price: 23_000 })
      const flags = async () => (await desk.person.call(listStrategySignals, { id: made.id })).items[0]?.flags
      // Whatever the hour of the test is.
      const here = (await flags())?.filter((flag) => flag === 'outside_session') ?? []
      const said = ['no_source_time', 'paused'] as const
      expect(new Set(await flags())).toEqual(new Set([...here, 'over_max_position', ...said]))
      const row = await desk.server.app.db
        .selectFrom('strategies')
        .selectAll()
        .where('id', '=', made.id)
        .executeTakeFirstOrThrow()
      expect((await refold(desk.server.app.db, row, new Set())).changed_from).toBeNull()
      const after = await desk.person.call(updateStrategy, { id: made.id, max_position: 5, status: 'active' })
      expect(after.positions).toMatchObject([{ quantity: 3 }])
      expect(new Set(await flags())).toEqual(new Set([...here, ...said]))
      expect((await desk.told(made.id)).map(({ change }) => change)).toEqual([
        'created',
        'status',
        'updated',
        'refolded',
      ])
    })

    test('what decides reading or folding raises the version, words do not', async () => {
      const made = await desk.make()
      const version = async () => {
        const { db } = desk.server.app
        const row = await db
          .selectFrom('strategies')
          .innerJoin('snapshots', 'strategy_id', 'id')
          .select(['strategies.version', 'snapshots.version as folded'])
          .where('snapshots.kind', '=', 'head')
          .where('id', '=', made.id)
          .executeTakeFirstOrThrow()
        expect(row.folded).toBe(row.version)
        return row.version
      }
      let now = await version()
      for (const words of [{ name: '換個名字' }, { summary: 'x' }, { note: 'x' }, { tags: ['x'] }]) {
        await desk.person.call(updateStrategy, { id: made.id, ...words })
        expect(await version()).toBe(now)
      }
      for (const change of [
        { status: 'paused' },
        { late_after_s: 60 },
        { on_symbol_mismatch: 'accept' },
        { quantity_mode: 'fixed' },
        { initial_capital: 1 },
        { direction: 'long' },
        { allow_pyramiding: false },
        { allow_reversal: false },
        { max_position: 20 },
        { default_quantity: 2 },
        { slippage_ticks: 1 },
        { settings: { product_code: 'MXF' } },
        { settings: { contract_rule: 'next' } },
        { settings: { session: 'day' } },
        { settings: { fee_per_side: 1 } },
      ] as const) {
        await desk.person.call(updateStrategy, { id: made.id, ...change })
        expect([change, await version()]).toEqual([change, ++now])
      }
    })

    test('capital alone changes the figures of the whole, not those of records', async () => {
      const made = await desk.make({ initial_capital: 100_000 })
      const after = await desk.person.call(updateStrategy, { id: made.id, initial_capital: 200_000 })
      expect(after.curve[0]).toBe(200_000)
      expect((await desk.told(made.id)).map((event) => event.change)).toEqual(['created', 'updated'])
    })
  })
})
