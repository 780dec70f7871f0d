// The figures of a strategy over HTTP on both databases: the ten trades of domain §6.2, periods, older trades, whose they are.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getStatistics } from '#contract/statistics.ts'
import type { StrategyInput } from '#contract/strategy.ts'
import { createStrategy, getStrategy, type Strategy } from '#contract/strategy.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { signUp } from '#tests/support/people.ts'
import {
  noHolidays,
  postTen,
  TEN_EQUITY,
  TEN_MONTHS,
  TEN_STRATEGY,
  TEN_SUMMARY,
} from '#tests/support/ten-trades.ts'

describeEngines('statistics', (engine) => {
  let desk: Desk
  let strategy: Strategy
  beforeAll(async () => {
    desk = await openDesk({ engine })
    noHolidays(desk.server)
    strategy = await desk.person.call(createStrategy, TEN_STRATEGY as StrategyInput)
    await postTen(desk.server.url, strategy, desk.setClock)
  })
  afterAll(() => desk.server.close())
  const ask = (query: { from?: string; to?: string; before?: string } = {}) =>
    desk.person.call(getStatistics, { id: strategy.id, ...query })

  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('the ten trades give exactly the figures of the page', async () => {
    const figures = await ask()
    expect(figures).toMatchObject({
      basis: 'full',
      from: null,
      to: null,
      chain_seq: 20,
      initial_capital: 500_000,
    })
    expect(figures.summary).toEqual(TEN_SUMMARY)
    expect(figures.long).toMatchObject({ trade_count: 6, net_profit: 15242, profit_factor: 2.1832013662 })
    expect(figures.short).toMatchObject({ trade_count: 4, net_profit: 16774, profit_factor: 6.893886156 })
    expect([figures.day.trade_count, figures.night.trade_count]).toEqual([8, 2])
    expect(figures.curve.map(({ equity }) => equity)).toEqual(TEN_EQUITY)
    expect(figures.monthly).toEqual(TEN_MONTHS)
    expect(figures.yearly).toEqual([{ year: '2026', net: 32016, pct: 0.064032, trades: 10 }])
    expect(figures.trades.map(({ net }) => net)).toEqual([
      13808, -4596, -96, -2846, -8190, 2906, 3406, 20812, 2906, 3906,
    ])
    expect(figures.trades_before).toBe(null)
    const { summary } = await desk.person.call(getStrategy, { id: strategy.id })
    expect(summary).toEqual(figures.summary)
  })

  test('the same from memory and from the records', async () => {
    const warm = await ask()
    desk.server.app.fold_cache.clear()
    expect(await ask()).toEqual(warm)
  })

  test('a period begins with the equity of the day before', async () => {
    const july = await ask({ from: '2026-07-01', to: '2026-07-31' })
    expect(july).toMatchObject({ from: '2026-07-01', to: '2026-07-31', initial_capital: 533_936 })
    expect(july.summary).toMatchObject({
      trade_count: 3,
      net_profit: -11132,
      total_return: -0.0208489407,
      max_drawdown: 11132,
    })
    expect(july.curve.map(({ equity }) => equity)).toEqual([525746, 522900, 522804])
    expect(july.monthly).toEqual([TEN_MONTHS[1]])
    const none = await ask({ from: '2027-01-01' })
    expect(none).toMatchObject({ initial_capital: 532_016, curve: [], monthly: [], trades: [] })
  })

  test('older trades are asked for by the last one seen', async () => {
    const { trades } = await ask()
    const older = await ask({ before: trades[3]?.id as string })
    expect(older.trades).toEqual(trades.slice(4))
    expect(older.summary).toEqual(TEN_SUMMARY)
  })

  test('others do not learn that it exists', async () => {
    const stranger = await signUp(desk.server, '外人')
    await expect(stranger.call(getStatistics, { id: strategy.id })).rejects.toMatchObject({ code: 4040 })
  })

  test('a strategy without a signal has figures, too', async () => {
    const empty = await desk.strategy()
    const figures = await desk.person.call(getStatistics, { id: empty.strategy.id })
    expect(figures).toMatchObject({
      chain_seq: 0,
      curve: [],
      monthly: [],
      yearly: [],
      daily: [],
      distribution: [],
      trades: [],
      trades_before: null,
    })
    expect(figures.summary).toMatchObject({ trade_count: 0, profit_factor_reason: 'no_trades' })
  })
})
