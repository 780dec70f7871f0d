// DATA_DIR/market laid over the built-in tables: what stops a start, what counts while the server runs, what a device is given.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendManualStock } from '#contract/manual.ts'
import { listProducts } from '#contract/market.ts'
import { getTables, listSymbols } from '#contract/market-tables.ts'
import { createStrategy, getStrategy, type Strategy, type StrategyInput } from '#contract/strategy.ts'
import { readMarket } from '#server/market/keep.ts'
import { symbolsText } from '#server/market/symbols-file.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { startServer } from '#tests/support/server.ts'
import { noHolidays, postTen, TEN_STRATEGY, TEN_SUMMARY } from '#tests/support/ten-trades.ts'
import { builtIn, isCommon, type Listing } from '#trading/listings.ts'
import { BUILT_IN } from '#trading/tables/built-in.ts'
import { layTables, tables } from '#trading/tables.ts'

let ticks = 0
function put(data_dir: string, name: string, content: unknown): void {
  mkdirSync(join(data_dir, 'market'), { recursive: true })
  const file = join(data_dir, 'market', name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 1))
  // Two writes may fall into one tick of the disk's clock.
  ticks += 1
  utimesSync(file, new Date(), new Date(Date.now() + ticks * 1000))
}
afterAll(() => layTables(null))

describe('the files', () => {
  let dir = ''
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'lingbo-tables-'))
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  test('without any, and with one that says what is built in, the tables are those built in', () => {
    expect(readMarket(dir).tables).toBe(BUILT_IN)
    put(dir, 'products.json', [{ code: 'MXF', default_fee: 25 }])
    put(dir, 'closed-days.json', [])
    expect(readMarket(dir).tables).toBe(BUILT_IN)
  })

  test('products are changed by their code, or added; what is left out is as built in or as usual', () => {
    put(dir, 'products.json', [
      { code: 'XIF', point_value: 10 },
      {
        code: 'TGF',
        name: '臺幣黃金期貨',
        short_name: '台幣金',
        point_value: 100,
        tick: 0.5,
        has_night: true,
      },
      { code: 'CCF', name: '聯電期貨', point_value: 2000, tick_table: 'stock' },
    ])
    const { products, key } = readMarket(dir).tables
    const find = (code: string) => products.find((one) => one.code === code)
    expect(key).toMatch(/^[0-9a-f]{12}$/)
    expect(products).toHaveLength(BUILT_IN.products.length + 2)
    expect(find('XIF')).toEqual({ ...BUILT_IN.products.find(({ code }) => code === 'XIF'), point_value: 10 })
    expect(find('TGF')).toMatchObject({ taifex_code: 'TGF', tax_rate: 0.00002, default_fee: 50, tick: 0.5 })
    expect(find('TGF')?.sessions).toEqual(BUILT_IN.hours.futures)
    expect(find('CCF')).toMatchObject({ tick: 0.01, tick_table: 'stock', has_night: false })
  })

  test('hours of the market are those of whoever has no own', () => {
    const night = { kind: 'night', from: '15:00', to: '06:00' }
    put(dir, 'sessions.json', { futures: [BUILT_IN.hours.futures[0], night] })
    put(dir, 'products.json', [
      {
        code: 'CDF',
        sessions: [
          { kind: 'day', from: '08:45', to: '13:45' },
          { ...night, from: '17:25' },
        ],
      },
    ])
    const { products, hours } = readMarket(dir).tables
    const of = (code: string) => products.find((one) => one.code === code)
    expect(hours.stock).toBe(BUILT_IN.hours.stock)
    expect(of('TXF')?.sessions.at(-1)).toEqual(night)
    expect(of('XIF')?.sessions).toEqual([BUILT_IN.hours.futures[0]])
    expect(of('CDF')).toMatchObject({ has_night: true })
    expect(of('CDF')?.sessions.at(-1)?.from).toBe('17:25')
  })

  test('tick tables and tax cuts are added by their first day, or take the place of that one', () => {
    const stock = [
      [1000, 1],
      [null, 1],
    ]
    put(dir, 'ticks.json', [{ from: '2027-01-04', stock }])
    put(dir, 'taxes.json', {
      day_trade: [{ from: '2017-04-28', until: '2029-12-31', rate: 0.0015 }],
      bond_etf: [{ from: '2027-01-01', until: '2036-12-31', rate: 0 }],
    })
    const laid = readMarket(dir).tables
    expect(laid.ticks).toEqual([
      ...BUILT_IN.ticks,
      { from: '2027-01-04', stock, etf: BUILT_IN.ticks[0]?.etf },
    ])
    expect(laid.taxes.day_trade).toEqual([{ from: '2017-04-28', until: '2029-12-31', rate: 0.0015 }])
    expect(laid.taxes.bond_etf).toHaveLength(2)
  })

  test.each([
    ['products.json', '[\n{"code": "TGF",\n]', /products\.json 第 3 行：不是正確的 JSON/],
    ['products.json', '{}', /products\.json.*要是一個 \[/],
    ['products.json', '[\n {"code": "tgf"}\n]', /第 1 個商品的 "code" 要是三碼大寫/],
    ['products.json', '[\n {"code": "TXF"},\n {"code": "TXF"}\n]', /products\.json 第 3 行：TXF 寫了兩次/],
    ['products.json', '[\n {"code": "TXF", "point": 200}\n]', /第 2 行：.*不認得的欄位 "point".*point_value/],
    ['products.json', '[\n\n {"code": "TXF", "tick": 0}]', /第 3 行：TXF 的 "tick" 要是大於 0/],
    ['products.json', '[{"code": "TXF", "tick": 0.00001}]', /TXF 的 "tick"/],
    ['products.json', '[{"code": "TXF", "point_value": "200"}]', /TXF 的 "point_value" 要是大於 0 的數字/],
    ['products.json', '[{"code": "TGF", "name": "金"}]', /TGF 的 "point_value" 必填（這是新的商品）/],
    [
      'products.json',
      '[{"code": "TGF", "name": "金", "point_value": 1, "tick": 1, "taifex_code": "TX"}]',
      /TXF 與 TGF 的 "taifex_code" 都是 TX/,
    ],
    ['products.json', '[{"code": "TXF", "sessions": []}]', /"sessions" 要是一個 \[.*至少有日盤/],
    [
      'products.json',
      '[{"code": "TXF", "sessions": [{"kind": "day", "from": "8:45", "to": "13:45"}]}]',
      /"HH:mm"/,
    ],
    [
      'sessions.json',
      '{"stock": [{"kind": "day", "from": "13:00", "to": "09:00"}]}',
      /sessions\.json 第 1 行：.*同一天/,
    ],
    ['sessions.json', '{"futures": [{"kind": "day", "from": "08:45", "to": "13:45"}]}', /"futures" 少了夜盤/],
    ['ticks.json', '[{"from": "2027-02-30", "stock": [[null, 1]]}]', /"from" 要是起算的日子/],
    ['ticks.json', '[{"from": "2027-01-04", "stock": [[10, 1]]}]', /最後一列的價格上限要是 null/],
    [
      'ticks.json',
      '[{"from": "2027-01-04", "stock": [[10, 1], [5, 1], [null, 1]]}]',
      /第 2 列的價格上限要比前一列大/,
    ],
    [
      'taxes.json',
      '{"day_trade": [{"from": "2027-01-01", "until": "2029-12-31", "rate": 0.0015}]}',
      /與前一列重疊/,
    ],
    [
      'taxes.json',
      '{"day_trade": [{"from": "2028-01-01", "until": "2029-12-31", "rate": 0.15}]}',
      /"rate" 要是 0–0\.01/,
    ],
    [
      'symbols.json',
      '{"symbols": [\n["2330","台積電","twse","stock"],\n["2317","鴻海","twse","share"]\n]}',
      /symbols\.json 第 3 行：.*（2317）的種類要是 stock/,
    ],
    [
      'symbols.json',
      '{"symbols": [["2330","台積電","twse","stock"],["2330","台積電","twse","stock"]]}',
      /寫了兩次/,
    ],
  ])('%s %s: file, line and what to do', (name, text, message) => {
    put(dir, name, text)
    expect(() => readMarket(dir)).toThrow(message)
    expect(() => readMarket(dir)).toThrow(/修正後再啟動，或先把這個檔案移走/)
  })

  test.each([
    ['products.json', '[{"code": "TXF", "tick": -1}]', /products\.json 第 1 行/],
    ['closed-days.json', '["2026-02-30"]', /closed-days\.json.*沒有 2026-02-30 這一天/],
  ])('a server does not start on a wrong %s', async (name, text, message) => {
    put(dir, name, text)
    await expect(startServer({ data_dir: dir })).rejects.toThrow(message)
    rmSync(join(dir, 'market'), { recursive: true })
    await (await startServer({ data_dir: dir })).close()
  })

  test('nor without a product that a strategy trades', async () => {
    put(dir, 'products.json', [{ code: 'TGF', name: '黃金', point_value: 100, tick: 0.5, has_night: true }])
    const desk = await openDesk({ data_dir: dir })
    await desk.make({ settings: { product_code: 'TGF' } })
    await desk.server.close()
    put(dir, 'products.json', [])
    await expect(startServer({ data_dir: dir })).rejects.toThrow(/有策略在交易 TGF，但沒有這個商品.*寫回檔案/)
  })
})

describeEngines('tables in force', (engine) => {
  let desk: Desk
  let strategy: Strategy
  const look = () => desk.server.app.market.look()
  const lay = async (name: string, content: unknown) => {
    put(desk.server.data_dir, name, content)
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
      const forget = () => from === 'records' && desk.server.app.intake.ledger.clear()
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
    await desk.hook(gold, { symbol: 'TGFR1', action: 'long_entry', quantity: 1, price: 4000 })
    await desk.hook(gold, { symbol: 'TGF1!', action: 'long_exit', quantity: 1, price: 4010 })
    const [exit] = await desk.records(gold)
    expect(exit).toMatchObject({ symbol_name: '台幣金', derived: { realised_pnl: 1000 - 2 * 40 - 2 * 8 } })
    await take('products.json')
    // Somebody trades it: the last good tables stay.
    expect(tables().products.some(({ code }) => code === 'TGF')).toBe(true)
    await lay('products.json', [
      { code: 'TGF', name: '臺幣黃金期貨', point_value: 100, tick: 0.5, has_night: true },
    ])
  })

  test('securities: names on records, kinds for taxes, the search of code and name', async () => {
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
