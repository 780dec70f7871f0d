// The figures of each stock over HTTP on both databases: what a device works out of the same records, in any order, and for whom.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputOf } from '#contract/endpoint.ts'
import { voidSignal } from '#contract/signal.ts'
import { getStatistics, getStockStatistics, STOCK_SORTS } from '#contract/statistics.ts'
import { createStrategy, getStrategy, type Strategy, type StrategyInput } from '#contract/strategy.ts'
import { closedDays } from '#server/record/calendar.ts'
import { fold } from '#trading/fold.ts'
import { type StockSort, stockStatistics } from '#trading/stock-statistics.ts'
import { termsOf } from '#trading/terms.ts'
import { type Desk, hookPath, openDesk } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { giveStrategy, insertGroup, insertMember, insertOrganization } from '../support/organizations.ts'
import { send } from '../support/people.ts'
import { noHolidays } from '../support/ten-trades.ts'

/** Symbol, action, shares, price, Taipei time: S5 and S1 of domain §5.5, an odd lot that stays open, a price that is missing. */
const ORDERS = [
  ['2884', 'buy', 2000, 28.35, '2026-11-12 10:00'],
  ['2884', 'sell', 1000, 29, '2026-11-13 10:00'],
  ['2884', 'sell', 1000, 28.1, '2026-11-16 10:00'],
  ['2330', 'buy', 1000, 1000, '2026-11-17 09:30'],
  ['2330', 'sell', 1000, 1050, '2026-11-17 13:00'],
  ['2330', 'buy', 37, 1085, '2026-11-18 09:30'],
  ['0050', 'buy', 1000, null, '2026-11-19 11:00'],
] as const

describeEngines('stock statistics', (engine) => {
  let desk: Desk
  let strategy: Strategy
  beforeAll(async () => {
    desk = await openDesk({ engine })
    noHolidays(desk.server)
    strategy = await desk.person.call(createStrategy, {
      kind: 'stock',
      name: '一籃子',
      max_position: 100_000,
      settings: { symbols: [], unit: 'share', allow_day_trade: true },
    } as StrategyInput)
    await post(strategy, ORDERS)
  })
  afterAll(() => desk.server.close())

  async function post(of: Strategy, orders: readonly (typeof ORDERS)[number][]) {
    for (const [symbol, action, quantity, price, at] of orders) {
      const ms = Date.parse(`${at.replace(' ', 'T')}:00+08:00`)
      desk.setClock(ms)
      const body = {
        symbol,
        action,
        quantity,
        ...(price !== null && { price }),
        time: new Date(ms).toISOString(),
      }
      const answer = await desk.server.request(hookPath(of), { method: 'POST', body: JSON.stringify(body) })
      expect(answer.status, await answer.text()).toBeLessThan(300)
    }
    desk.setClock(null)
  }
  const ask = (query: Omit<InputOf<typeof getStockStatistics>, 'id'> = {}) =>
    desk.person.call(getStockStatistics, { id: strategy.id, ...query })

  // spec §3: Other entity kinds known by name only, with fields not shown: Identity, JoinOrganizationList,…
  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('a row per stock, their sum, and the same as the strategy says of itself', async () => {
    const found = await ask({ sort: 'symbol' })
    expect(found.rows.map(({ symbol, name }) => [symbol, name])).toEqual([
      ['0050', '元大台灣50'],
      ['2330', '台積電'],
      ['2884', '玉山金'],
    ])
    expect(found).toMatchObject({ basis: 'full', from: null, to: null, chain_seq: 7 })
    expect(found.rows[1]).toMatchObject({
      trade_count: 1,
      day_trade_count: 1,
      open_shares: 37,
      last_price: 1085,
    })
    expect(found.rows[0]).toMatchObject({ open_shares: 1000, avg_cost: null, unrealised_pnl: null })
    const sum = (of: (row: (typeof found.rows)[number]) => number) =>
      found.rows.reduce((all, row) => all + Math.round(of(row) * 10_000), 0) / 10_000
    const { summary } = await desk.person.call(getStatistics, { id: strategy.id })
    expect(found.total.net_pnl).toBe(summary.net_profit)
    expect(sum((row) => row.net_pnl)).toBe(summary.net_profit)
    expect([found.total.trade_count, found.total.win_rate]).toEqual([summary.trade_count, summary.win_rate])
    const { signal_count } = await desk.person.call(getStrategy, { id: strategy.id })
    expect(found.total.signal_count).toBe(signal_count)
  })

  test('what a device folds of the same records', async () => {
    const facts = (await desk.records(strategy)).map(({ derived: _derived, ...one }) => one)
    const known = await desk.person.call(getStrategy, { id: strategy.id })
    const closed_days = closedDays(desk.server.app)
    const folded = fold(facts, termsOf(known, closed_days))
    for (const query of [{}, { from: '2026-11-13', to: '2026-11-13' }, { symbol: '2330' }]) {
      const { rows, total } = stockStatistics(facts, folded, { ...query, closed_days })
      expect(await ask({ ...query, sort: 'symbol' })).toMatchObject({ rows, total })
    }
  })

  test('put in order by what is asked; without a figure at the end', async () => {
    const by = async (sort: StockSort) => (await ask({ sort })).rows.map(({ symbol }) => symbol)
    expect(await by('net_pnl')).toEqual(['2330', '2884', '0050'])
    expect(await by('signal_count')).toEqual(['2330', '2884', '0050'])
    expect(await by('last_signal_at')).toEqual(['0050', '2330', '2884'])
    // no price since the entry, so nobody knows
    expect(await by('unrealised_pnl')).toEqual(['2884', '0050', '2330'])
    expect((await by('win_rate')).at(-1)).toBe('0050')
    for (const sort of STOCK_SORTS) expect(await by(sort)).toHaveLength(3)
  })

  test('a voided signal counts no more', async () => {
    const own = await desk.person.call(createStrategy, {
      kind: 'stock',
      name: '作廢',
      max_position: 100_000,
      settings: { symbols: [], unit: 'share' },
    } as StrategyInput)
    await post(own, ORDERS.slice(3, 6))
    const [last] = await desk.records(own)
    await desk.person.call(voidSignal, { id: last?.id as string, reason: '誤發' })
    const { rows } = await desk.person.call(getStockStatistics, { id: own.id })
    expect(rows).toMatchObject([{ symbol: '2330', signal_count: 2, open_shares: 0, last_price: 1050 }])
  })

  test('a strategy of futures says where its figures are', async () => {
    const futures = await desk.make()
    const answer = await send(
      desk.server,
      getStockStatistics,
      { id: futures.id },
      {
        authorization: `Bearer ${desk.person.token}`,
      },
    )
    expect(await answer.json()).toMatchObject({
      error: { code: 4220, text: '這是期貨策略，沒有個股統計；請看總覽的統計' },
    })
  })

  test('a member sees the stocks since its first day, and their sum is of these', async () => {
    const { app } = desk.server
    const organization = await insertOrganization(app.db, '海風投顧')
    await insertMember(app.db, organization, desk.person.uid, { role: 'admin' })
    await insertMember(app.db, organization, desk.stranger.uid)
    const headers = { 'lb-org-id': organization }
    const theirs = await desk.person.call(
      createStrategy,
      {
        kind: 'stock',
        name: '社團',
        max_position: 100_000,
        settings: { symbols: [], unit: 'share' },
      } as StrategyInput,
      headers,
    )
    await post(theirs, ORDERS)
    const group = {
      id: await insertGroup(app.db, organization, '一班', desk.stranger.uid),
      organization_id: organization,
    }
    await giveStrategy(app, group, [desk.stranger.uid, theirs.id], { starts_on: '2026-11-17', ends_on: null })
    const seen = await desk.stranger.call(getStockStatistics, { id: theirs.id, sort: 'symbol' }, headers)
    expect(seen.basis).toBe('visible')
    expect(seen.rows.map(({ symbol }) => symbol)).toEqual(['0050', '2330'])
    expect(seen.total.trade_count).toBe(1)
  })
})
