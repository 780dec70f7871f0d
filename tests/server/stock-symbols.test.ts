// The securities a server knows: their names on records, their kinds for taxes, the search by code and name.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getTables, listSymbols } from '#contract/market.ts'
import { sendManualStock } from '#contract/signal.ts'
import { createStrategy, type StrategyInput } from '#contract/strategy.ts'
import { symbolsText } from '#server/market/symbols-file.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { putMarketFile } from '#tests/support/market-file.ts'
import { builtIn, isCommon, type Listing } from '#trading/listings.ts'
import { BUILT_IN, layTables } from '#trading/tables.ts'

afterAll(() => layTables(null))

describeEngines('securities', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())
  const lay = async (name: string, content: unknown) => {
    putMarketFile(desk.server.data_dir, name, content)
    await desk.server.app.market.look()
  }
  const take = async (name: string) => {
    rmSync(join(desk.server.data_dir, 'market', name), { force: true })
    await desk.server.app.market.look()
  }

  test('names on records, kinds for taxes, the search of code and name', async () => {
    const more: Listing[] = [
      { symbol: '00999', name: '甲乙債券', market: 'tpex', type: 'bond_etf' },
      { symbol: '030123', name: '台積電元大57購01', market: 'twse', type: 'other' },
      { symbol: '7999', name: '新掛牌', market: 'emerging', type: 'stock' },
    ]
    const before = await desk.person.call(getTables, {})
    expect(before.symbols).toEqual({ version: '', count: builtIn().all.length, listed_on: '2026-03-26' })
    const parts = { 'twse warrant': { listed_on: '2026-11-20', source: 'C_public.csv' } }
    await lay('symbols.json', symbolsText([...builtIn().all, ...more], parts))
    const { tables: given, symbols } = await desk.person.call(getTables, {})
    expect(given.types).toEqual({ ...BUILT_IN.types, '00999': 'bond_etf' })
    expect(symbols).toMatchObject({ count: builtIn().all.length + 3, listed_on: '2026-11-20' })
    expect(symbols.version).not.toBe('')

    const search = async (text: string, limit = 8) =>
      (await desk.person.call(listSymbols, { search: text, limit })).map(({ symbol }) => symbol)
    expect((await search('2330'))[0]).toBe('2330')
    expect((await search('臺積電'))[0]).toBe('2330')
    expect(await search('030123')).toEqual(['030123'])
    expect(await search('沒有這一檔')).toEqual([])
    expect(await search('台', 3)).toHaveLength(3)
    const all = await desk.person.call(listSymbols, { limit: 5000 })
    expect(all).toHaveLength(desk.server.app.market.symbols().directory.all.filter(isCommon).length)
    expect(all.find(({ symbol }) => symbol === '7999')).toEqual(more[2])

    const stock = await desk.person.call(createStrategy, {
      kind: 'stock',
      name: '債券',
      settings: { symbols: [], commission_discount: 1, min_fee: 0 },
    } as unknown as StrategyInput)
    const at = (s: number) => new Date(desk.server.app.now() - s * 1000).toISOString()
    const send = (n: number, action: 'buy' | 'sell', price: number) =>
      desk.person.call(sendManualStock, {
        strategy_id: stock.id,
        id: `0197a000-0000-7000-8000-00000000000${n}`,
        symbol: '00999',
        action,
        price,
        quantity: 1,
        occurred_at: at(10 - n),
      })
    await send(1, 'buy', 40)
    const sold = await send(2, 'sell', 41)
    expect(sold).toMatchObject({ symbol_name: '甲乙債券', derived: { tax: 0 } })
    await take('symbols.json')
  })
})
