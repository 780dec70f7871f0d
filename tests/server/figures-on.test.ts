// Figures looked at between signals are carried on in memory, and stay what folding everything anew gives.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStrategy, getStrategy, type Strategy, type StrategyInput } from '#contract/strategy.ts'
import { closedDays } from '#server/record/calendar.ts'
import { type Desk, hookPath, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { noHolidays, TEN_EQUITY, TEN_MESSAGES, TEN_STRATEGY, TEN_SUMMARY } from '#tests/support/ten-trades.ts'

describeEngines('figures carried on', (engine) => {
  let desk: Desk
  let strategy: Strategy
  beforeAll(async () => {
    desk = await openDesk({ engine })
    noHolidays(desk.server)
    strategy = await desk.person.call(createStrategy, TEN_STRATEGY as StrategyInput)
  })
  afterAll(() => desk.server.close())

  test('after every signal, to the last', async () => {
    const { app } = desk.server
    const path = hookPath(strategy)
    let first: unknown
    for (const [n, { at_ms, body }] of TEN_MESSAGES.entries()) {
      desk.setClock(at_ms)
      const answer = await desk.server.request(path, { method: 'POST', body: JSON.stringify(body) })
      expect(answer.status).toBe(200)
      desk.setClock(null)
      const { curve } = await desk.person.call(getStrategy, { id: strategy.id })
      expect(curve.at(-1)).toBe(n === 0 ? 500_000 : (TEN_EQUITY[Math.floor((n + 1) / 2) - 1] ?? 500_000))
      const query = app.db.selectFrom('strategies').selectAll().where('id', '=', strategy.id)
      const row = await query.executeTakeFirstOrThrow()
      const { running } = await app.fold_cache.trades(app, app.db, row, closedDays(app), 'anybody')
      first ??= running
      // The very same: nothing was walked again.
      expect(running).toBe(first)
    }
    const { summary } = await desk.person.call(getStrategy, { id: strategy.id })
    expect(summary).toEqual(TEN_SUMMARY)
  })
})
