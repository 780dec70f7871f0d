// Files of XQ (domain §8.3): every layout, both encodings with the signs that only Windows writes, and what is no whole file.
import { expect, test } from 'vitest'
import { big5 } from '#tests/support/big5.ts'
import { type ReadFile, readFileInSlices } from '#trading/original/rows.ts'
import type { AskedEncoding, ColumnMapping } from '#trading/original/shape.ts'
import type { PayloadStrategy } from '#trading/reader/shape.ts'

const STRATEGY: PayloadStrategy = {
  ...{ kind: 'xq-stock', product_code: null, contract_rule: null, contract_month: null, symbols: [] },
  ...{ unit: 'board_lot', direction: 'long', quantity_mode: 'signal', default_quantity: 1, max_position: 10 },
  ...{ on_symbol_mismatch: 'reject', late_after_s: 120, default_action: 'entry' },
}
interface More {
  name?: string
  encoding?: AskedEncoding
  mapping?: ColumnMapping
  strategy?: Partial<PayloadStrategy>
}
function read(
  file: string | Uint8Array,
  { name = 'a.csv', encoding = 'auto', mapping = {}, strategy = {} }: More = {},
): ReadFile {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file
  const reading = readFileInSlices({
    ...{ bytes, file_name: name, encoding, mapping, now: '2026-11-28T03:00:00.000Z' },
    strategy: { ...STRATEGY, ...strategy },
  })
  for (let step = reading.next(); ; step = reading.next()) if (step.done) return step.value
}
const said = (file: ReadFile) =>
  file.rows.map(({ signal, error }) =>
    signal === null
      ? error
      : [signal.symbol, signal.action, signal.quantity, signal.price, signal.occurred_at.slice(0, 19)].join(
          ' ',
        ),
  )
const ENTRY = '2330 long_entry 1000 1085 2026-11-20T01:30:00'

test.each<[string, string, More, (string | null)[]]>([
  [
    'a table with commas, a price with its own',
    '代碼,商品,動作,價格,張數,日期,時間\n2330.TW,台積電,買進,"1,085",2,2026/11/20,09:30:00\n="0050",元大台灣50,賣出,180.5,1,20261120,93000\n２３３０,台積電,買進,1085,1,2026/11/20,上午 09:30:00\n',
    {},
    [
      '2330 buy 2000 1085 2026-11-20T01:30:00',
      '0050 sell 1000 180.5 2026-11-20T01:30:00',
      '2330 buy 1000 1085 2026-11-20T01:30:00',
    ],
  ],
  [
    'tabs, a trigger',
    '代號\t名稱\t觸發訊息\t觸發價\t觸發時間\t總量\n2330\t台積電\t突破20日高\t1085\t2026/11/20 09:30:00\t12345\n',
    {},
    [ENTRY],
  ],
  [
    'semicolons, shares',
    '股票代號;買賣;成交;股數;訊號時間\n2330 台積電;賣出;1085;500;2026/11/20 09:30:00\n',
    {},
    ['2330 sell 500 1085 2026-11-20T01:30:00'],
  ],
  [
    'blanks',
    '代碼 動作 價格 日期 時間\n2330 買進 1085 2026/11/20 09:30:00\n',
    {},
    ['2330 buy 1000 1085 2026-11-20T01:30:00'],
  ],
  [
    'closed trades make two signals a row',
    '序號,商品,進場時間,進場方向,進場價格,出場時間,出場方向,出場價格,持有K棒,交易數量,獲利金額\n1,台積電(2330.TW),2026/11/20 09:30:00,買進,1085,2026/11/20 10:10:00,賣出,1090,3,2,10000\n2,2330,2026/11/20 09:30:00,賣出,1085,2026/11/20 10:10:00,買進,1080,3,1,5000\n3,2330,2026/11/20 09:30:00,賣出,1085,2026/11/20 10:10:00,賣出,1080,3,1,5000\n',
    { strategy: { direction: 'both' } },
    [
      '2330 long_entry 2000 1085 2026-11-20T01:30:00',
      '2330 long_exit 2000 1090 2026-11-20T02:10:00',
      '2330 short_entry 1000 1085 2026-11-20T01:30:00',
      '2330 short_exit 1000 1080 2026-11-20T02:10:00',
      '進場賣出、出場賣出，方向互相矛盾：出場要和進場相反',
      '進場賣出、出場賣出，方向互相矛盾：出場要和進場相反',
    ],
  ],
  [
    'events behind a line of parameters, the stock in the file’s name',
    '1 2 3 4 5 6 7 8 9 10 11 12 13\n20261120093000 1085 新買\n20261120100000 1090 強制平倉\n',
    { name: '突破_2330.TW.txt' },
    [ENTRY, '2330 close_all  1090 2026-11-20T02:00:00'],
  ],
  [
    'printed lines with decimal tails',
    '20261120.000000 93000.000000 2330.TW 1085.00 突破20日高\n',
    { name: 'x.log' },
    [ENTRY],
  ],
  [
    'lines of cells',
    '2330,買進,1085,2,2026/11/20 09:30:00\n2330,買進,1085,2\n',
    {},
    ['2330 buy 2000 1085 2026-11-20T01:30:00', '沒有時間：請在檔案裡加上日期與時間'],
  ],
  [
    'columns by number',
    'a,2330,1085,2026/11/20 09:30:00\n',
    { mapping: { symbol: '#2', price: '#3', time: '#4' } },
    [ENTRY],
  ],
  [
    'columns by their own names',
    '甲,乙,丙\n2330,1085,2026/11/20 09:30:00\n',
    { mapping: { symbol: '甲', price: '乙', time: '丙' } },
    [ENTRY],
  ],
  [
    'what a row lacks is said',
    '代碼,動作,價格,時間\n2330,持有,1085,2026/11/20 09:30:00\n50,買進,1085,2026/11/20 09:30:00\n2330,買進,12x,2026/11/20 09:30:00\n2330,買進,1085,2026/11/20\n2330,買進,1085,2029/11/20 09:30:00\n2330,買進,1,085,2026/11/20 09:30:00\n2330,買進,1085,2026/11/20 09:30:00\n2330,買進,0,2026/11/20 09:30:00\n',
    {},
    [
      '看不懂動作「持有」：請改用買進、賣出、平倉等字',
      '看不懂商品代號「50」：請改用例如 2330 或 0050 的寫法；代號前面的 0 也要送，例如 "0050"',
      '價格「12x」讀不出來：請寫大於 0、最多 4 位小數的數字',
      '時間「2026/11/20」只有日期：請加上時刻，例如 09:30:00',
      '時間在未來：請檢查年份與時區',
      expect.stringContaining('千分位逗號要拿掉'),
      '2330 buy 1000 1085 2026-11-20T01:30:00',
      '2330 buy 1000  2026-11-20T01:30:00',
    ],
  ],
])('%s', (_what, file, more, rows) => {
  expect(said(read(file, more))).toEqual(rows)
})

const HEAD = '代碼,商品,動作,價格,時間\n'
const ROW = '2330,台積電,買進,1085,2026/11/20 09:30:00\n'

test('Big5 is found, with ETEN’s signs and private ones; private ones of ETEN in UTF-8 are the same', () => {
  const name = Uint8Array.from([0xc6, 0xa1, 0xf9, 0xd6, 0xfa, 0x40, 0x8e, 0x40, 0xc6, 0xe7])
  const [before, after] = [big5(`${HEAD}2330,`), big5(',買進,1085,2026/11/20 09:30:00\r\n')]
  const file = read(Uint8Array.from([...before, ...name, ...after]))
  expect(file.encoding).toBe('big5')
  expect(file.rows[0]?.parsed?.name).toBe('①碁\ue000\ue311ぁ')
  expect(read(`\ufeff${HEAD}2330,\uf6b1\uf6b2,買進,1085,2026/11/20 09:30:00\n`).rows[0]?.parsed?.name).toBe(
    '①②',
  )
})

test.each<[string, string | Uint8Array, More, string]>([
  ['nothing', '', {}, '檔案是空的'],
  ['a header alone', HEAD, {}, '只有標題或空白'],
  ['a spreadsheet', Uint8Array.from([0x50, 0x4b, 3, 4, 0]), {}, '請先另存成 CSV'],
  ['UTF-16', Uint8Array.from([0xff, 0xfe, 0x61, 0]), {}, '另存成 UTF-8'],
  ['cut within a sign', new TextEncoder().encode(`${HEAD}${ROW}2330,台`).slice(0, -1), {}, '第 3 行中斷'],
  ['cut within a pair', big5(`${HEAD}${ROW}2330,台`).slice(0, -1), {}, '第 3 行中斷'],
  ['cut within a row', `${HEAD}${ROW}2330,台積電`, {}, '第 3 行中斷（只有 2 欄，標題有 5 欄）'],
  ['cut within quotes', `${HEAD}${ROW}2330,"台積`, {}, '引號沒有關上'],
  ['cut within the last cell', `${HEAD}${ROW}${ROW}2330,台積電,買進,1085,2026/11/2`, {}, '第 4 行中斷'],
  ['bars', '代碼|動作|價格|時間\n2330|買進|1085|x\n', {}, '是用「|」分開的'],
  ['two kinds of delimiters', `${HEAD}2330\t台積電\t買進\t1085\t2026\n`, {}, '分隔符號不一致'],
  ['Big5 asked as UTF-8', big5(HEAD + ROW), { encoding: 'utf-8' }, '不是 UTF-8（第 1 行讀不出來）'],
  ['UTF-8 asked as Big5', HEAD + ROW, { encoding: 'big5' }, '是 UTF-8，不是 Big5'],
  [
    'neither',
    Uint8Array.from([...new TextEncoder().encode('代碼,a\n'), 0xff, 10, 0xff, 10, 0x80, 10]),
    {},
    '檔案編碼不對',
  ],
  ['no column of a time', '代碼,動作,價格\n2330,買進,1085\n', {}, '找不到「時間」欄位'],
  ['too many rows', HEAD + ROW.repeat(20_001), {}, '一次最多 20,000 筆'],
])('%s: said in words, nothing is taken', (_what, file, more, words) => {
  expect(() => read(file, more)).toThrow(words)
})

test.each<[string, string, string]>([
  ['nothing but lines', `代碼,動作,價格,時間\n${'\n'.repeat(3_000_000)}`, '行數太多'],
  ['a header of a million columns', `代碼,時間${','.repeat(1_000_000)}\n2330,買進\n`, '第 1 行太長'],
  ['a header of brackets', `代碼,時間,${'('.repeat(100_000)}\n2330,買進\n`, '第 1 行太長'],
  ['a row of a million cells', `代碼,動作,價格,時間\n${','.repeat(1_000_000)}\n`, '第 2 行太長'],
  [
    'a quote that never closes',
    `代碼,動作,價格,時間\n"${`${'a,'.repeat(3_000)}\n`.repeat(1_000)}`,
    '引號沒有關上',
  ],
])('%s is refused before it costs anything', (_what, file, why) => {
  const began = performance.now()
  expect(() => read(file)).toThrow(why)
  expect(performance.now() - began).toBeLessThan(2_000)
})

test('a word that nobody knows, or that takes it back, is no part of a row: nobody is asked about it', () => {
  const lines = ['新買', '新買 取消', '新買 3.5', '新買 TEST'].map(
    (tail) => `20261120 093000 2330 1085 ${tail}`,
  )
  const errors = read(`${lines.join('\n')}\n`, { name: 'a.txt' }).rows.map(({ error }) => error)
  expect(errors[0]).toBeNull()
  for (const error of errors.slice(1)) expect(error).toMatch(/[一-鿿]/)
})

test('blanks within a cell cost no more than other signs', () => {
  const began = performance.now()
  read(`代碼,動作,價格,時間\n${`2330,買進,100,x${' '.repeat(1_900)}a\n`.repeat(1_000)}`)
  expect(performance.now() - began).toBeLessThan(3_000)
})

test('line breaks within quotes are parts of a row, wherever the file is split to be read', () => {
  const row = (n: number) => `2330,買進,${n + 1},2026/03/02 09:30:00,"${'說明\n'.repeat(7)}"`
  const { rows } = read(
    `代碼,動作,價格,時間,備註\n${Array.from({ length: 5_000 }, (_, n) => row(n)).join('\n')}\n`,
  )
  expect(rows.map(({ signal }) => signal?.price)).toEqual(Array.from({ length: 5_000 }, (_, n) => n + 1))
  expect(rows.at(-1)?.row_no).toBe(2 + 8 * 4_999)
})
