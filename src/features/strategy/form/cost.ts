// What one round trip of one lot costs, exact, for the line under the cost fields (domain §§5.4, 7.3).

import type { Product } from '#contract/market.ts'
import { futuresSlippage, futuresTax } from '#trading/costs.ts'
import { divHalfUp, scaled, toText } from '#trading/decimal.ts'
import { exampleLevel } from '#trading/examples.ts'

/** Whole NT$ and points with one decimal, as decimal texts. `price` the level it was tried on. */
export interface RoundTrip {
  price: number
  example: boolean
  cost: string
  points: string
}

/** Cost of opening and closing one lot at the newest known price, else at an example level; null while a field does not fit or no level is known. */
export function roundTrip(
  product: Product,
  fee: string,
  slippage: string,
  last: number | null,
): RoundTrip | null {
  const price = last ?? exampleLevel(product.code)
  if (price === undefined || !/^\d{1,4}$/.test(fee) || !/^\d{1,2}$/.test(slippage)) return null
  const tax = futuresTax(scaled(price), product.point_value, product.tax_rate) * 2n
  const slip = futuresSlippage(product.tick, Number(slippage), product.point_value, 1)
  const cost = scaled(fee) * 2n + tax + slip
  // one decimal of a point, half up: cost ÷ value of a point × 10, rounded, then shifted back
  const tenths = divHalfUp(cost * 10n, scaled(product.point_value))
  return { price, example: last === null, cost: toText(cost), points: toText(tenths * 1000n) }
}
