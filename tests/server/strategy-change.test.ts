// Strategies over HTTP on both databases: changed, deleted, kept from others.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listStrategySignals, signalFeed } from '#contract/signal.ts'
import {
  deleteStrategy,
  getStrategy,
  listStrategies,
  updateStrategy,
  updateStrategyNotify,
} from '#contract/strategy.ts'
import { refold } from '#server/strategy/fold.ts'
import { type Desk, hookPath, openDesk, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { send } from '#tests/support/people.ts'

describeEngines('strategies changed', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk(engine)
  })
  afterAll(() => desk.close())

  describe('changed', () => {
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
        { symbol: 'MXF', quantity: 2, avg_price: 22_950, unrealised_pnl: 0 },
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

    test('capital alone changes the figures of the whole, not those of records', async () => {
      const made = await desk.make({ initial_capital: 100_000 })
      const after = await desk.person.call(updateStrategy, { id: made.id, initial_capital: 200_000 })
      expect(after.curve[0]).toBe(200_000)
      expect((await desk.told(made.id)).map((event) => event.change)).toEqual(['created', 'updated'])
    })
  })

  describe('deleted', () => {
    test('only with its name', async () => {
      const made = await desk.make()
      const error = await refused(desk.person.call(deleteStrategy, { id: made.id, name: '別的' }))
      expect([error.code, Object.keys(error.details.fields ?? {})]).toEqual([4220, ['name']])
      expect((await desk.person.call(getStrategy, { id: made.id })).id).toBe(made.id)
    })

    test.each([true, false])('keep_records %s', async (keep_records) => {
      const made = await desk.make()
      const url = hookPath(made)
      await desk.hook(made, { symbol: 'TXF1!', action: 'long_entry', quantity: 1, price: 23_000 })
      const deleted = await desk.person.call(deleteStrategy, { id: made.id, name: made.name, keep_records })
      expect(deleted).toBeNull()
      const { code } = await refused(desk.person.call(getStrategy, { id: made.id }))
      expect(code).toBe(4040)
      expect(
        (await desk.person.call(listStrategies, { page_size: 100 })).items.map(({ id }) => id),
      ).not.toContain(made.id)
      const feed = await desk.person.call(signalFeed, { limit: 1_000 })
      expect(feed.items.map((item) => item.strategy_id)).not.toContain(made.id)
      expect((await refused(desk.person.call(listStrategySignals, { id: made.id }))).code).toBe(4040)
      const answer = await desk.server.request(url, {
        method: 'POST',
        body: '{"action":"buy","symbol":"TXF1!"}',
      })
      expect(answer.status).toBe(keep_records ? 410 : 404)
      const { db } = desk.server.app
      const kept = await db.selectFrom('signals').select('id').where('strategy_id', '=', made.id).execute()
      expect(kept).toHaveLength(keep_records ? 1 : 0)
      expect((await desk.told(made.id)).at(-1)).toEqual({ id: made.id, change: 'deleted' })
      if (keep_records) return
      for (const table of ['strategy_folds', 'webhooks', 'deliveries'] as const)
        expect(
          await db.selectFrom(table).select('strategy_id').where('strategy_id', '=', made.id).execute(),
        ).toEqual([])
      const carriers = await db
        .selectFrom('events')
        .select('kind')
        .where('data', 'like', `%"strategy_id":"${made.id}"%`)
        .execute()
      expect(carriers).toEqual([])
    })
  })

  describe('others', () => {
    test('know nothing of it: 404 like an id that never was, and the list never shows it', async () => {
      const made = await desk.make({ name: '秘密策略' })
      const tries = [
        () => desk.stranger.call(getStrategy, { id: made.id }),
        () => desk.stranger.call(updateStrategy, { id: made.id, name: '偷改' }),
        () => desk.stranger.call(deleteStrategy, { id: made.id, name: made.name }),
        () => desk.stranger.call(updateStrategyNotify, { id: made.id, enabled: false }),
        () => desk.stranger.call(listStrategySignals, { id: made.id }),
      ]
      const never = await refused(
        desk.stranger.call(getStrategy, { id: '01890000-0000-7000-8000-000000000000' }),
      )
      for (const attempt of tries) {
        const error = await refused(attempt())
        expect([error.status, error.code, error.text]).toEqual([404, never.code, never.text])
      }
      expect((await desk.stranger.call(listStrategies, { search: '秘密', page_size: 100 })).items).toEqual([])
      expect(await desk.person.call(getStrategy, { id: made.id })).toMatchObject({ name: '秘密策略' })
    })
  })

  test('my notify setting: given fields only, shown on the strategy, told to my devices', async () => {
    const made = await desk.make()
    const set = await desk.person.call(updateStrategyNotify, {
      id: made.id,
      channels: ['push'],
      important: true,
    })
    expect(set).toEqual({
      strategy_id: made.id,
      enabled: true,
      channels: ['push'],
      actions: 'all',
      important: true,
    })
    const again = await desk.person.call(updateStrategyNotify, {
      id: made.id,
      enabled: false,
      channels: null,
    })
    expect(again).toEqual({
      strategy_id: made.id,
      enabled: false,
      channels: null,
      actions: 'all',
      important: true,
    })
    expect((await desk.person.call(getStrategy, { id: made.id })).my_notify).toEqual(again)
    const told = await desk.server.app.db
      .selectFrom('events')
      .select('data')
      .where('kind', '=', 'setting')
      .execute()
    expect(told.length).toBeGreaterThanOrEqual(2)
  })
})
