// What the exchanges publish as lists of securities, read by the names of its columns: every row becomes a listing, is left out for
// a reason that is counted, or is broken and named.

import type { Listing } from '#trading/listings.ts'
import { formType } from '#trading/stocks.ts'
import { isStockCode } from '#trading/symbols.ts'
import type { StockType } from '#trading/tables.ts'
import type { CsvRow } from './csv.ts'
import { isDay } from './lines.ts'

export interface Published {
  listings: Listing[]
  /** The day the list says it is of; null when it says none. */
  listed_on: string | null
  /** Rows of what is not dealt with here (bonds, gold, other codes). */
  left_out: number
  /** Line and what is wrong with it. */
  broken: { line: number; problem: string }[]
}

/** Heads of columns as the exchanges write them, without blanks, in lower case. */
const COLUMNS = {
  both: ['有價證券代號及名稱', '證券代號及名稱', '代號及名稱'],
  code: [
    '有價證券代號',
    '證券代號',
    '股票代號',
    '公司代號',
    '代號',
    '代碼',
    '股票代碼',
    '證券代碼',
    'code',
    'symbol',
    'securitiescompanycode',
  ],
  name: [
    '有價證券名稱',
    '證券名稱',
    '股票名稱',
    '公司簡稱',
    '證券簡稱',
    '簡稱',
    '名稱',
    '公司名稱',
    'name',
    'companyname',
  ],
  isin: ['國際證券辨識號碼(isincode)', '國際證券編碼', 'isin', 'isincode'],
  market: ['市場別', '市場', 'market'],
  kind: ['有價證券別', '證券種類', '證券別', 'type'],
  cfi: ['cficode', 'cfi'],
  date: ['出表日期', '資料日期', 'date'],
  listed: [
    '上市日',
    '上櫃日',
    '興櫃日',
    '上市日期',
    '上櫃日期',
    '興櫃日期',
    '上市(櫃)日',
    '公開發行/上市(櫃)日',
    '公開發行/上市(櫃)/發行日',
    'datelisted',
    'dateoflisting',
  ],
} as const
type Column = keyof typeof COLUMNS
type Places = Partial<Record<Column, number>>

/** What no two machines show alike: characters of one's own, and those that were lost. */
const UNREADABLE = /[\p{Co}\p{Cc}\uFFFD]/u

const bare = (text: string) => text.normalize('NFKC').replace(/\s/g, '').toLowerCase()

/** Where the columns are, when a row is a head. */
function placesIn(cells: readonly string[]): Places | null {
  const names = cells.map(bare)
  const places: Places = {}
  for (const [column, heads] of Object.entries(COLUMNS) as [Column, readonly string[]][]) {
    const at = heads.map((head) => names.indexOf(head)).find((place) => place >= 0)
    if (at !== undefined) places[column] = at
  }
  return places.both !== undefined || (places.code !== undefined && places.name !== undefined) ? places : null
}

/** `market`: what the file is of, where its rows do not say. */
export function readPublished(rows: readonly CsvRow[], market: Listing['market'] | null): Published {
  const read: Published = { listings: [], listed_on: null, left_out: 0, broken: [] }
  let places: Places | null = null
  let heading = ''
  // what the lines over the columns say it is of, where neither the rows nor the caller do
  let titled: Listing['market'] | null = null
  const seen = new Map<string, { name: string; line: number }>()
  for (const { line, cells } of rows) {
    const head = placesIn(cells)
    if (head) {
      places = head
      continue
    }
    const filled = cells.filter((cell) => cell !== '')
    if (!places || filled.length === 1) {
      read.listed_on ??= dayIn(filled.join(' '))
      if (!places) titled ??= marketInTitle(filled.join(' '))
      // 股票, 上市認購(售)權證, ETF …: a heading over the rows that follow
      if (places) heading = filled[0] as string
      continue
    }
    const broken = (problem: string) => read.broken.push({ line, problem })
    const cell = (column: Column) => (places?.[column] === undefined ? '' : (cells[places[column]] ?? ''))
    const [code, name] = places.both === undefined ? [cell('code'), cell('name')] : split(cell('both'))
    const symbol = bare(code).replace(/^'/, '').toUpperCase()
    if (!/^[0-9A-Z]{4,10}$/.test(symbol)) {
      // under the rows: a sum, how many there were, notes
      if (/^(合計|總計|小計|共\d|說明|備註|註)/.test(bare(filled[0] as string))) continue
      broken(problemOf(symbol, code))
      continue
    }
    if (name === '' || name.length > 60 || UNREADABLE.test(name)) {
      broken(`${symbol} 沒有名稱，或名稱讀不出來`)
      continue
    }
    const own = marketOf(cell('market')) ?? market ?? titled
    if (own === null) {
      broken(`${symbol} 沒有市場別：檔名或 --market 要說是 twse（上市）、tpex（上櫃）或 emerging（興櫃）`)
      continue
    }
    read.listed_on ??= dayIn(cell('date'))
    if (own === 'other' || !isStockCode(symbol)) {
      read.left_out += 1
      continue
    }
    const before = seen.get(symbol)
    if (before) {
      if (before.name !== name)
        broken(`${symbol} 在第 ${before.line} 行是「${before.name}」，這裡是「${name}」`)
      continue
    }
    const said = cell('listed')
    const listed_on = listedOn(said)
    if (listed_on === null && /\d/.test(said)) {
      broken(`${symbol} 的掛牌日「${said.slice(0, 20)}」不是日子`)
      continue
    }
    seen.set(symbol, { name, line })
    read.listings.push({
      symbol,
      name,
      market: own,
      type: typeOf(symbol, name, cell('kind') || heading, cell('cfi')),
      ...(listed_on !== null && { listed_on }),
    })
  }
  if (!places)
    read.broken.push({
      line: rows[0]?.line ?? 1,
      problem: '找不到欄名：要有「證券代號」與「證券名稱」，或「有價證券代號及名稱」',
    })
  return read
}

/** 2330　台積電, as the pages of ISIN codes write it. */
function split(both: string): [string, string] {
  const text = both.normalize('NFKC').trim()
  const at = text.search(/\s/)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at).trim()]
}

/** What a cell holds instead of a code. */
function problemOf(symbol: string, code: string): string {
  if (symbol === '') return '沒有代號'
  const lost = /^\d{2,3}$/.test(symbol) ? '（試算表把前面的 0 拿掉了？那一欄要設成文字）' : ''
  return `「${code.slice(0, 20)}」不是代號${lost}`
}

/** 上櫃股票每日收盤行情; null where it names none, or more than one. */
function marketInTitle(text: string): Listing['market'] | null {
  const named = [
    /興櫃/.test(text) && ('emerging' as const),
    /上櫃|櫃檯買賣中心/.test(text) && ('tpex' as const),
    /上市|證券交易所/.test(text) && ('twse' as const),
  ].filter((one) => one !== false)
  return named.length === 1 ? (named[0] ?? null) : null
}

function marketOf(text: string): Listing['market'] | 'other' | null {
  const word = bare(text)
  if (word === '') return null
  if (/興櫃|emerging/.test(word)) return 'emerging'
  if (/上櫃|櫃買|tpex|otc/.test(word)) return 'tpex'
  if (/上市|創新板|twse|tse/.test(word)) return 'twse'
  return 'other'
}

/** By what the list says of it (its heading, its CFI code), else by the form of its code. */
function typeOf(symbol: string, name: string, kind: string, cfi: string): StockType {
  const word = bare(kind)
  const fund = /etf|指數股票型/.test(word) || /^CE/.test(cfi)
  if (fund) return cfi[4] === 'B' || symbol.endsWith('B') ? 'bond_etf' : 'etf'
  if (/etn|指數投資證券|不動產|受益證券|reit/.test(word)) return 'etf'
  if (/權證|warrant|存託憑證|tdr|牛熊/.test(word) || /^RW/.test(cfi) || /-DR$/.test(name)) return 'other'
  if (/股票|特別股|創新板|stock/.test(word) || /^E[SP]/.test(cfi)) return 'stock'
  return formType(symbol)
}

/** 2026/11/20, 2026-11-20, 115/11/20, 1151120, 20261120; null when no day stands in it. */
function dayIn(text: string): string | null {
  return dayOf(
    /(?<!\d)(20\d{2}|1\d{2})[/.\-年](\d{1,2})[/.\-月](\d{1,2})/.exec(text) ??
      /(?<!\d)(20\d{2}|1\d{2})(\d{2})(\d{2})(?!\d)/.exec(text),
  )
}

/** The same forms, and years from 1962 on; null when it is none. */
function listedOn(text: string): string | null {
  const cell = text.normalize('NFKC').trim()
  return dayOf(
    /^((?:19|20)\d{2}|\d{2,3})[/.\-年](\d{1,2})[/.\-月](\d{1,2})日?$/.exec(cell) ??
      /^((?:19|20)\d{2}|\d{2,3})(\d{2})(\d{2})$/.exec(cell),
  )
}

function dayOf(m: RegExpExecArray | null): string | null {
  if (!m) return null
  const [, year = '', month = '', day = ''] = m
  const full = year.length < 4 ? Number(year) + 1911 : Number(year)
  const written = `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(written) ? written : null
}
