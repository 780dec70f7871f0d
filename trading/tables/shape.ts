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
