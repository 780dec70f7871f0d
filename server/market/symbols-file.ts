// DATA_DIR/market/symbols.json: every security this server knows, with the day and the source of each part of it.
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
import { sha256 } from '../secrets.ts'
import { fieldsOf, isDay, jsonOf, lineAt, listOf, type MarketFile, MarketFileError } from './lines.ts'

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
