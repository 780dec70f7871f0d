// npm run import:symbols: the exchanges' lists as they are published, in both encodings; what is wrong is named, and then nothing changes.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ImportWish, importSymbols } from '#server/market/import.ts'
import {
  csvRows,
  decodeList,
  oddTypes,
  readMarketFile,
  shippedSymbols,
  symbolsOf,
} from '#server/market/symbols-file.ts'
import { builtIn, type Listing } from '#trading/listings.ts'
import { big5 } from '../support/big5.ts'

/** 本國上市證券國際證券辨識號碼一覽表, saved as CSV. */
const ISIN = `本國上市證券國際證券辨識號碼一覽表,,,,,,
最近更新日期:2026/11/20,,,,,,
有價證券代號及名稱,國際證券辨識號碼(ISIN Code),上市日,市場別,產業別,CFICode,備註
股票,,,,,,
1101　台泥,TW0001101004,1962/02/09,上市,水泥工業,ESVUFR,
2330　台積電,TW0002330008,1994/09/05,上市,半導體業,ESVUFR,
2881A　富邦特,TW0002881A00,2016/05/31,上市,金融保險業,EPNRAR,
9105　泰金寶-DR,US87301Y1091,2003/09/22,上市,,EDSDDR,
上市認購(售)權證,,,,,,
030123　台積電元大57購01,TW26Z0301235,2026/06/22,上市,,RWSCCE,
03012P　台積電元大57售01,TW26Z03012P4,2026/06/22,上市,,RWSCPE,
ETF,,,,,,
0050　元大台灣50,TW0000050004,2003/06/30,上市,,CEOGEU,
00865B　國泰US短期公債,TW00000865B8,2020/04/09,上市,,CEOIBU,
00631L　元大台灣50正2,TW00000631L6,2014/10/31,上市,,CEOGDU,
受益證券-不動產投資信託,,,,,,
01001T　土銀富邦R1,TW00001001T8,2005/03/10,上市,,CBCIXU,
黃金現貨,,,,,,
AU9901　臺銀金,TWAU99010003,2019/01/01,上市,,TTXXXX,
`

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lingbo-symbols-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

function put(name: string, content: string | Uint8Array): string {
  const file = join(dir, name)
  writeFileSync(file, content)
  return file
}
const bring = (files: string[], more: Partial<ImportWish> = {}) =>
  importSymbols({ data_dir: dir, files, force: true, ...more })
const stored = () => symbolsOf(readMarketFile(join(dir, 'market', 'symbols.json')))
const known = (symbol: string): Listing | undefined => stored().directory.find(symbol)

describe('a list that is right', () => {
  test.each([
    ['utf-8', (text: string) => text],
    ['utf-8', (text: string) => `\uFEFF${text}`],
    ['big5', big5],
    ['utf-8', (text: string) => text.replaceAll(',', '\t').replaceAll('\n', '\r\n')],
    ['utf-8', (text: string) => text.replace(/[^,\n]+/g, (cell) => (cell ? `"${cell}"` : cell))],
  ] as const)('is read, %s (%#)', (encoding, as) => {
    const { files, parts, total } = bring([put('C_public.csv', as(ISIN))])
    expect(files).toEqual([{ file: 'C_public.csv', encoding, rows: 19, left_out: 1 }])
    expect(known('2330')).toEqual({
      symbol: '2330',
      name: '台積電',
      market: 'twse',
      type: 'stock',
      listed_on: '1994-09-05',
    })
    expect(known('03012P')).toMatchObject({ name: '台積電元大57售01', type: 'other' })
    expect(known('00865B')?.type).toBe('bond_etf')
    expect(known('00631L')?.type).toBe('etf')
    expect(known('2881A')?.type).toBe('stock')
    expect(known('AU9901')).toBeUndefined()
    // What the list holds apart is replaced apart: the funds of the other market are still those built in.
    expect(stored().directory.all.filter(({ market }) => market === 'tpex')).toEqual(
      builtIn().all.filter(({ market }) => market === 'tpex'),
    )
    expect(parts.map(({ part }) => part).sort()).toEqual(
      ['twse bond_etf', 'twse etf', 'twse receipt', 'twse reit', 'twse stock', 'twse warrant'].sort(),
    )
    expect(new Set(parts.map(({ listed_on }) => listed_on))).toEqual(new Set(['2026-11-20']))
    expect(total).toBe(stored().directory.all.length)
  })

  // domain §7.3: taxType auto by code; another kind is corrected once, in the list
  test('taxType per symbol: what the form of the code does not say stands in the tables', () => {
    bring([put('上市.csv', `${ISIN}00999　新債券ETF,TW00000999B4,2026/01/17,上市,,CEOIBU,\n`)])
    expect(oddTypes(stored().directory)).toEqual({ '9105': 'other', '00999': 'bond_etf' })
  })

  test('says what was read, new, changed and dropped; the same list again changes nothing', () => {
    const first = bring([put('1.csv', ISIN)])
    const stock = first.parts.find(({ part }) => part === 'twse stock')
    expect(stock?.read).toBe(3)
    expect(stock?.dropped.length).toBeGreaterThan(900)
    const again = bring([put('1.csv', ISIN)])
    expect(again.parts.map(({ added, changed, dropped }) => [added, changed, dropped].flat())).toEqual(
      again.parts.map(() => []),
    )
    const later = ISIN.replace('台泥', '臺泥').replace(/^1101A?.*$/m, (row) => row)
    const next = bring([
      put('2.csv', later.replace('2881A　富邦特,', '2883　凱基金,').replace('2026/11/20', '2026/11/21')),
    ])
    const changed = next.parts.find(({ part }) => part === 'twse stock')
    expect(changed?.added.map(({ symbol }) => symbol)).toEqual(['2883'])
    expect(changed?.changed).toEqual([
      {
        before: { symbol: '1101', name: '台泥', market: 'twse', type: 'stock', listed_on: '1962-02-09' },
        now: { symbol: '1101', name: '臺泥', market: 'twse', type: 'stock', listed_on: '1962-02-09' },
      },
    ])
    expect(changed?.dropped.map(({ symbol }) => symbol)).toEqual(['2881A'])
    expect(stored().parts['twse stock']).toEqual({ listed_on: '2026-11-21', source: '2.csv' })
  })

  test('company lists and daily quotes: columns by their names, the market by the name of the file', () => {
    const companies = put(
      't187ap03_O.csv',
      '"出表日期","公司代號","公司名稱","公司簡稱"\n"1151120","6488","環球晶圓股份有限公司","環球晶"\n"1151120","8299","群聯電子股份有限公司","群聯"\n',
    )
    const quotes = put(
      'STOCK_DAY_ALL_20261120.csv',
      '日期:115/11/20\n證券代號,證券名稱,成交股數\n="0050",元大台灣50,"12,345,678"\n="00878",國泰永續高股息,"1"\n',
    )
    const { parts } = bring([companies, quotes])
    expect(parts.map(({ part, listed_on, read }) => [part, listed_on, read])).toEqual([
      ['twse etf', '2026-11-20', 2],
      ['tpex stock', '2026-11-20', 2],
    ])
    expect(known('6488')).toMatchObject({ name: '環球晶', market: 'tpex' })
    expect(known('0050')?.market).toBe('twse')
  })
})

/** The layouts of both exchanges, and what becomes of a list on its way through a browser or a spreadsheet. */
describe('as it is really met', () => {
  const PLAIN = '證券代號,證券名稱\n0050,元大台灣50\n2330,台積電\n'
  const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
  const PAGE = `<body><table align=center><h2>本國上市證券國際證券辨識號碼一覽表</h2><center>最近更新日期:2026/11/20</center>
<TABLE class='h4'><tr align=center><td bgcolor=#D5FFD5>有價證券代號及名稱 </td><td>國際證券辨識號碼(ISIN Code)</td><td>上市日</td><td>市場別</td><td>產業別</td><td>CFICode</td><td>備註</td></tr>
<tr><td colspan=7 ><B> 股票 <B> </td></tr><tr><td>2330　台積電</td><td>TW0002330008</td><td>1994/09/05</td><td>上市</td><td>半導體業</td><td>ESVUFR</td><td></td></tr>
<tr><td colspan=7 ><B> ETF <B> </td></tr>
<tr><td>0050　元大台灣50</td><td>TW0000050004</td><td>2003/06/30</td><td>上市</td><td>&nbsp;</td><td>CEOGEU</td><td></td></tr></table><font>掛牌日以正式公告為準</font></body>`
  const TWSE = `="115年11月20日 價格指數(臺灣證券交易所)"\r\n"指數","收盤指數",\r\n"寶島股價指數","30,000.00",\r\n\r\n="115年11月20日 每日收盤行情(全部)"\r\n"證券代號","證券名稱","成交股數",\r\n="0050","元大台灣50","1,000",\r\n"2330","台積電","2,000",\r\n"備註:"\r\n"說明","一列,兩格"\r\n`
  test.each([
    ['lines that end in CR alone', '上市.csv', PLAIN.replaceAll('\n', '\r')],
    ['semicolons', '上市.csv', PLAIN.replaceAll(',', ';')],
    ['a spreadsheet’s Unicode text', '上市.txt', utf16(PLAIN.replaceAll(',', '\t'))],
    ['codes held as text by an apostrophe', '上市.csv', PLAIN.replace('2330', "'2330")],
    ['full-width digits, the same row twice', '上市.csv', `${PLAIN}２３３０,台積電　\n`],
    ['the ISIN page itself, saved as Big5', 'C_public.htm', big5(PAGE)],
    ['daily quotes of the TWSE with their notes', 'MI_INDEX_ALL_20261120.csv', big5(TWSE)],
  ])('%s', (_what, name, content) => {
    bring([put(name, content)])
    expect(known('2330')).toMatchObject({ symbol: '2330', name: '台積電', market: 'twse', type: 'stock' })
    expect(known('0050')).toMatchObject({ symbol: '0050', name: '元大台灣50', market: 'twse', type: 'etf' })
  })

  // domain §3.1: the lists of both exchanges as they are met: pages, quotes, encodings, spreadsheets
  test('daily quotes of the TPEx: their market and day stand over the columns', () => {
    const text =
      '上櫃股票每日收盤行情(不含定價)\n資料日期:115/11/20\n"代號","名稱","收盤 "\n"006201","元大富櫃50","25.10"\n"6488","環球晶","1,410.0"\n管理股票\n"1785","光洋科","50"\n共 3 筆\n'
    const { parts } = bring([put('quotes.csv', text)])
    expect(parts.map(({ part, listed_on, read }) => [part, listed_on, read])).toEqual([
      ['tpex stock', '2026-11-20', 2],
      ['tpex etf', '2026-11-20', 1],
    ])
  })

  // domain §3.1: the lists of both exchanges as they are met: pages, quotes, encodings, spreadsheets
  test('a broken row of a page is named by the line of the file', () => {
    const page = PAGE.replace('0050　元大台灣50', '0050　')
    expect(() => bring([put('C_public.htm', page)])).toThrow(/C_public\.htm 第 5 行：0050 沒有名稱/)
  })
})

describe('a list that is wrong', () => {
  const rows = ISIN.split('\n')
  const broken = (at: number, row: string) => rows.with(at, row).join('\n')
  test.each([
    ['no name', broken(5, '2330,TW0002330008,1994/09/05,上市,半導體業,ESVUFR,'), /第 6 行.*2330 沒有名稱/],
    ['no code', broken(5, '　,TW0002330008,1994/09/05,上市,半導體業,ESVUFR,'), /第 6 行.*沒有代號/],
    [
      'no code but words',
      broken(5, '台積電　2330,TW,1994/09/05,上市,,ESVUFR,'),
      /第 6 行.*「台積電」不是代號/,
    ],
    [
      'two names',
      broken(6, '2330　台積店,TW0002330008,1994/09/05,上市,,ESVUFR,'),
      /第 7 行.*第 6 行是「台積電」/,
    ],
    ['an open quote', `${ISIN}"2412　中華電,TW,1994/09/05,上市,,ESVUFR,\n`, /第 20 行.*引號沒有結尾/],
    ['no columns', '2330,台積電\n', /第 1 行.*找不到欄名/],
    ['nothing', '', /第 1 行.*找不到欄名/],
    ['a page without a list', '<html><table><tr><td>2330', /第 1 行.*找不到欄名/],
    ['a spreadsheet', 'PK\u0003\u0004', /是試算表檔，不是 CSV/],
    ['JSON', '[{"Code":"2330","Name":"台積電"}]', /是 JSON，不是 CSV/],
    [
      'codes without their zeros',
      '證券代號,證券名稱\n50,元大台灣50\n',
      /第 2 行：「50」不是代號（試算表把前面的 0/,
    ],
    [
      'a name of signs that only one machine has',
      '證券代號,證券名稱\n5530,\uE000\uE001\n',
      /第 2 行：5530 沒有名稱/,
    ],
    ['no market', '證券代號,證券名稱\n2330,台積電\n', /第 2 行.*沒有市場別/],
    [
      'no day',
      broken(5, '2330　台積電,TW,1994/13/05,上市,,ESVUFR,'),
      /第 6 行：2330 的掛牌日「1994\/13\/05」不是日子/,
    ],
  ])('%s: named with file and line, nothing is imported', (_what, text, message) => {
    const before = bring([put('good.csv', ISIN)])
    const was = readFileSync(before.path, 'utf8')
    expect(() => bring([put('good.csv', ISIN), put('list.csv', text)])).toThrow(message)
    expect(() => bring([put('list.csv', text)])).toThrow(/list\.csv/)
    expect(readFileSync(before.path, 'utf8')).toBe(was)
    expect(readdirSync(join(dir, 'market'))).toEqual(['symbols.json'])
  })

  test('bytes that are neither Big5 nor UTF-8 are named by their line', () => {
    const bytes = Buffer.concat([big5(ISIN), Buffer.from([0xa4, 0xff, 0x0a])])
    expect(() => bring([put('list.csv', bytes)])).toThrow(/list\.csv 第 20 行：不是 UTF-8 也不是 Big5/)
    expect(existsSync(join(dir, 'market'))).toBe(false)
  })

  test('one that lost more than a fifth of a part is refused unless that is said', () => {
    expect(() => bring([put('list.csv', ISIN)], { force: false })).toThrow(/會少掉 \d+ 檔.*--force/s)
    expect(existsSync(join(dir, 'market'))).toBe(false)
    bring([put('list.csv', ISIN)])
    expect(known('2330')).toBeDefined()
  })

  test('a kept list that somebody broke is named before anything is written', () => {
    mkdirSync(join(dir, 'market'))
    writeFileSync(
      join(dir, 'market', 'symbols.json'),
      '{"symbols": [\n["2330", "台積電", "nyse", "stock"]\n]}',
    )
    expect(() => bring([put('list.csv', ISIN)])).toThrow(/symbols\.json 第 2 行.*市場要是 twse/)
  })
})

test('cells: quoted commas, quotes and line ends, each row with the line it begins on', () => {
  const { rows, unclosed } = csvRows('a,"b, ""c""",d\r\n"x\ny",z\n\n="0050",1\n')
  expect(unclosed).toBeNull()
  expect(rows).toEqual([
    { line: 1, cells: ['a', 'b, "c"', 'd'] },
    { line: 2, cells: ['x\ny', 'z'] },
    { line: 5, cells: ['0050', '1'] },
  ])
})

test('Big5 is decoded with the characters the exchanges use', () => {
  expect(decodeList(big5('碁裕鈊躍精密')).text).toBe('碁裕鈊躍精密')
})

test('with no file there is what is built in, with its day', () => {
  const { directory, parts } = symbolsOf(readMarketFile(join(dir, 'none')))
  expect(directory).toBe(shippedSymbols().directory)
  expect(parts['twse stock']?.listed_on).toBe('2026-03-26')
})

test('the command: what it says, and how it ends', () => {
  const file = put('list.csv', big5(ISIN))
  const run = (...args: string[]) => {
    try {
      const env = { ...process.env, DATA_DIR: dir }
      const out = execFileSync(process.execPath, ['server/cli/import-symbols.ts', ...args], {
        env,
        stdio: 'pipe',
      })
      return { code: 0, said: String(out) }
    } catch (error) {
      const { status, stderr } = error as { status: number; stderr: Buffer }
      return { code: status, said: String(stderr) }
    }
  }
  expect(run(file, '--date=2026-02-30')).toMatchObject({ code: 1, said: expect.stringContaining('用法') })
  expect(run()).toMatchObject({ code: 1, said: expect.stringContaining('用法：npm run import:symbols') })
  expect(run(file)).toMatchObject({ code: 1, said: expect.stringContaining('--force') })
  const { code, said } = run(file, '--force')
  expect(code).toBe(0)
  expect(said).toContain('讀入 list.csv：19 列（Big5），其中 1 列是這裡不收的種類')
  expect(said).toMatch(/上市股票（2026-11-20，list\.csv）：3 檔，新增 0、變更 0、移除 \d+/)
  expect(said).toMatch(/上市權證（2026-11-20，list\.csv）：2 檔，新增 2/)
  expect(run(join(dir, 'gone.csv'))).toMatchObject({ code: 1, said: expect.stringContaining('讀不到') })
})
