// Taiwan's futures: a product by its code, and the months it is listed in (domain §§2.1–2.3). The rows stand in the tables.

import { addDays, lastTradingDay, nthWeekday, thirdWednesday } from './calendar.ts'
import { type Scaled, scaled } from './decimal.ts'
import type { ContractRule, Facts } from './record.ts'
import { type Product, type StockType, type Tables, type TaxCut, tables } from './tables.ts'

// Taiwan stock: kinds of security, tick tables, price limits, transaction tax, by the dated tables in force (domain §3).

export type { StockType } from './tables.ts'

/** Kind of a security: as the list of symbols says, else by the form of its code. */
export function stockType(symbol: string, table = tables()): StockType {
  return Object.hasOwn(table.types, symbol) ? (table.types[symbol] as StockType) : formType(symbol)
}

/** ETFs start with 00, a trailing B is a bond ETF; ETNs (02…) and REITs (01…T) step and are taxed as ETFs; six characters else are warrants. */
export function formType(symbol: string): StockType {
  if (/^00\d{2,4}[A-Z]?$/.test(symbol)) return symbol.endsWith('B') ? 'bond_etf' : 'etf'
  if (/^(?:02\d{3}[\dA-Z]|01\d{3}T)$/.test(symbol)) return 'etf'
  return /^\d{4}[A-Z]?$/.test(symbol) ? 'stock' : 'other'
}

/** Tick of a price on a Taipei day. */
export function stockTick(price: number, type: StockType, on: string, { ticks } = tables()): number {
  const table = ticks.findLast((t) => t.from <= on) ?? ticks[0]
  const rows = type === 'stock' || type === 'other' ? table!.stock : table!.etf
  return rows.find(([below]) => below === null || price < below)![1]
}

/** Whether a price lies on its tick. A price off its tick is a warning, never a refusal: it may be an average. */
export function onTick(price: Scaled, tick: number): boolean {
  return price % scaled(tick) === 0n
}

function cutOn(cuts: readonly TaxCut[], on: string): Scaled | undefined {
  const cut = cuts.find(({ from, until }) => from <= on && on <= until)
  return cut && scaled(cut.rate)
}

/** 證交稅 of a sale: rate × 10^4 (30 = 0.3 %) for a kind of security, a day, and whether it is a day trade. */
export function stockTaxRate(type: StockType, on: string, day_trade: boolean, { taxes } = tables()): Scaled {
  if (type === 'bond_etf') return cutOn(taxes.bond_etf, on) ?? 10n
  if (type !== 'stock') return 10n
  return (day_trade ? cutOn(taxes.day_trade, on) : undefined) ?? 30n
}

/** The names of the largest listings; any other symbol shows its code. */
export const STOCK_NAMES: Readonly<Record<string, string>> = {
  '0050': '元大台灣50',
  '0056': '元大高股息',
  '006208': '富邦台50',
  '00878': '國泰永續高股息',
  '00919': '群益台灣精選高息',
  '00929': '復華台灣科技優息',
  '00679B': '元大美債20年',
  '1101': '台泥',
  '1216': '統一',
  '1301': '台塑',
  '1303': '南亞',
  '1326': '台化',
  '2002': '中鋼',
  '2207': '和泰車',
  '2303': '聯電',
  '2308': '台達電',
  '2317': '鴻海',
  '2327': '國巨',
  '2330': '台積電',
  '2345': '智邦',
  '2357': '華碩',
  '2379': '瑞昱',
  '2382': '廣達',
  '2395': '研華',
  '2408': '南亞科',
  '2412': '中華電',
  '2454': '聯發科',
  '2603': '長榮',
  '2609': '陽明',
  '2615': '萬海',
  '2880': '華南金',
  '2881': '富邦金',
  '2882': '國泰金',
  '2884': '玉山金',
  '2885': '元大金',
  '2886': '兆豐金',
  '2891': '中信金',
  '2892': '第一金',
  '3008': '大立光',
  '3034': '聯詠',
  '3037': '欣興',
  '3045': '台灣大',
  '3231': '緯創',
  '3711': '日月光投控',
  '4904': '遠傳',
  '5871': '中租-KY',
  '5880': '合庫金',
  '6488': '環球晶',
  '6505': '台塑化',
  '6669': '緯穎',
}

let more: (symbol: string) => string | undefined = () => undefined

/** Says where names beyond the largest are found in this process. */
export function nameStocks(find: typeof more): void {
  more = find
}

/** Name of a stock, its code when unknown. */
export function stockName(symbol: string): string {
  return more(symbol) ?? (Object.hasOwn(STOCK_NAMES, symbol) ? (STOCK_NAMES[symbol] as string) : symbol)
}

export type { Product, ProductSession } from './tables.ts'
export { PRODUCTS } from './tables.ts'

interface Codes {
  own: ReadonlyMap<string, Product>
  taifex: ReadonlyMap<string, Product>
}
const codes = new WeakMap<Tables, Codes>()

function codesIn(table: Tables): Codes {
  let known = codes.get(table)
  if (known === undefined) {
    known = {
      own: new Map(table.products.map((p) => [p.code, p])),
      taifex: new Map(table.products.map((p) => [p.taifex_code, p])),
    }
    codes.set(table, known)
  }
  return known
}

/** The product of a ticker (TXF), undefined when unknown. */
export function findProduct(code: string, table = tables()): Product | undefined {
  return codesIn(table).own.get(code)
}

/** The product of a ticker or of TAIFEX's own code (MTX → MXF). TF means FXF: never read it as TXF. */
export function findByAnyCode(code: string): Product | undefined {
  const { own, taifex } = codesIn(tables())
  return own.get(code) ?? taifex.get(code)
}

/** Listed months on a Taipei day: spot, the next two, the next three quarter months; MXF also its next two weeklies. */
export function contractMonths(code: string, on: string, closed_days?: ReadonlySet<string>): string[] {
  const product = findProduct(code)
  if (!product) return []
  let [year, month] = [Number(on.slice(0, 4)), Number(on.slice(5, 7))]
  const step = () => {
    month += 1
    if (month > 12) [year, month] = [year + 1, 1]
  }
  const label = () => `${year}${String(month).padStart(2, '0')}`
  if ((lastTradingDay(label(), closed_days) ?? '') < on) step()
  const months: string[] = []
  for (let i = 0; i < 3; i++, step()) months.push(label())
  for (let quarters = 0; quarters < 3; step()) {
    if (month % 3 !== 0) continue
    months.push(label())
    quarters += 1
  }
  return product.weeklies ? [...weeklies(on, 2), ...months] : months
}

/** The next n Wednesday weeklies not yet expired on a day; the third Wednesday is the monthly contract. */
function weeklies(on: string, n: number): string[] {
  const found: string[] = []
  for (let day = on; found.length < n; day = addDays(day, 1)) {
    const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
    if (day === thirdWednesday(year, month)) continue
    const week = [1, 2, 4, 5].find((w) => nthWeekday(year, month, 3, w) === day)
    if (week !== undefined) found.push(`${day.slice(0, 4)}${day.slice(5, 7)}W${week}`)
  }
  return found
}

// The step of a price: a product's own, or what the table of its prices says.
/** Tick of a price on a day; `own` is a product's where its terms say it. */
export function tickAt(
  { asset, symbol }: Pick<Facts, 'asset' | 'symbol'>,
  price: number,
  on: string,
  table = tables(),
  own?: number,
): number {
  const product = asset === 'futures' ? findProduct(symbol, table) : undefined
  const tick = product?.tick_table ? undefined : (own ?? product?.tick)
  return tick ?? stockTick(price, product?.tick_table ?? stockType(symbol, table), on, table)
}

// The contract of a futures record: one that rolls on (近月 C1, 次月 C2), or a month (ruling A28).

/** What rolls on, by the rule that means it. */
const ROLLING = { near: 'C1', next: 'C2' } as const satisfies Record<Exclude<ContractRule, 'month'>, string>
const ROLLING_WORDS: Record<string, string> = { [ROLLING.near]: '近月', [ROLLING.next]: '次月' }

/** The contract that a rule means; `month` where it is the rule. */
export function contractOfRule<Month>(rule: ContractRule | null, month: Month): string | Month {
  return rule === 'month' ? month : ROLLING[rule ?? 'near']
}

/** 近月 or 次月; null of a month. */
export function rollingWord(contract: string): string | null {
  return ROLLING_WORDS[contract] ?? null
}

/** 近月, 次月, else the month in its digits; nothing of a stock. */
export function contractWord(contract: string | null): string {
  return contract === null ? '' : (rollingWord(contract) ?? contract)
}
