// DATA_DIR/market/symbols.json: every security this server knows, with the day and the source of each part of it.
import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import {
  builtIn,
  type Directory,
  directory,
  LISTED_FROM,
  LISTED_ON,
  type Listing,
} from '#trading/listings.ts'
import { formType } from '#trading/products.ts'
import { STOCK_MARKET_NAMES, type StockType } from '#trading/tables.ts'
import { sha256 } from '../ids.ts'

// A published list as text and as cells: Big5, UTF-8 or UTF-16, quoted fields, any of the usual separators, and the line each row begins on.

/** A row and the line of the file (from 1) it begins on. */
export interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
}

/** Bytes that are neither UTF-8 nor Big5. */
export class UnreadableLine extends Error {
  readonly line: number
  constructor(line: number) {
    super(`line ${line} is neither UTF-8 nor Big5`)
    this.line = line
  }
}

/** How a list is written, for whoever reads the report. */
export const ENCODINGS = { 'utf-8': 'UTF-8', big5: 'Big5', 'utf-16': 'UTF-16' } as const
export type Encoding = keyof typeof ENCODINGS

/**
 * UTF-8 when it is that, else Big5 as the exchanges write it; UTF-16 by its mark (a spreadsheet's 「Unicode 文字」). Which of them
 * is said; lines end in one way. Throws `UnreadableLine`.
 */
export function decodeList(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const { text, encoding } = decoded(bytes)
  return { text: text.replace(/\r\n?/g, '\n'), encoding }
}

function decoded(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe)
    return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'utf-16' }
  if (first === 0xfe && second === 0xff)
    return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'utf-16' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' }
  } catch {
    return { text: big5(bytes), encoding: 'big5' }
  }
}

function big5(bytes: Uint8Array): string {
  try {
    return new TextDecoder('big5', { fatal: true }).decode(bytes)
  } catch {
    throw new UnreadableLine(firstUnreadable(bytes))
  }
}

/** No character of Big5 holds the byte of a line's end, so lines can be tried one by one. */
function firstUnreadable(bytes: Uint8Array): number {
  let from = 0
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(10, from)
    try {
      new TextDecoder('big5', { fatal: true }).decode(bytes.subarray(from, end < 0 ? undefined : end))
    } catch {
      return line
    }
    if (end < 0) return line
    from = end + 1
  }
}

/** The first of them where they are equally many. */
const SEPARATORS = [',', '\t', ';']

/** Rows of a text; cells trimmed, ="0050" as 0050. A quote that is never closed is told by the line it stands on. */
export function csvRows(text: string): { rows: CsvRow[]; unclosed: number | null } {
  const head = text.slice(0, 4_000)
  const count = (one: string) => head.split(one).length
  const separator = SEPARATORS.reduce((most, one) => (count(one) > count(most) ? one : most))
  const rows: CsvRow[] = []
  let at = 0
  let line = 1
  while (at < text.length) {
    const began = line
    const cells: string[] = []
    for (;;) {
      const quoted = /[ ]*=?"/y
      quoted.lastIndex = at
      const opened = quoted.exec(text)
      let cell: string
      if (opened) {
        let end = at + opened[0].length
        cell = ''
        for (;;) {
          const close = text.indexOf('"', end)
          if (close < 0) return { rows, unclosed: began }
          cell += text.slice(end, close)
          end = close + 1
          if (text[end] !== '"') break
          cell += '"'
          end += 1
        }
        line += cell.split('\n').length - 1
        at = end
        // what stands between the closing quote and the separator belongs to no cell
        while (at < text.length && text[at] !== separator && text[at] !== '\n') at += 1
      } else {
        let end = at
        while (end < text.length && text[end] !== separator && text[end] !== '\n') end += 1
        cell = text.slice(at, end)
        at = end
      }
      cells.push(cell.replace(/^\uFEFF/, '').trim())
      if (text[at] === separator) {
        at += 1
        continue
      }
      break
    }
    at += 1
    line += 1
    if (cells.some((one) => one !== '')) rows.push({ line: began, cells })
  }
  return { rows, unclosed: null }
}

// A file of the administrator's, and how its faults are told: which file, which line, what to do.

/** What is wrong with a file, as a sentence for whoever wrote it. */
export class MarketFileError extends Error {
  constructor(file: string, line: number | null, problem: string, fix = '修正後再啟動，或先把這個檔案移走') {
    super(`市場資料檔 ${file}${line === null ? '' : ` 第 ${line} 行`}：${problem}。${fix}`)
    this.name = 'MarketFileError'
  }
}

/** YYYY-MM-DD of a day that there is. */
export const isDay = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^\d{4}-\d{2}-\d{2}$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(`${value}T00:00:00Z`).toISOString().startsWith(value)

/** One file of DATA_DIR/market. */
export interface MarketFile {
  readonly path: string
  readonly name: string
  readonly text: string
}

/** The file's text; null when it is not there. */
export function readMarketFile(path: string): MarketFile | null {
  if (stampOf(path) === '') return null
  return { path, name: basename(path), text: readFileSync(path, 'utf8').replace(/^\uFEFF/, '') }
}

/** Tells whether a file is still the one that was read; empty = no file. */
export function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  return found ? `${found.mtimeNs}|${found.size}|${found.ino}` : ''
}

export function jsonOf({ path, text }: MarketFile): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const at = /position (\d+)/.exec(String(error))
    // a text that stops short says no position: it is its end
    const line = lineAt(text, at ? Number(at[1]) : text.length)
    throw new MarketFileError(path, line, '不是正確的 JSON（少了逗號、引號或括號）')
  }
}

/** The line (from 1) of a place in a text. */
function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

/** The line on which a value stands for the n-th time (from 0) under a key; null when it is not written like that. */
export function lineOf({ text }: MarketFile, key: string, value: string, nth = 0): number | null {
  const found = [...text.matchAll(new RegExp(`"${key}"\\s*:\\s*"${value.replace(/[^\w-]/g, '\\$&')}"`, 'g'))]
  const at = found[nth]?.index
  return at === undefined ? null : lineAt(text, at)
}

/** An object of the file with the keys it may have; `where` says which one it is. */
export function fieldsOf(
  file: MarketFile,
  value: unknown,
  allowed: readonly string[],
  where: string,
  line: number | null,
): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MarketFileError(file.path, line, `${where}要是一個 { … }`)
  for (const key of Object.keys(value))
    if (!allowed.includes(key))
      throw new MarketFileError(
        file.path,
        line ?? keyLine(file, key),
        `${where}有不認得的欄位 "${key}"，可以寫的是 ${allowed.join('、')}`,
      )
  return value as Record<string, unknown>
}

/** The line of a key's first appearance. */
export function keyLine({ text }: MarketFile, key: string): number | null {
  const at = text.indexOf(`"${key}"`)
  return at < 0 ? null : lineAt(text, at)
}

export function listOf(file: MarketFile, value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value))
    throw new MarketFileError(file.path, keyLine(file, where), `${where} 要是一個 [ … ]`)
  return value
}

/** Of one group in one market: `twse stock`. */
export interface SymbolsPart {
  listed_on: string
  source: string
}

export interface Symbols {
  directory: Directory
  parts: Readonly<Record<string, SymbolsPart>>
}

const MARKET_KEYS = Object.keys(STOCK_MARKET_NAMES)
const TYPE_KEYS = ['stock', 'etf', 'bond_etf', 'other'] satisfies StockType[]
/** What the exchanges list apart, so that a list of one of them does not drop the others. */
export const GROUPS = {
  stock: '股票',
  etf: ' ETF',
  bond_etf: '債券 ETF',
  etn: ' ETN',
  reit: '不動產投資信託',
  receipt: '存託憑證',
  warrant: '權證',
} as const

export const partOf = (one: Listing) => `${one.market} ${groupOf(one)}`

function groupOf({ symbol, type }: Listing): keyof typeof GROUPS {
  if (type === 'other') return /^91|^\d{4}$/.test(symbol) ? 'receipt' : 'warrant'
  if (type === 'etf' && /^01\d{3}T$/.test(symbol)) return 'reit'
  return type === 'etf' && /^02\d{3}/.test(symbol) ? 'etn' : type
}

let shipped: Symbols | undefined

/** What is built in, as if it had been imported. */
export function shippedSymbols(): Symbols {
  const all = builtIn()
  shipped ??= {
    directory: all,
    parts: Object.fromEntries(
      [...new Set(all.all.map(partOf))].map((part) => [part, { listed_on: LISTED_ON, source: LISTED_FROM }]),
    ),
  }
  return shipped
}

/** Reads the file; throws a `MarketFileError` for the first thing that is wrong. */
export function symbolsOf(file: MarketFile | null): Symbols {
  if (!file) return shippedSymbols()
  const row = fieldsOf(file, jsonOf(file), ['parts', 'symbols'], '檔案', null)
  const parts: Record<string, SymbolsPart> = {}
  for (const [name, part] of Object.entries((row['parts'] ?? {}) as Record<string, unknown>)) {
    const { listed_on, source } = fieldsOf(file, part, ['listed_on', 'source'], `"${name}"`, null)
    if (typeof listed_on !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(listed_on) || typeof source !== 'string')
      throw new MarketFileError(file.path, null, `"${name}" 要有 "listed_on"（日子）與 "source"`)
    parts[name] = { listed_on, source }
  }
  const seen = new Set<string>()
  const list = listOf(file, row['symbols'], 'symbols').map((one, i): Listing => {
    const [symbol, name, market, type, listed_on] = Array.isArray(one) ? (one as unknown[]) : []
    const wrong = (problem: string) => {
      const at = file.text.indexOf(`"${String(symbol)}"`)
      return new MarketFileError(
        file.path,
        at < 0 ? null : lineAt(file.text, at),
        `"symbols" 第 ${i + 1} 筆${problem}`,
      )
    }
    if (
      typeof symbol !== 'string' ||
      !/^[0-9A-Z]{4,6}$/.test(symbol) ||
      typeof name !== 'string' ||
      name === ''
    )
      throw wrong('要寫成 ["2330", "台積電", "twse", "stock"]')
    if (!MARKET_KEYS.includes(market as string))
      throw wrong(`（${symbol}）的市場要是 ${MARKET_KEYS.join('、')}`)
    if (!TYPE_KEYS.includes(type as StockType)) throw wrong(`（${symbol}）的種類要是 ${TYPE_KEYS.join('、')}`)
    if (listed_on !== undefined && !isDay(listed_on))
      throw wrong(`（${symbol}）的掛牌日要是日子，例如 "2026-11-20"，不知道就不寫`)
    if (seen.has(symbol)) throw wrong(`（${symbol}）寫了兩次，請只留一個`)
    seen.add(symbol)
    return { symbol, name, market, type, ...(listed_on !== undefined && { listed_on }) } as Listing
  })
  return { directory: directory(list), parts }
}

/** One security a line: a change of the file is a change that can be read. */
export function symbolsText(list: readonly Listing[], parts: Readonly<Record<string, SymbolsPart>>): string {
  const rows = list.map(({ symbol, name, market, type, listed_on }) =>
    JSON.stringify([symbol, name, market, type, ...(listed_on === undefined ? [] : [listed_on])]),
  )
  return `{"parts": ${JSON.stringify(parts, null, 2)},\n"symbols": [\n${rows.join(',\n')}\n]}\n`
}

/** Kinds that the form of the code does not say: what taxes and ticks need of the list. */
export function oddTypes({ all }: Directory): Record<string, StockType> {
  const odd = all.filter(({ symbol, type }) => formType(symbol) !== type)
  return Object.fromEntries(odd.map(({ symbol, type }) => [symbol, type]))
}

/** What a device needs to know to ask for the list or to go by its own. */
export function aboutSymbols({ directory: { all }, parts }: Symbols): {
  version: string
  count: number
  listed_on: string
} {
  const days = Object.values(parts).map(({ listed_on }) => listed_on)
  const listed_on = days.sort().at(-1) ?? LISTED_ON
  const own = all === builtIn().all
  return {
    version: own ? '' : `${listed_on}.${all.length}.${fingerprint(all)}`,
    count: all.length,
    listed_on,
  }
}

const fingerprints = new WeakMap<readonly Listing[], string>()

function fingerprint(all: readonly Listing[]): string {
  let known = fingerprints.get(all)
  if (known === undefined) {
    known = sha256(JSON.stringify(all)).slice(0, 12)
    fingerprints.set(all, known)
  }
  return known
}
