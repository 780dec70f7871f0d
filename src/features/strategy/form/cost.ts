// What one round trip of one lot costs, exact, for the line under the cost fields (domain §§5.4, 7.3).

import { STOCK_SETTINGS } from '#contract/kinds/stock.ts'
import type { Product } from '#contract/market.ts'
import { futuresSlippage, futuresTax, stockCosts } from '#trading/costs.ts'
import { divHalfUp, scaled, toText } from '#trading/decimal.ts'
import { EXAMPLE, exampleLevel } from '#trading/examples.ts'
import { BOARD_LOT } from '#trading/kinds.ts'
import { stockName, stockType } from '#trading/products.ts'
import { FIELDS } from './kinds.ts'
import type { FormValues } from './values.ts'

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

// What buying and selling once costs on stock, exact, for the lines under the cost fields (domain §§3.4, 5.5).

/** Whole NT$ as decimal texts; `rate` in percent with two decimals. */
export interface StockTrip {
  shares: number
  symbol: string
  name: string
  price: number
  example: boolean
  fee_entry: string
  fee_exit: string
  tax: string
  cost: string
  rate: string
  /** The tax when it is bought and sold on one day; null where day trades are not allowed or pay the same. */
  day_tax: string | null
}

const KNOWN = '2330'
/** A usual odd lot. */
const ODD = 100

/** What the trip is shown with: a stock of the strategy whose price is known, else the best known one. */
export function shownStock(symbols: readonly string[], last: (symbol: string) => number | null) {
  for (const symbol of symbols) {
    const price = last(symbol)
    if (price !== null) return { symbol, price, example: false }
  }
  const symbol = symbols.find((one) => exampleLevel(one) !== undefined) ?? KNOWN
  return { symbol, price: exampleLevel(symbol) ?? EXAMPLE.tsmc, example: true }
}

/** One 張 (or 100 股) in and out at one price on a Taipei day; null while a field does not fit. */
export function stockTrip(
  values: FormValues,
  { symbol, price, example }: ReturnType<typeof shownStock>,
  on: string,
): StockTrip | null {
  const terms = {
    commission_rate: FIELDS.commission_rate.input(values['settings.commission_rate']),
    commission_discount: FIELDS.commission_discount.input(values['settings.commission_discount']),
    min_fee: FIELDS.min_fee.input(values['settings.min_fee']),
    odd_lot_min_fee: FIELDS.odd_lot_min_fee.input(values['settings.odd_lot_min_fee']),
    allow_day_trade: values['settings.allow_day_trade'],
  }
  for (const [name, value] of Object.entries(terms))
    if (!STOCK_SETTINGS[name as keyof typeof terms].is.safeParse(value).success) return null
  if (!/^\d{1,2}$/.test(values.slippage_ticks)) return null
  const shares = values['settings.unit'] === 'board_lot' ? BOARD_LOT : ODD
  const piece = {
    side: 'long' as const,
    quantity: shares,
    entry_price: price,
    exit_price: price,
    type: stockType(symbol),
    on,
    slippage_ticks: Number(values.slippage_ticks),
  }
  const costs = stockCosts({ ...piece, day_trade: false }, terms)
  const cost = costs.fee + costs.tax + costs.slippage
  const day = terms.allow_day_trade ? stockCosts({ ...piece, day_trade: true }, terms).tax : costs.tax
  // two decimals of a percent, half up: cost ÷ amount × 10,000, rounded, then shifted back
  const hundredths = divHalfUp(cost * 10_000n, scaled(price) * BigInt(shares))
  return {
    shares,
    symbol,
    name: stockName(symbol),
    price,
    example,
    fee_entry: toText(costs.fee_entry),
    fee_exit: toText(costs.fee_exit),
    tax: toText(costs.tax),
    cost: toText(cost),
    rate: toText(hundredths * 100n),
    day_tax: day === costs.tax ? null : toText(day),
  }
}
