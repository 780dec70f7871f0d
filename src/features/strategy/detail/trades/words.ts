// A trade in words: what was traded, how much, at which prices, what it cost.
import { priceText, productText } from '#text/row.ts'
import { sizeText } from '#text/signal.ts'
import { scaled, toNumber } from '#trading/decimal.ts'
import { stockName } from '#trading/products.ts'
import type { Trade } from '#trading/record.ts'
import { isStockCode } from '#trading/symbols.ts'

const assetOf = ({ symbol }: Trade) => (isStockCode(symbol) ? ('stock' as const) : ('futures' as const))

/** 小台 近月, 2603 長榮. */
export function nameOf(trade: Trade): string {
  const { symbol, contract } = trade
  return productText({ asset: assetOf(trade), symbol, contract, symbol_name: stockName(symbol) })
}

/** 2 口, 3 張 500 股. */
export function quantityOf(trade: Trade): string {
  return sizeText[assetOf(trade)](trade.quantity)
}

/** A price with the decimals of its tick. */
export function priceOf(trade: Trade, value: number): string {
  const { symbol, exit_trading_date: trading_date } = trade
  return priceText({ asset: assetOf(trade), symbol, trading_date }, value)
}

/** Fee, tax and slippage together. */
export function costOf({ fee, tax, slippage }: Trade): number {
  return toNumber(scaled(fee) + scaled(tax) + scaled(slippage))
}

export type Result = 'all' | 'win' | 'loss'
export type SideChoice = 'all' | 'long' | 'short'

/** Whether a trade is listed under these filters. */
export function matches(trade: Trade, side: SideChoice, result: Result): boolean {
  if (side !== 'all' && trade.side !== side) return false
  return result === 'all' || (result === 'win' ? trade.net > 0 : trade.net < 0)
}
