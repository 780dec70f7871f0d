// DATA_DIR/market: what its files say of the tables, how a wrong one is told, and that no server starts on it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readMarket } from '#server/market/market.ts'
import { openDesk } from '#tests/support/desk.ts'
import { putMarketFile } from '#tests/support/market-file.ts'
import { startServer } from '#tests/support/server.ts'
import { BUILT_IN, layTables } from '#trading/tables.ts'

afterAll(() => layTables(null))

describe('the files', () => {
  let dir = ''
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'lingbo-tables-'))
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  test('without any, and with one that says what is built in, the tables are those built in', () => {
    expect(readMarket(dir).tables).toBe(BUILT_IN)
    putMarketFile(dir, 'products.json', [{ code: 'MXF', default_fee: 25 }])
    putMarketFile(dir, 'closed-days.json', [])
    expect(readMarket(dir).tables).toBe(BUILT_IN)
  })

  test('products are changed by their code, or added; what is left out is as built in or as usual', () => {
    putMarketFile(dir, 'products.json', [
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
    putMarketFile(dir, 'sessions.json', { futures: [BUILT_IN.hours.futures[0], night] })
    putMarketFile(dir, 'products.json', [
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
    putMarketFile(dir, 'ticks.json', [{ from: '2027-01-04', stock }])
    putMarketFile(dir, 'taxes.json', {
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
    putMarketFile(dir, name, text)
    expect(() => readMarket(dir)).toThrow(message)
    expect(() => readMarket(dir)).toThrow(/修正後再啟動，或先把這個檔案移走/)
  })

  test.each([
    ['products.json', '[{"code": "TXF", "tick": -1}]', /products\.json 第 1 行/],
    ['closed-days.json', '["2026-02-30"]', /closed-days\.json.*沒有 2026-02-30 這一天/],
  ])('a server does not start on a wrong %s', async (name, text, message) => {
    putMarketFile(dir, name, text)
    await expect(startServer({ data_dir: dir })).rejects.toThrow(message)
    rmSync(join(dir, 'market'), { recursive: true })
    await (await startServer({ data_dir: dir })).close()
  })

  test('nor without a product that a strategy trades', async () => {
    putMarketFile(dir, 'products.json', [
      { code: 'TGF', name: '黃金', point_value: 100, tick: 0.5, has_night: true },
    ])
    const desk = await openDesk({ data_dir: dir })
    await desk.make({ settings: { product_code: 'TGF' } })
    await desk.server.close()
    putMarketFile(dir, 'products.json', [])
    await expect(startServer({ data_dir: dir })).rejects.toThrow(/有策略在交易 TGF，但沒有這個商品.*寫回檔案/)
  })
})
