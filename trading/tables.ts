// The shape of the tables of the market: products, ticks, hours, taxes, kinds of securities.

/** `to` before `from` is on the next day. */
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

/** The markets that securities are listed on, and what people call them. */
export const STOCK_MARKET_NAMES = { twse: '上市', tpex: '上櫃', emerging: '興櫃' } as const
export type StockMarket = keyof typeof STOCK_MARKET_NAMES

export type StockType = 'stock' | 'etf' | 'bond_etf' | 'other'

export interface TickTable {
  from: string
  /** [price below which the tick holds, tick]; the last row has no upper end. */
  stock: readonly (readonly [number | null, number])[]
  etf: readonly (readonly [number | null, number])[]
}

export interface TaxCut {
  from: string
  /** Last day; a prolongation is a later day here, a new rate a further row. */
  until: string
  rate: number
}

export interface TaxCuts {
  day_trade: readonly TaxCut[]
  bond_etf: readonly TaxCut[]
}

/** ETFs of foreign constituents, which have no price limit: from this day on these and no others. */
export interface Unlimited {
  from: string
  symbols: readonly string[]
}

/** Of a market: the hours of whatever says no own. */
export interface Hours {
  futures: readonly ProductSession[]
  stock: readonly ProductSession[]
}

/** Plain data: it goes to browsers and into workers as it is. */
export interface Tables {
  /** Names what is in it: the same key, the same figures. Empty for what is built in alone. */
  readonly key: string
  readonly products: readonly Product[]
  /** By `from`, ascending. */
  readonly ticks: readonly TickTable[]
  readonly hours: Hours
  readonly taxes: TaxCuts
  /** Kinds of securities that the form of their code does not say. */
  readonly types: Readonly<Record<string, StockType>>
}

// The tables of Taiwan's markets as they are shipped (domain §§2.1–2.3, 3.2–3.4). Margins change weekly and are left out on purpose.
const DAY: ProductSession = { kind: 'day', from: '08:45', to: '13:45' }
const NIGHT: ProductSession = { kind: 'night', from: '15:00', to: '05:00' }
/** After-hours trading in odd lots ends the day of stocks. */
const STOCK_DAY: ProductSession = { kind: 'day', from: '09:00', to: '14:30' }
const HOURS: Hours = { futures: [DAY, NIGHT], stock: [STOCK_DAY] }
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

/** ≥ 1,000 with 5 is under review by the exchanges (Jan 2026): a change becomes a further row with its date. */
const TICKS: readonly TickTable[] = [
  {
    from: '2020-03-23',
    stock: [
      [10, 0.01],
      [50, 0.05],
      [100, 0.1],
      [500, 0.5],
      [1000, 1],
      [null, 5],
    ],
    etf: [
      [50, 0.01],
      [null, 0.05],
    ],
  },
]

const TAXES: TaxCuts = {
  /** 證券交易稅條例 §2-2: bought and sold on one day, shares only; prolonged last to the end of 2027. */
  day_trade: [{ from: '2017-04-28', until: '2027-12-31', rate: 0.0015 }],
  /** 證券交易稅條例 §2-1: bond ETFs, suspended; leveraged and inverse ones (codes ending in L and R) are not among them. */
  bond_etf: [{ from: '2017-01-01', until: '2026-12-31', rate: 0 }],
}

export const BUILT_IN: Tables = {
  key: '',
  products: PRODUCTS,
  ticks: TICKS,
  hours: HOURS,
  taxes: TAXES,
  /** Depositary receipts with the codes of shares: 0.1 % as certificates (domain §3.4). */
  types: { '9103': 'other', '9105': 'other', '9110': 'other', '9136': 'other' },
}

// The tables of the market in force: what is built in, with what this server's administrator laid over it (docs/decisions/market-data.md).
// One value, changed as a whole and never in part: by the server at its start and when a file changed, in the browser by its answer.
let current: Tables = BUILT_IN
const heard = new Set<() => void>()

/** The tables in force in this process. What is folded takes them from its terms instead: they stay the same through a fold. */
export function tables(): Tables {
  return current
}

/** Puts other tables into force; null = what is built in. */
export function layTables(next: Tables | null): void {
  if (next === current) return
  current = next ?? BUILT_IN
  for (const hear of heard) hear()
}

/** Calls `hear` after every change; the returned function ends it. */
export function onTables(hear: () => void): () => void {
  heard.add(hear)
  return () => {
    heard.delete(hear)
  }
}
