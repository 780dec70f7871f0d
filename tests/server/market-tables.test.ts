// Tables laid over those built in while the server runs: figures, forms, messages, records and devices go by them.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getTables, listProducts } from '#contract/market.ts'
import { createStrategy, getStrategy, type Strategy, type StrategyInput } from '#contract/strategy.ts'
import { BUILT_IN, layTables, tables } from '#trading/tables.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { putMarketFile } from '../support/market-file.ts'
import { trade } from '../support/record.ts'
import { noHolidays, postTen, TEN_STRATEGY, TEN_SUMMARY } from '../support/ten-trades.ts'

afterAll(() => layTables(null))

describeEngines('tables in force', (engine) => {
  let desk: Desk
  let strategy: Strategy
  const look = () => desk.server.app.market.look()
  const lay = async (name: string, content: unknown) => {
    putMarketFile(desk.server.data_dir, name, content)
    await look()
  }
  const take = async (name: string) => {
    rmSync(join(desk.server.data_dir, 'market', name), { force: true })
    await look()
  }
  const summary = async () => (await desk.person.call(getStrategy, { id: strategy.id })).summary
  beforeAll(async () => {
    desk = await openDesk({ engine })
    noHolidays(desk.server)
    strategy = await desk.person.call(createStrategy, TEN_STRATEGY as StrategyInput)
    await postTen(desk.server.url, strategy, desk.setClock)
  })
  afterAll(() => desk.server.close())

  test.each(['memory', 'records'])(
    'another point value gives other figures, from %s, and they come back',
    async (from) => {
      const forget = () => from === 'records' && desk.server.app.fold_cache.clear()
      expect(await summary()).toEqual(TEN_SUMMARY)
      await lay('products.json', [{ code: 'MXF', point_value: 100 }])
      forget()
      // Gross doubles, fees stay, the tax of each side doubles before it is rounded.
      const other = await summary()
      expect(other.gross_profit).toBeGreaterThan(1.9 * TEN_SUMMARY.gross_profit)
      expect((await desk.records(strategy)).every(({ trading_date }) => trading_date !== '')).toBe(true)
      await take('products.json')
      forget()
      expect(await summary()).toEqual(TEN_SUMMARY)
    },
  )

  test('a file that became wrong changes nothing; right again, it counts', async () => {
    await lay('products.json', [{ code: 'XIF', point_value: 10 }])
    const before = tables()
    await lay('products.json', '[{"code": "XIF", "point_value": }]')
    expect(tables()).toBe(before)
    await lay('products.json', [{ code: 'XIF', point_value: 200 }])
    expect(tables().products.find(({ code }) => code === 'XIF')?.point_value).toBe(200)
    await take('products.json')
    expect(tables()).toBe(BUILT_IN)
  })

  test('a new product: forms list it, strategies trade it, messages name it, the device is given it', async () => {
    await lay('products.json', [
      {
        code: 'TGF',
        name: '臺幣黃金期貨',
        short_name: '台幣金',
        point_value: 100,
        tick: 0.5,
        default_fee: 40,
        has_night: true,
      },
    ])
    const listed = await desk.person.call(listProducts, {})
    expect(listed.find(({ code }) => code === 'TGF')).toMatchObject({ point_value: 100, default_fee: 40 })
    expect(listed.find(({ code }) => code === 'TGF')?.contract_months).toHaveLength(6)
    const { tables: given } = await desk.person.call(getTables, {})
    expect(given).toEqual(tables())
    const gold = await desk.make({ settings: { product_code: 'TGF' } })
    expect(gold.settings).toMatchObject({ fee_per_side: 40 })
    await trade(desk, gold, [
      { symbol: 'TGFR1', action: 'long_entry', price: 4000 },
      { symbol: 'TGF1!', action: 'long_exit', price: 4010 },
    ])
    const [exit] = await desk.records(gold)
    expect(exit).toMatchObject({ symbol_name: '台幣金', derived: { realised_pnl: 1000 - 2 * 40 - 2 * 8 } })
    await take('products.json')
    // Somebody trades it: the last good tables stay.
    expect(tables().products.some(({ code }) => code === 'TGF')).toBe(true)
    await lay('products.json', [
      { code: 'TGF', name: '臺幣黃金期貨', point_value: 100, tick: 0.5, has_night: true },
    ])
  })
})
