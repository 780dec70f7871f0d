// DATA_DIR/market/limits.json: ETFs without price limits. Devices hear of them; nothing is folded again because of them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { getTables, listSymbols } from '#contract/market.ts'
import { readMarket } from '#server/market/market.ts'
import { openDesk } from '#tests/support/desk.ts'
import { putMarketFile } from '#tests/support/market-file.ts'
import { BUILT_IN, layTables, tables } from '#trading/tables.ts'

afterAll(() => layTables(null))

/** Without them the tables would be others: their codes are those of shares. */
const RECEIPTS = ['9103', '9105', '9110', '9136'].map((code) => [code, '存託憑證-DR', 'twse', 'other'])

// domain §3.2: no limit for ETFs of foreign shares, by the operator's dated list
describe('limits.json', () => {
  let dir = ''
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'lingbo-limits-'))
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  test('rows by their day; the tables and their key stay as they are', () => {
    expect(readMarket(dir).unlimited).toEqual([])
    putMarketFile(dir, 'limits.json', [
      { from: '2026-11-20', unlimited: [] },
      { from: '2026-06-01', unlimited: ['00646', '00633L'] },
    ])
    const read = readMarket(dir)
    expect(read.unlimited).toEqual([
      { from: '2026-06-01', symbols: ['00646', '00633L'] },
      { from: '2026-11-20', symbols: [] },
    ])
    expect(read.tables).toBe(BUILT_IN)
  })

  test.each([
    [
      '[\n{"from": "2026-06-01", "unlimited": ["00646"]},\n{"from": "2026-13-01", "unlimited": []}]',
      /第 2 行：.*起算的日子/,
    ],
    ['[\n{"from": "2026-06-01"}]', /第 2 行：2026-06-01 的 "unlimited" 要是沒有漲跌幅限制的 ETF 代號/],
    ['[\n{"from": "2026-06-01", "unlimited": ["2330"]}]', /第 2 行：2026-06-01 的 "2330" 不是 ETF 的代號/],
    ['[\n{"from": "2026-06-01", "unlimited": [646]}]', /第 2 行：2026-06-01 的 646 不是 ETF 的代號/],
    [
      '[\n{"from": "2026-06-01", "unlimited": []},\n{"from": "2026-06-01", "unlimited": []}]',
      /第 3 行：2026-06-01 寫了兩次/,
    ],
    [
      '[\n{"from": "2026-06-01", "symbols": []}]',
      /第 2 行：一列有不認得的欄位 "symbols"，可以寫的是 from、unlimited/,
    ],
    ['{"from": "2026-06-01"}', /檔案 要是一個 \[ … \]/],
    ['[{"from": }]', /第 1 行：不是正確的 JSON/],
  ])('%s is told with its line and what to do', (text, message) => {
    putMarketFile(dir, 'limits.json', text)
    expect(() => readMarket(dir)).toThrow(message)
    expect(() => readMarket(dir)).toThrow(/limits\.json.*修正後再啟動/)
  })

  test('a device is given them, and the days of listing with the securities; a wrong file changes nothing', async () => {
    const desk = await openDesk({ engine: 'sqlite' })
    const given = async () => (await desk.person.call(getTables, {})).unlimited
    const lay = (name: string, content: unknown) => {
      putMarketFile(desk.server.data_dir, name, content)
      return desk.server.app.market.look()
    }
    try {
      expect(await given()).toEqual([])
      const before = tables()
      await lay('limits.json', [{ from: '2026-11-20', unlimited: ['00646'] }])
      expect(await given()).toEqual([{ from: '2026-11-20', symbols: ['00646'] }])
      await lay('limits.json', '[{"from": "2026-11-20"}]')
      expect(await given()).toEqual([{ from: '2026-11-20', symbols: ['00646'] }])
      const { version } = (await desk.person.call(getTables, {})).symbols
      await lay('symbols.json', {
        symbols: [...RECEIPTS, ['9998', '凌波電子', 'twse', 'stock', '2026-11-19']],
      })
      await lay('limits.json', [{ from: '2026-11-20', unlimited: ['00646'] }])
      expect(await desk.person.call(listSymbols, { search: '凌波' })).toEqual([
        { symbol: '9998', name: '凌波電子', market: 'twse', type: 'stock', listed_on: '2026-11-19' },
      ])
      expect((await desk.person.call(getTables, {})).symbols.version).not.toBe(version)
      expect(tables()).toBe(before)
    } finally {
      await desk.server.close()
    }
  })
})
