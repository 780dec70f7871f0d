// The exchanges' lists into DATA_DIR/market/symbols.json: everything is read and checked first, then the file is written beside and renamed.

import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Listing } from '#trading/listings.ts'
import { formType } from '#trading/products.ts'
import { isStockCode } from '#trading/symbols.ts'
import { STOCK_MARKET_NAMES, type StockMarket, type StockType } from '#trading/tables.ts'
import { makeFolder } from '../make-folder.ts'
import {
  type CsvRow,
  csvRows,
  decodeList,
  type Encoding,
  GROUPS,
  isDay,
  partOf,
  readMarketFile,
  type SymbolsPart,
  symbolsOf,
  symbolsText,
  UnreadableLine,
} from './symbols-file.ts'

// A list that was saved as the page it is shown on (the exchanges' ISIN pages are no files): the rows of its tables.

const isPage = (text: string): boolean => /<html|<table|<body/i.test(text.slice(0, 4_000))

/** What stands before the first row is a row of one cell: it says the day and the market. */
function pageRows(text: string): CsvRow[] {
  const begins = [...text.matchAll(/<tr\b[^<>]*>/gi)].map(({ index }) => index)
  const rows: CsvRow[] = []
  let line = 1
  let counted = 0
  for (const [i, at] of [0, ...begins].entries()) {
    line += text.slice(counted, at).split('\n').length - 1
    counted = at
    const part = text.slice(at, begins[i] ?? text.length)
    const cells =
      i === 0
        ? [words(part)]
        : part
            .split(/<t[dh]\b[^<>]*>/i)
            .slice(1)
            .map((cell) => words(cell.split(/<\/t[dh]>|<\/table>/i)[0] as string))
    if (cells.some((cell) => cell !== '')) rows.push({ line, cells })
  }
  return rows
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

/** The text of a piece of a page. */
const words = (html: string): string =>
  html
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, '')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:#(\d{1,6})|([a-z]+));/gi, (whole, code?: string, name?: string) =>
      code === undefined ? (NAMED[name?.toLowerCase() ?? ''] ?? whole) : String.fromCodePoint(Number(code)),
    )
    .replace(/\u00a0/g, ' ')
    .trim()

// What the exchanges publish as lists of securities, read by the names of its columns: every row becomes a listing, is left out for
// a reason that is counted, or is broken and named.

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
function readPublished(rows: readonly CsvRow[], market: Listing['market'] | null): Published {
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

/** Of a part that had so many or more, so much may be gone without `force`. */
const MANY = 50
const LOST_MOST = 0.2
const TOLD_MOST = 20

export interface ImportWish {
  data_dir: string
  files: readonly string[]
  market?: Listing['market'] | null
  /** The day of the lists, where they do not say it. */
  listed_on?: string | null
  force?: boolean
}

interface PartReport {
  part: string
  listed_on: string
  source: string
  read: number
  added: Listing[]
  changed: { before: Listing; now: Listing }[]
  dropped: Listing[]
}
export interface ImportReport {
  files: { file: string; encoding: Encoding; rows: number; left_out: number }[]
  parts: PartReport[]
  total: number
  path: string
}

/** Why nothing was changed: a sentence per line. */
export class ImportRefused extends Error {}

interface Source extends Published {
  file: string
  encoding: Encoding
  rows: number
  day: string
}

/** Reads all files and replaces the parts they are about; throws `ImportRefused`, and then nothing has changed. */
export function importSymbols(wish: ImportWish): ImportReport {
  const sources = wish.files.map((file) => readSource(file, wish))
  const problems = sources.flatMap(({ file, broken }) =>
    broken.map(({ line, problem }) => `${file} 第 ${line} 行：${problem}`),
  )
  const found = new Map<string, { one: Listing; source: Source }>()
  for (const source of sources)
    for (const one of source.listings) {
      const before = found.get(one.symbol)
      if (before && before.one.name !== one.name)
        problems.push(
          `${one.symbol} 在 ${before.source.file} 是「${before.one.name}」，在 ${source.file} 是「${one.name}」`,
        )
      if (!before || before.source.day < source.day)
        found.set(one.symbol, { one: withDay(one, before?.one), source })
      else found.set(one.symbol, { ...before, one: withDay(before.one, one) })
    }
  if (problems.length > 0) throw new ImportRefused(told(problems))
  if (found.size === 0) throw new ImportRefused('檔案裡沒有任何證券，清單沒有變動')
  const path = join(wish.data_dir, 'market', 'symbols.json')
  const before = symbolsOf(readMarketFile(path))
  const parts = reports([...found.values()], before.directory.all)
  if (!wish.force) refuseLosses(parts)
  const renewed = new Set(parts.map(({ part }) => part))
  const kept = before.directory.all.filter((one) => !renewed.has(partOf(one)) && !found.has(one.symbol))
  const news = [...found.values()].map(({ one }) => withDay(one, before.directory.find(one.symbol)))
  const list = [...kept, ...news].sort((a, b) => (a.symbol < b.symbol ? -1 : 1))
  const dated: Record<string, SymbolsPart> = { ...before.parts }
  for (const { part, listed_on, source } of parts) dated[part] = { listed_on, source }
  write(path, symbolsText(list, dated))
  return {
    files: sources.map(({ file, encoding, rows, left_out }) => ({ file, encoding, rows, left_out })),
    parts,
    total: list.length,
    path,
  }
}

/** Quotes of a day say no day of listing: what another list of the same market said stays. */
function withDay(one: Listing, other: Listing | undefined): Listing {
  const said = other?.market === one.market ? other.listed_on : undefined
  return one.listed_on === undefined && said !== undefined ? { ...one, listed_on: said } : one
}

function told(problems: readonly string[]): string {
  const more = problems.length - TOLD_MOST
  return [
    ...problems.slice(0, TOLD_MOST),
    ...(more > 0 ? [`…還有 ${more} 處`] : []),
    '沒有匯入任何資料，清單和原來一樣。請修正檔案後再匯入一次',
  ].join('\n')
}

function readSource(file: string, { market, listed_on }: ImportWish): Source {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new ImportRefused(`讀不到 ${file}：請確認檔名與讀取權限`, { cause: error })
  }
  try {
    refuseOther(file, bytes)
    const { text, encoding } = decodeList(bytes)
    const { rows, unclosed } = isPage(text) ? { rows: pageRows(text), unclosed: null } : csvRows(text)
    const read = readPublished(rows, market ?? marketByName(basename(file)))
    if (unclosed !== null) read.broken.push({ line: unclosed, problem: '引號沒有結尾' })
    // saved today, whatever day it is of: said in the report
    const day = listed_on ?? read.listed_on ?? statSync(file).mtime.toISOString().slice(0, 10)
    return { ...read, file: basename(file), encoding, rows: rows.length, day }
  } catch (error) {
    if (!(error instanceof UnreadableLine)) throw error
    throw new ImportRefused(
      `${file} 第 ${error.line} 行：不是 UTF-8 也不是 Big5，讀不出來。沒有匯入任何資料，請重新下載或另存成 UTF-8`,
    )
  }
}

/** What is no list of rows at all says so in one sentence, not as a column that is missing. */
function refuseOther(file: string, bytes: Uint8Array): void {
  const start = String.fromCharCode(...bytes.subarray(0, 4))
  const what = start.startsWith('PK') || start === '\xd0\xcf\x11\xe0' ? '試算表' : null
  if (what) throw new ImportRefused(`${file} 是${what}檔，不是 CSV：請在試算表另存成 CSV（UTF-8）再匯入`)
  if (/^(\xef\xbb\xbf)?\s*[[{]/.test(start))
    throw new ImportRefused(`${file} 是 JSON，不是 CSV：請改下載同一份資料的 CSV`)
}

/** Names of files as the exchanges give them: t187ap03_L, …_O, …_R; or with the market in them. */
function marketByName(name: string): Listing['market'] | null {
  if (/上櫃|tpex|otc|_O\b|_O\.|strMode=4|RSTA\d|SQUOTE/i.test(name)) return 'tpex'
  if (/興櫃|emerging|_R\b|_R\.|strMode=5/i.test(name)) return 'emerging'
  return /上市|twse|tse|_L\b|_L\.|STOCK_DAY|MI_INDEX|strMode=2/i.test(name) ? 'twse' : null
}

function reports(
  found: readonly { one: Listing; source: Source }[],
  before: readonly Listing[],
): PartReport[] {
  const known = new Map(before.map((one) => [one.symbol, one]))
  const now = new Set(found.map(({ one }) => one.symbol))
  return [...Map.groupBy(found, ({ one }) => partOf(one))]
    .map(([part, rows]) => {
      const news = rows.map(({ one }) => one)
      const sources = [...new Set(rows.map(({ source }) => source))]
      return {
        part,
        listed_on: sources.map(({ day }) => day).sort()[0] as string,
        source: sources.map(({ file }) => file).join('、'),
        read: news.length,
        added: news.filter(({ symbol }) => !known.has(symbol)),
        changed: news.flatMap((one) => {
          const old = known.get(one.symbol)
          return old && (old.name !== one.name || partOf(old) !== part) ? [{ before: old, now: one }] : []
        }),
        dropped: before.filter((one) => partOf(one) === part && !now.has(one.symbol)),
      }
    })
    .sort((a, b) => (a.part < b.part ? 1 : -1))
}

/** 上市 股票 of `twse stock`. */
export function partWords(part: string): string {
  const [market, group] = part.split(' ') as [StockMarket, keyof typeof GROUPS]
  return `${STOCK_MARKET_NAMES[market]}${GROUPS[group]}`
}

/** A list that lost many is more often cut off than true. Warrants end by the hundred every week. */
function refuseLosses(parts: readonly PartReport[]): void {
  const lost = parts.filter(({ part, read, added, dropped }) => {
    const was = read - added.length + dropped.length
    return !part.endsWith(' warrant') && was >= MANY && dropped.length > LOST_MOST * was
  })
  if (lost.length === 0) return
  const words = lost.map(
    ({ part, dropped, read }) => `${partWords(part)}會少掉 ${dropped.length} 檔（檔案裡只有 ${read} 檔）`,
  )
  throw new ImportRefused(
    `${words.join('\n')}\n檔案可能不完整，所以沒有匯入任何資料。確定沒錯時，加上 --force 再匯入一次`,
  )
}

function write(path: string, text: string): void {
  makeFolder(join(path, '..'))
  const beside = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(beside, text, { mode: 0o600, flush: true })
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}
