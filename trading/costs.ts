// Fees, taxes and profit of one closed piece, exact (domain §§5.4, 5.5). Amounts are what the rules give; the broker's statement decides.

import { taipeiDay, tradingSessionAt } from './calendar.ts'
import {
  divFloor,
  divHalfUp,
  mul,
  ratio,
  type Scaled,
  scaled,
  scaledRate,
  toNumber,
  whole,
} from './decimal.ts'
import { BOARD_LOT } from './kinds.ts'
import {
  findProduct,
  type StockType,
  stockName,
  stockTaxRate,
  stockTick,
  stockType,
  tickAt,
} from './products.ts'
import type { Facts, TradingSession } from './record.ts'
import { tables } from './tables.ts'
import type { FoldTerms, FuturesTerms, StockTerms } from './terms.ts'

/** A piece's figures, all scaled ×10^4. net = gross − fee − tax − slippage. */
interface PieceCosts {
  gross: Scaled
  fee: Scaled
  tax: Scaled
  slippage: Scaled
  net: Scaled
}

/** Whole NT$ per scaled price as a fraction in lowest terms; kept for the product asked about last. */
let asked = { point_value: 0, tax_rate: 0, up: 0, down: 1 }

function taxPerPrice(point_value: number, tax_rate: number): { readonly up: number; readonly down: number } {
  if (asked.point_value === point_value && asked.tax_rate === tax_rate) return asked
  let [a, b] = [scaled(point_value) * scaledRate(tax_rate), 10n ** 16n]
  const [up, down] = [a, b]
  while (b > 0n) [a, b] = [b, a % b]
  asked = { point_value, tax_rate, up: Number(up / a), down: Number(down / a) }
  return asked
}

/** 期交稅 of one contract and one side: half up to whole NT$, at least 1 (per-contract rounding: domain §5.4, [S15]). */
export function futuresTax(price: Scaled, point_value: number, tax_rate: number): Scaled {
  if (tax_rate === 0) return 0n
  const { up, down } = taxPerPrice(point_value, tax_rate)
  const twice = 2 * Number(price) * up + down
  // Below 2^53 every step is a whole number a double holds; only then the division below is exact, too.
  if (price >= 0n && twice <= Number.MAX_SAFE_INTEGER && 2 * down <= Number.MAX_SAFE_INTEGER)
    return BigInt(Math.max(1, (twice - (twice % (2 * down))) / (2 * down))) * 10_000n
  const tax = divHalfUp(price * scaled(point_value) * scaledRate(tax_rate), 10n ** 16n)
  return (tax < 1n ? 1n : tax) * 10_000n
}

/** Slippage of entry and exit together: ticks × tick value × lots × 2. */
export function futuresSlippage(tick: number, ticks: number, point_value: number, quantity: number): Scaled {
  return mul(scaled(tick) * BigInt(ticks), scaled(point_value)) * BigInt(quantity) * 2n
}

/** 手續費 of one stock order: floored, with the minimum for board lots (≥ 1,000 shares) or odd lots. */
export function stockFee(price: Scaled, shares: number, terms: StockTerms): Scaled {
  const rate = scaledRate(terms.commission_rate) * scaledRate(terms.commission_discount)
  const fee = divFloor(price * BigInt(shares) * rate, 10n ** 20n) * 10_000n
  const least = whole(shares >= BOARD_LOT ? terms.min_fee : terms.odd_lot_min_fee)
  return fee < least ? least : fee
}

/** 證交稅 of selling shares at a price: floored. */
export function stockTax(
  price: Scaled,
  shares: number,
  type: StockType,
  on: string,
  day_trade: boolean,
  table = tables(),
): Scaled {
  const rate = stockTaxRate(type, on, day_trade, table)
  return divFloor(price * BigInt(shares) * rate, 10n ** 8n) * 10_000n
}

/** Slippage of entry and exit together, each by the tick of its own price. */
function stockSlippage(
  entry: number,
  exit: number,
  shares: number,
  ticks: number,
  type: StockType,
  on: string,
  table = tables(),
): Scaled {
  if (ticks === 0) return 0n
  const both = scaled(stockTick(entry, type, on, table)) + scaled(stockTick(exit, type, on, table))
  return both * BigInt(ticks) * BigInt(shares)
}

interface StockPiece {
  side: 'long' | 'short'
  quantity: number
  entry_price: number
  exit_price: number
  type: StockType
  /** Taipei day of the selling leg: the tax rates are dated. */
  on: string
  day_trade: boolean
  slippage_ticks: number
}

/** Profit of a stock position opened by one order and closed by one order. */
export function stockCosts(
  piece: StockPiece,
  terms: StockTerms,
): PieceCosts & { fee_entry: Scaled; fee_exit: Scaled; return_pct: number | null } {
  const [pe, px] = [scaled(piece.entry_price), scaled(piece.exit_price)]
  const n = piece.quantity
  const fee_entry = stockFee(pe, n, terms)
  const fee_exit = stockFee(px, n, terms)
  const tax = stockTax(piece.side === 'long' ? px : pe, n, piece.type, piece.on, piece.day_trade)
  const slippage = stockSlippage(
    piece.entry_price,
    piece.exit_price,
    n,
    piece.slippage_ticks,
    piece.type,
    piece.on,
  )
  const costs = total(sided(pe, px, piece.side) * BigInt(n), fee_entry + fee_exit, tax, slippage)
  return { ...costs, fee_entry, fee_exit, return_pct: stockReturn(costs.net, pe, n, fee_entry, piece.side) }
}

/** net ÷ (amount + fee) for long, ÷ amount for short, as a fraction with 6 decimals. */
export function stockReturn(
  net: Scaled,
  entry: Scaled,
  shares: number,
  fee_entry: Scaled,
  side: 'long' | 'short',
): number | null {
  const amount = entry * BigInt(shares)
  return ratio(net, side === 'long' ? amount + fee_entry : amount, 6)
}

/** Price difference in the position's favour. */
export function sided(entry: Scaled, exit: Scaled, side: 'long' | 'short'): Scaled {
  return side === 'long' ? exit - entry : entry - exit
}

/** Costs with the net drawn. */
export function total(gross: Scaled, fee: Scaled, tax: Scaled, slippage: Scaled): PieceCosts {
  return { gross, fee, tax, slippage, net: gross - fee - tax - slippage }
}

// The market a record belongs to: how its prices step, when it trades, what an order in it costs.

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
