// The tables of the market in force: what is built in, with what this server's administrator laid over it (docs/decisions/051).
// One value, changed as a whole and never in part: by the server at its start and when a file changed, in the browser by its answer.
import { BUILT_IN } from './tables/built-in.ts'

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
