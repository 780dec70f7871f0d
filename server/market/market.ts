// The tables and the list of symbols this server goes by: read at the start, which they can stop, and again when a file changed.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameStocks } from '#trading/products.ts'
import {
  BUILT_IN,
  type Hours,
  layTables,
  type Product,
  type ProductSession,
  type Tables,
  type TaxCut,
  type TaxCuts,
  type TickTable,
  tables,
  type Unlimited,
} from '#trading/tables.ts'
import type { App } from '../context.ts'
import { settingsOf } from '../db/query.ts'
import { readCalendar } from '../record/calendar.ts'
import {
  fieldsOf,
  isDay,
  jsonOf,
  keyLine,
  lineOf,
  listOf,
  type MarketFile,
  MarketFileError,
  oddTypes,
  readMarketFile,
  type Symbols,
  stampOf,
  symbolsOf,
} from './symbols-file.ts'

// DATA_DIR/market/ticks.json, sessions.json, taxes.json and limits.json: rows with the day they begin, laid over what is built in.

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value)

/** Hours of a product or a market. */
function tradingSessionsOf(
  file: MarketFile,
  value: unknown,
  where: string,
  line: number | null,
): ProductSession[] {
  const wrong = (problem: string) => new MarketFileError(file.path, line, `${where} ${problem}`)
  if (!Array.isArray(value) || value.length === 0) throw wrong('要是一個 [ … ]，至少有日盤')
  const kinds = new Set<unknown>()
  for (const one of value) {
    const { kind, from, to } = fieldsOf(file, one, ['kind', 'from', 'to'], where, line)
    if (kind !== 'day' && kind !== 'night') throw wrong('的 "kind" 要是 "day" 或 "night"')
    if (kinds.has(kind)) throw wrong(`的 ${kind} 寫了兩次`)
    kinds.add(kind)
    if (!isTime(from) || !isTime(to)) throw wrong('的 "from"、"to" 要寫成 "HH:mm"')
    if (kind === 'day' ? from >= to : from <= to)
      throw wrong(kind === 'day' ? '的日盤要在同一天開始與結束' : '的夜盤要在隔天結束')
  }
  if (!kinds.has('day')) throw wrong('少了日盤 {"kind": "day", …}')
  const sessions = value as ProductSession[]
  const [day, night] = (['day', 'night'] as const).map((kind) => sessions.find((one) => one.kind === kind))
  if (day && night && (night.from < day.to || night.to > day.from)) throw wrong('的日盤與夜盤重疊')
  return [day, night].filter((one) => one !== undefined).map(({ kind, from, to }) => ({ kind, from, to }))
}

/** {"futures": [...], "stock": [...]}: either may be left out. */
export function hoursOf(file: MarketFile | null, built_in: Hours): Hours {
  if (!file) return built_in
  const row = fieldsOf(file, jsonOf(file), ['futures', 'stock'], '檔案', null)
  const market = (key: keyof Hours) =>
    row[key] === undefined ? built_in[key] : tradingSessionsOf(file, row[key], `"${key}"`, keyLine(file, key))
  const hours = { futures: market('futures'), stock: market('stock') }
  if (hours.stock.some(({ kind }) => kind === 'night'))
    throw new MarketFileError(file.path, keyLine(file, 'stock'), '"stock" 沒有夜盤，請拿掉')
  if (!hours.futures.some(({ kind }) => kind === 'night'))
    throw new MarketFileError(
      file.path,
      keyLine(file, 'futures'),
      '"futures" 少了夜盤；只有日盤的商品請寫在 products.json',
    )
  return hours
}

/** [{"from": day, "stock": [[below, tick], …, [null, tick]], "etf": …}]; what is left out is as before that day. */
function ticksOf(file: MarketFile | null, built_in: readonly TickTable[]): readonly TickTable[] {
  if (!file) return built_in
  const all = new Map(built_in.map((one) => [one.from, one]))
  for (const written of listOf(file, jsonOf(file), '檔案')) {
    const row = fieldsOf(file, written, ['from', 'stock', 'etf'], '一張檔位表', null)
    const { from } = row
    if (!isDay(from))
      throw new MarketFileError(file.path, keyLine(file, 'from'), '"from" 要是起算的日子，例如 "2026-06-01"')
    const line = lineOf(file, 'from', from)
    const before = [...all.values()].sort(byFrom).findLast((one) => one.from <= from) ?? built_in[0]
    const rows = (key: 'stock' | 'etf') =>
      row[key] === undefined
        ? (before as TickTable)[key]
        : stepsOf(file, row[key], `${from} 的 "${key}"`, line)
    all.set(from, { from, stock: rows('stock'), etf: rows('etf') })
  }
  return [...all.values()].sort(byFrom)
}

function stepsOf(
  file: MarketFile,
  value: unknown,
  where: string,
  line: number | null,
): [number | null, number][] {
  const wrong = (problem: string) => new MarketFileError(file.path, line, `${where} ${problem}`)
  if (!Array.isArray(value) || value.length === 0) throw wrong('要是 [[價格上限, 檔位], …, [null, 檔位]]')
  let last = 0
  value.forEach((one: unknown, i) => {
    const [below, tick, ...more] = Array.isArray(one) ? (one as unknown[]) : []
    const end = i === value.length - 1
    if (
      more.length > 0 ||
      typeof tick !== 'number' ||
      !(tick > 0) ||
      Math.abs(tick * 1e4 - Math.round(tick * 1e4)) > 1e-6
    )
      throw wrong(`第 ${i + 1} 列要寫成 [價格上限, 檔位]，檔位大於 0、至多四位小數`)
    if (end ? below !== null : typeof below !== 'number' || below <= last)
      throw wrong(end ? '最後一列的價格上限要是 null（以上都是）' : `第 ${i + 1} 列的價格上限要比前一列大`)
    last = typeof below === 'number' ? below : last
  })
  return value as [number | null, number][]
}

/** {"day_trade": [{"from", "until", "rate"}], "bond_etf": […]}, by the first day. */
function taxesOf(file: MarketFile | null, built_in: TaxCuts): TaxCuts {
  if (!file) return built_in
  const row = fieldsOf(file, jsonOf(file), ['day_trade', 'bond_etf'], '檔案', null)
  const cuts = (key: keyof TaxCuts) =>
    row[key] === undefined ? built_in[key] : cutsOf(file, listOf(file, row[key], key), key, built_in[key])
  return { day_trade: cuts('day_trade'), bond_etf: cuts('bond_etf') }
}

function cutsOf(
  file: MarketFile,
  list: readonly unknown[],
  key: string,
  before: readonly TaxCut[],
): TaxCut[] {
  const all = new Map(before.map((one) => [one.from, one]))
  for (const written of list) {
    const { from, until, rate } = fieldsOf(file, written, ['from', 'until', 'rate'], `"${key}" 的一列`, null)
    const line = typeof from === 'string' ? lineOf(file, 'from', from) : keyLine(file, key)
    if (!isDay(from) || !isDay(until) || until < from)
      throw new MarketFileError(
        file.path,
        line,
        `"${key}" 的 "from"、"until" 要是日子，例如 "2027-12-31"，且不能倒過來`,
      )
    if (
      typeof rate !== 'number' ||
      rate < 0 ||
      rate > 0.01 ||
      Math.abs(rate * 1e4 - Math.round(rate * 1e4)) > 1e-6
    )
      throw new MarketFileError(file.path, line, `"${key}" 的 "rate" 要是 0–0.01、至多四位小數，例如 0.0015`)
    all.set(from, { from, until, rate })
  }
  const sorted = [...all.values()].sort(byFrom)
  for (const [i, one] of sorted.entries())
    if (i > 0 && one.from <= (sorted[i - 1] as TaxCut).until)
      throw new MarketFileError(
        file.path,
        lineOf(file, 'from', one.from) ?? keyLine(file, key),
        `"${key}" 裡 ${one.from} 起的一列與前一列重疊：前一列的 "until" 要早於它`,
      )
  return sorted
}

/** [{"from": day, "unlimited": ["00646", …]}]: ETFs of foreign constituents; a row replaces the one before it. Nothing is built in. */
function unlimitedOf(file: MarketFile | null): readonly Unlimited[] {
  if (!file) return []
  const all = new Map<string, Unlimited>()
  for (const written of listOf(file, jsonOf(file), '檔案')) {
    const { from, unlimited } = fieldsOf(file, written, ['from', 'unlimited'], '一列', null)
    if (!isDay(from))
      throw new MarketFileError(file.path, keyLine(file, 'from'), '"from" 要是起算的日子，例如 "2026-06-01"')
    const wrong = (problem: string, line = lineOf(file, 'from', from)) =>
      new MarketFileError(file.path, line, `${from} ${problem}`)
    if (all.has(from))
      throw wrong('寫了兩次，請合成一列', lineOf(file, 'from', from, 1) ?? lineOf(file, 'from', from))
    if (!Array.isArray(unlimited))
      throw wrong('的 "unlimited" 要是沒有漲跌幅限制的 ETF 代號，例如 ["00646", "00662"]；都有限制時寫 []')
    const symbols = unlimited.map((one: unknown) => {
      if (typeof one === 'string' && /^00\d{2,4}[A-Z]?$/.test(one)) return one
      throw wrong(`的 ${JSON.stringify(one)} 不是 ETF 的代號（00 開頭，寫在引號裡）`)
    })
    all.set(from, { from, symbols })
  }
  return [...all.values()].sort(byFrom)
}

const byFrom = (a: { from: string }, b: { from: string }) => (a.from < b.from ? -1 : 1)

// DATA_DIR/market/products.json: products changed or added, laid over those that are built in by their code.

const KEYS = [
  ...[
    'code',
    'taifex_code',
    'name',
    'short_name',
    'point_value',
    'tick',
    'tick_table',
    'tax_rate',
    'has_night',
  ],
  ...['sessions', 'default_fee', 'weeklies'],
]

/** Domestic products of the tables, with those of the file over them. Whoever says no hours has the market's. */
export function productsOf(file: MarketFile | null, built_in: readonly Product[], hours: Hours): Product[] {
  const all = new Map<string, Product>(
    built_in.map((one) => [one.code, { ...one, sessions: marketHours(one, hours) }]),
  )
  if (!file) return [...all.values()]
  const seen = new Set<string>()
  for (const written of listOf(file, jsonOf(file), '檔案')) {
    const at = seen.size + 1
    const row = fieldsOf(file, written, KEYS, `第 ${at} 個商品`, null)
    const code = row['code']
    if (typeof code !== 'string' || !/^[A-Z][A-Z0-9]{2}$/.test(code))
      throw new MarketFileError(file.path, null, `第 ${at} 個商品的 "code" 要是三碼大寫，例如 "TXF"`)
    const line = lineOf(file, 'code', code, seen.has(code) ? 1 : 0)
    if (seen.has(code)) throw new MarketFileError(file.path, line, `${code} 寫了兩次，請只留一個`)
    seen.add(code)
    all.set(code, productOf(file, row, code, all.get(code), hours, line))
  }
  sameTaifexCode(file, [...all.values()])
  return [...all.values()]
}

function marketHours({ has_night }: Pick<Product, 'has_night'>, { futures }: Hours): ProductSession[] {
  return futures.filter(({ kind }) => has_night || kind === 'day')
}

function productOf(
  file: MarketFile,
  row: Record<string, unknown>,
  code: string,
  before: Product | undefined,
  hours: Hours,
  line: number | null,
): Product {
  const wrong = (key: string, wants: string) =>
    new MarketFileError(file.path, line, `${code} 的 "${key}" ${wants}`)
  const take = <K extends keyof Product>(
    key: K,
    fits: (value: unknown) => boolean,
    wants: string,
    left_out?: Product[K],
  ): Product[K] => {
    if (row[key] === undefined) {
      const value = before?.[key] ?? left_out
      if (value === undefined) throw wrong(key, `必填（這是新的商品）：${wants}`)
      return value
    }
    if (!fits(row[key])) throw wrong(key, wants)
    return row[key] as Product[K]
  }
  const words = (value: unknown) => typeof value === 'string' && value.trim() !== '' && value.length <= 40
  const from_list =
    (...list: unknown[]) =>
    (value: unknown) =>
      list.includes(value)
  const above =
    (most: number, least = 0) =>
    (value: unknown) =>
      typeof value === 'number' &&
      value > least &&
      value <= most &&
      Number.isInteger(Math.round(value * 1e9) / 1e5)
  const tick_table = row['tick_table'] === undefined ? (before?.tick_table ?? null) : row['tick_table']
  if (![null, 'stock', 'etf'].includes(tick_table as string | null))
    throw wrong('tick_table', '要是 "stock"、"etf" 或 null')
  const name = take('name', words, '要是 1–40 字的名稱')
  const own =
    row['sessions'] === undefined
      ? null
      : tradingSessionsOf(file, row['sessions'], `${code} 的 "sessions"`, line)
  const has_night = own
    ? own.some(({ kind }) => kind === 'night')
    : take('has_night', from_list(true, false), '要是 true 或 false', false)
  return {
    code,
    taifex_code: take(
      'taifex_code',
      (value) => typeof value === 'string' && /^[A-Z0-9]{2,3}$/.test(value),
      '要是期交所的契約代號，例如 "TX"',
      code,
    ),
    name,
    short_name: take('short_name', words, '要是 1–40 字的名稱', name),
    point_value: take('point_value', above(1_000_000), '要是大於 0 的數字（一點幾元）'),
    tick: take(
      'tick',
      above(10_000),
      '要是大於 0、至多四位小數的數字',
      tick_table === null ? undefined : 0.01,
    ),
    tick_table: tick_table as Product['tick_table'],
    tax_rate: take(
      'tax_rate',
      (value) => typeof value === 'number' && value >= 0 && value < 0.1,
      '要是 0 以上的稅率，例如 0.00002',
      0.00002,
    ),
    has_night,
    sessions: own ?? marketHours({ has_night }, hours),
    default_fee: take(
      'default_fee',
      (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 1000,
      '要是 0–1,000 的整數',
      50,
    ),
    weeklies: take('weeklies', from_list(true, false), '要是 true 或 false', false),
  }
}

/** A sender's MTX must mean one product. */
function sameTaifexCode(file: MarketFile, products: readonly Product[]): void {
  const by = new Map<string, string>()
  for (const { code, taifex_code } of products) {
    const other = by.get(taifex_code)
    if (other !== undefined)
      throw new MarketFileError(
        file.path,
        lineOf(file, 'code', code) ?? lineOf(file, 'code', other),
        `${other} 與 ${code} 的 "taifex_code" 都是 ${taifex_code}，請改成不同的`,
      )
    by.set(taifex_code, code)
  }
}

declare module '../context.ts' {
  interface App {
    /** The market's files of this server. */
    readonly market: Market
  }
}

const FILES = [
  'products.json',
  'ticks.json',
  'sessions.json',
  'taxes.json',
  'limits.json',
  'symbols.json',
] as const
const EVERY_MS = 10_000

interface Read {
  tables: Tables
  symbols: Symbols
  /** Not among the tables: what is folded does not hang on it. */
  unlimited: readonly Unlimited[]
}

/** What the files of a data directory say; throws a `MarketFileError`. */
export function readMarket(data_dir: string): Read {
  const file = (name: (typeof FILES)[number]) => readMarketFile(join(data_dir, 'market', name))
  const hours = hoursOf(file('sessions.json'), BUILT_IN.hours)
  const symbols = symbolsOf(file('symbols.json'))
  const laid: Omit<Tables, 'key'> = {
    products: productsOf(file('products.json'), BUILT_IN.products, hours),
    ticks: ticksOf(file('ticks.json'), BUILT_IN.ticks),
    hours,
    taxes: taxesOf(file('taxes.json'), BUILT_IN.taxes),
    types: oddTypes(symbols.directory),
  }
  return { tables: keyed(laid), symbols, unlimited: unlimitedOf(file('limits.json')) }
}

/** With their key; what is as built in is what is built in, and nobody folds anything again. */
function keyed(laid: Omit<Tables, 'key'>): Tables {
  const { key: _none, ...built_in } = BUILT_IN
  const text = JSON.stringify(laid)
  if (text === JSON.stringify(built_in)) return BUILT_IN
  return { key: createHash('sha256').update(text).digest('hex').slice(0, 12), ...laid }
}

export interface Market {
  /** Every security known here. */
  symbols(): Symbols
  /** The ETFs that have no price limits. */
  unlimited(): readonly Unlimited[]
  /** Reads what has changed, as it does by itself every ten seconds. */
  look(): Promise<void>
  stop(): Promise<void>
}

/** Reads the files and puts them into force; throws when one is wrong or lacks a product that a strategy trades. */
export async function keepMarket(
  { config, db, log }: Pick<App, 'config' | 'db' | 'log'>,
  every_ms = EVERY_MS,
): Promise<Market> {
  const { data_dir } = config
  checkClosedDays(data_dir)
  let now = await readFor(data_dir, db)
  layMarket(now)
  let stamp = stampsOf(data_dir)
  const read = async () => {
    const other = stampsOf(data_dir)
    if (other === stamp) return
    stamp = other
    try {
      now = await readFor(data_dir, db)
      layMarket(now)
      log.info({ tables: now.tables.key, symbols: now.symbols.directory.all.length }, 'market tables read')
    } catch (error) {
      log.error(
        { err: error instanceof MarketFileError ? undefined : error },
        `市場資料有誤，沿用先前的：${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
  let running = Promise.resolve()
  const look = () => {
    running = running.then(read)
    return running
  }
  const timer = setInterval(() => void look(), every_ms)
  timer.unref()
  return {
    symbols: () => now.symbols,
    unlimited: () => now.unlimited,
    look,
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

/** Puts them into force in this process. */
function layMarket({ tables: laid, symbols }: Read): void {
  if (tables().key !== laid.key) layTables(laid)
  nameStocks((symbol) => symbols.directory.find(symbol)?.name)
}

function stampsOf(data_dir: string): string {
  return FILES.map((name) => stampOf(join(data_dir, 'market', name))).join()
}

async function readFor(data_dir: string, db: App['db']): Promise<Read> {
  const read = readMarket(data_dir)
  const known = new Set(read.tables.products.map(({ code }) => code))
  const rows = await db
    .selectFrom('strategies')
    .select(['kind', 'settings'])
    .distinct()
    .where('kind', '=', 'futures')
    .execute()
  const traded = rows
    .map(settingsOf)
    .flatMap(({ settings }) => ('product_code' in settings ? settings.product_code : []))
  const gone = [...new Set(traded)].filter((code) => !known.has(code))
  if (gone.length > 0)
    throw new MarketFileError(
      join(data_dir, 'market', 'products.json'),
      null,
      `有策略在交易 ${gone.join('、')}，但沒有這個商品`,
      '請把它寫回檔案再啟動',
    )
  return read
}

/** The closed days have their own way of changing while the server runs; a start is stopped by a wrong file, too. */
function checkClosedDays(data_dir: string): void {
  const path = join(data_dir, 'market', 'closed-days.json')
  if (stampOf(path) === '') return
  try {
    readCalendar(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new MarketFileError(path, null, error instanceof Error ? error.message : String(error))
  }
}
