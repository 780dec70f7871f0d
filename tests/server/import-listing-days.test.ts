// The day of listing in the exchanges’ lists: read under every head they give it, kept where a list does not say it, not part of the tables.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { importSymbols } from '#server/market/import.ts'
import { oddTypes, readMarketFile, symbolsOf } from '#server/market/symbols-file.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lingbo-days-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

function put(name: string, content: string): string {
  const file = join(dir, name)
  writeFileSync(file, content)
  return file
}
const bring = (files: string[]) => importSymbols({ data_dir: dir, files, force: true })
const stored = () => symbolsOf(readMarketFile(join(dir, 'market', 'symbols.json')))
const known = (symbol: string) => stored().directory.find(symbol)

// domain §3.2: no limit in the first five days of a listing, nor on 興櫃
test('domain §3.2 the day of listing, under every head that the lists give it, without a word in the tables that figures go by', () => {
  const before = oddTypes(stored().directory)
  const list = (head: string, day: string) =>
    bring([put('上市.csv', `有價證券代號,有價證券名稱,${head}\n9998,凌波電子,${day}\n`)])
  for (const head of ['上市日', '上櫃日', '上市(櫃)日', '公開發行/上市（櫃）/發行日', '上市日期', '上櫃日期'])
    for (const day of ['2026/11/19', '2026-11-19', '115/11/19', '1151119', '20261119', ' 2026/11/19 ']) {
      list(head, day)
      expect(known('9998')?.listed_on, `${head} ${day}`).toBe('2026-11-19')
    }
  list('上市日', '85/01/05')
  expect(known('9998')?.listed_on).toBe('1996-01-05')
  for (const none of ['', '－', '未定']) {
    rmSync(join(dir, 'market'), { recursive: true })
    list('上市日', none)
    expect(known('9998')).toEqual({ symbol: '9998', name: '凌波電子', market: 'twse', type: 'stock' })
  }
  expect(oddTypes(stored().directory)).toEqual(before)
})

test('domain §3.2 quotes of a day say no day of listing: the one that was read before stays, but not on another market', () => {
  const rows = '9998,凌波電子'
  bring([put('上市.csv', `證券代號,證券名稱,上市日\n${rows},2026/11/19\n`)])
  bring([put('STOCK_DAY_ALL.csv', `證券代號,證券名稱\n${rows}\n`)])
  expect(known('9998')?.listed_on).toBe('2026-11-19')
  bring([put('上櫃.csv', `代號,名稱\n${rows}\n`)])
  expect(known('9998')).toEqual({ symbol: '9998', name: '凌波電子', market: 'tpex', type: 'stock' })
  // both at once, in either order
  for (const names of [
    ['上市.csv', 'STOCK_DAY_ALL.csv'],
    ['STOCK_DAY_ALL.csv', '上市.csv'],
  ]) {
    rmSync(join(dir, 'market'), { recursive: true })
    bring(names.map((name) => join(dir, name)))
    expect(known('9998')?.listed_on).toBe('2026-11-19')
  }
})

test('a kept list with a day that is none is named with its line', () => {
  mkdirSync(join(dir, 'market'))
  writeFileSync(
    join(dir, 'market', 'symbols.json'),
    '{"symbols": [\n["2330", "台積電", "twse", "stock", "2026-02-30"]\n]}',
  )
  expect(() => stored()).toThrow(/symbols\.json 第 2 行.*（2330）的掛牌日要是日子/)
})
