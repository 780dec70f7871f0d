// Taiwan's futures as data (domain §§2.1–2.3). Margins change weekly and are left out on purpose.
import { addDays, lastTradingDay, nthWeekday, thirdWednesday } from './calendar.ts'

export interface ProductSession {
  kind: 'day' | 'night'
  from: string
  to: string
}

/** wire §7 Product without contract_months. Prices of single-stock futures step by the stock tick table. */
export interface Product {
  /** Ticker, what orders are written with: TXF. */
  code: string
  /** TAIFEX's contract code: TX. */
  taifex_code: string
  name: string
  short_name: string
  point_value: number
  tick: number
  tick_table: 'stock' | 'etf' | null
  tax_rate: number
  has_night: boolean
  sessions: readonly ProductSession[]
  default_fee: number
  weeklies: boolean
}

const DAY: ProductSession = { kind: 'day', from: '08:45', to: '13:45' }
const NIGHT: ProductSession = { kind: 'night', from: '15:00', to: '05:00' }
/** 期交稅, both sides, Ministry of Finance order in force since 2019-01-01. */
const TAX = 0.00002

function index(
  code: string,
  taifex_code: string,
  name: string,
  short_name: string,
  point_value: number,
  tick: number,
  has_night: boolean,
  default_fee = 50,
): Product {
  const sessions = has_night ? [DAY, NIGHT] : [DAY]
  const weeklies = code === 'MXF'
  return {
    code,
    taifex_code,
    name,
    short_name,
    point_value,
    tick,
    tick_table: null,
    tax_rate: TAX,
    has_night,
    sessions,
    default_fee,
    weeklies,
  }
}

function stockFuture(code: string, name: string, shares: number, tick_table: 'stock' | 'etf'): Product {
  return { ...index(code, code, name, name.replace('期貨', '期'), shares, 0.01, false), tick_table }
}

export const PRODUCTS: readonly Product[] = [
  index('TXF', 'TX', '臺股期貨', '大台', 200, 1, true),
  index('MXF', 'MTX', '小型臺指期貨', '小台', 50, 1, true, 25),
  index('TMF', 'TMF', '微型臺指期貨', '微台', 10, 1, true, 10),
  index('EXF', 'TE', '電子期貨', '電子期', 4000, 0.05, true),
  index('FXF', 'TF', '金融期貨', '金融期', 1000, 0.2, false),
  index('XIF', 'XIF', '非金電期貨', '非金電', 100, 1, false),
  index('ZEF', 'ZEF', '小型電子期貨', '小電子', 500, 0.05, true),
  index('ZFF', 'ZFF', '小型金融期貨', '小金融', 250, 0.2, false),
  index('SOF', 'SOF', '半導體30期貨', '半導體', 50, 1, true),
  stockFuture('CDF', '台積電期貨', 2000, 'stock'),
  stockFuture('QFF', '小型台積電期貨', 100, 'stock'),
  stockFuture('NYF', '元大台灣50ETF期貨', 10_000, 'etf'),
  stockFuture('SRF', '小型元大台灣50ETF期貨', 1000, 'etf'),
]

const BY_CODE = new Map(PRODUCTS.map((p) => [p.code, p]))
const BY_TAIFEX = new Map(PRODUCTS.map((p) => [p.taifex_code, p]))

/** The product of a ticker (TXF), undefined when unknown. */
export function findProduct(code: string): Product | undefined {
  return BY_CODE.get(code)
}

/** The product of a ticker or of TAIFEX's own code (MTX → MXF). TF means FXF: never read it as TXF. */
export function findByAnyCode(code: string): Product | undefined {
  return BY_CODE.get(code) ?? BY_TAIFEX.get(code)
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
