// Holding times to the second, and figures that were stored with floored minutes are worked out anew once (migration 008).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getStatistics } from '#contract/statistics.ts'
import { getStrategy } from '#contract/strategy.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'

describeEngines('held', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  test('45 seconds, 3 minutes 20: exact in trades and figures; floored ones are mended by the first look', async () => {
    const strategy = await desk.make()
    const begin = Date.parse('2026-06-02T02:00:00.000Z')
    const post = async (offset_s: number, action: string, price: number) => {
      const at_ms = begin + offset_s * 1_000
      desk.setClock(at_ms)
      await desk.hook(strategy, { symbol: 'TXF1!', action, price, time: new Date(at_ms).toISOString() })
      desk.setClock(null)
    }
    await post(0, 'long_entry', 22_000)
    await post(45, 'long_exit', 22_010)
    await post(100, 'long_entry', 22_000)
    await post(300, 'long_exit', 22_020)

    const exact = { avg_holding_minutes: 2.0417, median_holding_minutes: 2.0417, max_holding_minutes: 3.3333 }
    const read = async () => (await desk.person.call(getStrategy, { id: strategy.id })).summary
    expect(await read()).toMatchObject(exact)
    const { trades, summary } = await desk.person.call(getStatistics, { id: strategy.id })
    expect(summary).toMatchObject(exact)
    expect(trades.map((trade) => trade.holding_minutes)).toEqual([3.3333, 0.75])

    const { db, fold_cache } = desk.server.app
    const floored = { ...(await read()), avg_holding_minutes: 1.5, max_holding_minutes: 3 }
    await db
      .updateTable('snapshots')
      .set({ data: JSON.stringify({ summary: floored, curve: [] }) })
      .where('strategy_id', '=', strategy.id)
      .where('kind', '=', 'figures')
      .execute()
    fold_cache.clear()
    expect(await read()).toEqual(floored)
    // As that migration, and those after it, leave them.
    const figures = db.updateTable('snapshots').set({ key: '' }).where('strategy_id', '=', strategy.id)
    await figures.where('kind', '=', 'figures').execute()
    expect(await read()).toMatchObject(exact)
  })
})
