// The market a record belongs to: how its prices step, when it trades, what an order in it costs.
import { taipeiDay, tradingSessionAt } from '../calendar.ts'
import { futuresSlippage, futuresTax, stockFee, stockSlippage, stockTax } from '../costs.ts'
import { type Scaled, scaled, toNumber } from '../decimal.ts'
import { findProduct, stockName, stockType, tickAt } from '../products.ts'
import type { Facts, TradingSession } from '../record.ts'
import type { FoldTerms, FuturesTerms } from '../terms.ts'

/** Product terms of a futures symbol: the strategy's own, or the table's row for a product accepted as mismatch. */
function futuresTerms(symbol: string, terms: FoldTerms): FuturesTerms {
  const own = terms.futures
  if (!own) throw new RangeError('terms of a futures strategy lack their futures part')
  if (own.code === symbol) return own
  const p = findProduct(symbol, terms.tables)
  if (!p) return own
  const { code, point_value, tick, tax_rate, has_night, sessions } = p
  return { code, point_value, tick, tax_rate, has_night, sessions, fee_per_side: own.fee_per_side }
}

/** NT$ per point (1 for stock, where the quantity is shares), scaled. */
export function pointValue(symbol: string, terms: FoldTerms): Scaled {
  return terms.asset === 'stock' ? 10_000n : scaled(futuresTerms(symbol, terms).point_value)
}

/** Fee of a whole order at a price, before it is split. */
export function orderFee(symbol: string, price: Scaled, quantity: number, terms: FoldTerms): Scaled {
  if (terms.asset === 'futures') return scaled(futuresTerms(symbol, terms).fee_per_side) * BigInt(quantity)
  if (!terms.stock) throw new RangeError('terms of a stock strategy lack their stock part')
  return stockFee(price, quantity, terms.stock)
}

/** 期交稅 of one side of a number of lots; 0 for stock, whose tax is known at the close. */
export function sideTax(symbol: string, price: Scaled, quantity: number, terms: FoldTerms): Scaled {
  if (terms.asset === 'stock') return 0n
  const { point_value, tax_rate } = futuresTerms(symbol, terms)
  return futuresTax(price, point_value, tax_rate) * BigInt(quantity)
}

/** 證交稅 of selling shares. */
export function saleTax(
  symbol: string,
  price: Scaled,
  shares: number,
  on: string,
  day_trade: boolean,
  { tables }: FoldTerms,
): Scaled {
  return stockTax(price, shares, stockType(symbol, tables), on, day_trade, tables)
}

/** Slippage of a closed piece, both sides. */
export function slippageOf(
  symbol: string,
  entry: number,
  exit: number,
  quantity: number,
  closed_at: string,
  terms: FoldTerms,
): Scaled {
  const ticks = terms.slippage_ticks
  if (ticks === 0) return 0n
  const on = taipeiDay(closed_at)
  if (terms.asset === 'stock') {
    const type = stockType(symbol, terms.tables)
    return stockSlippage(entry, exit, quantity, ticks, type, on, terms.tables)
  }
  const { point_value } = futuresTerms(symbol, terms)
  return futuresSlippage(tickOf(symbol, entry, on, terms), ticks, point_value, quantity)
}

/** Tick of a price on a day. */
export function tickOf(symbol: string, price: number, on: string, terms: FoldTerms): number {
  const own = terms.asset === 'futures' ? futuresTerms(symbol, terms).tick : undefined
  return tickAt({ asset: terms.asset, symbol }, price, on, terms.tables, own)
}

/** Tick of the next price below: at 1,000 a stock steps up by 5 and down by 1. */
export function tickBelow(symbol: string, price: number, on: string, terms: FoldTerms): number {
  return tickOf(symbol, toNumber(scaled(price) - 1n), on, terms)
}

/** The daily limit ×10: ±10 % is 1. Leveraged ETFs (codes ending in L, twice) move by 10 % × their multiple; null where there is none. */
export function limitTenths(symbol: string, { asset, tables }: FoldTerms): bigint | null {
  if (asset === 'futures') return 1n
  const type = stockType(symbol, tables)
  // bonds of other countries have none, a warrant's follow from its stock's
  if (type === 'bond_etf' || type === 'other') return null
  return type === 'etf' && symbol.endsWith('L') ? 2n : 1n
}

/** Trading session and trading date of a record under a strategy's terms. */
export function tradingSessionOf(
  { symbol, occurred_at, contract = null }: Pick<Facts, 'symbol' | 'occurred_at'> & Partial<Facts>,
  terms: FoldTerms,
): { session: TradingSession; trading_date: string } {
  const { closed_days, tables } = terms
  if (terms.asset === 'stock') {
    const sessions = tables.hours.stock
    return tradingSessionAt(occurred_at, { has_night: false, closed_days, market: 'stock', sessions })
  }
  const { has_night, sessions } = futuresTerms(symbol, terms)
  return tradingSessionAt(occurred_at, { has_night, sessions, closed_days, contract })
}

/** Name shown for a symbol: product's short name or stock name. */
export function symbolName(symbol: string, asset: 'futures' | 'stock'): string {
  return asset === 'futures' ? (findProduct(symbol)?.short_name ?? symbol) : stockName(symbol)
}
