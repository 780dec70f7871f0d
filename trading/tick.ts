// The step of a price: a product's own, or what the table of its prices says.
import { findProduct } from './products.ts'
import type { Facts } from './record.ts'
import { stockTick, stockType } from './stocks.ts'
import { tables } from './tables.ts'

/** Tick of a price on a day; `own` is a product's where its terms say it. */
export function tickAt(
  { asset, symbol }: Pick<Facts, 'asset' | 'symbol'>,
  price: number,
  on: string,
  table = tables(),
  own?: number,
): number {
  const product = asset === 'futures' ? findProduct(symbol, table) : undefined
  const tick = product?.tick_table ? undefined : (own ?? product?.tick)
  return tick ?? stockTick(price, product?.tick_table ?? stockType(symbol, table), on, table)
}
