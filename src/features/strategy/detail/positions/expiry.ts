// What settling a position left open would come to, before costs.
import type { Expiry } from '#contract/strategy.ts'
import { mul, roundHalfUpWhole, scaled, toNumber, whole } from '#trading/decimal.ts'
import { findProduct } from '#trading/products.ts'

/** NT$ before fees and tax, to the whole; null while a price it needs is missing. */
export function grossOf(
  { symbol, quantity, avg_price }: Pick<Expiry, 'symbol' | 'quantity' | 'avg_price'>,
  settlement_price: number,
): number | null {
  const each = findProduct(symbol)?.point_value
  if (avg_price === null || each === undefined) return null
  const points = scaled(settlement_price) - scaled(avg_price)
  return toNumber(roundHalfUpWhole(mul(mul(points, scaled(each)), whole(quantity))))
}
