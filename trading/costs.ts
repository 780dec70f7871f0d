// Fees, taxes and profit of one closed piece, exact (domain §§5.4, 5.5). Amounts are what the rules give; the broker's statement decides.
import { divFloor, divHalfUp, mul, ratio, type Scaled, scaled, scaledRate, whole } from './decimal.ts'
import { BOARD_LOT } from './kinds.ts'
import { type StockType, stockTaxRate, stockTick } from './products.ts'
import { tables } from './tables.ts'
import type { StockTerms } from './terms.ts'

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
export function stockSlippage(
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
