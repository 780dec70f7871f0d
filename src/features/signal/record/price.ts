// The price of a record as it counts today, and a typed one read exactly as the server will.
import type { SignalRecord } from '#contract/signal.ts'
import { findProduct } from '#trading/products.ts'
import { stockTick, stockType } from '#trading/stocks.ts'

/** What a message may carry (trading/payload). */
const PRICE_MAX = 9_999_999

/** The newest correction's price, else the record's own; null while it has none. `own` newest first, the strategy's records. */
export function priceNow(record: SignalRecord, own: readonly SignalRecord[]): number | null {
  let newest: SignalRecord | null = null
  for (const one of own)
    if (one.source === 'correction' && one.refers_to === record.id)
      if (!newest || one.chain_seq > newest.chain_seq) newest = one
  return newest?.price ?? record.derived.price_used ?? record.price
}

/** Decimal text → number, or the sentence that says what is wrong with it. */
export function readPrice(typed: string, now: number | null): { price: number } | { error: string } {
  const text = typed.trim()
  if (text === '') return { error: '請輸入成交價' }
  if (!/^\d{1,7}(\.\d{1,4})?$/.test(text)) return { error: '請輸入數字，最多四位小數' }
  const price = Number(text)
  if (price <= 0 || price > PRICE_MAX) return { error: '價格要大於 0，最多 9,999,999' }
  return price === now ? { error: '和現在的價格相同' } : { price }
}

/** The step of the price as decimal text. */
export function tickOf(record: SignalRecord): string {
  const product = record.asset === 'futures' ? findProduct(record.symbol) : null
  if (product && !product.tick_table) return String(product.tick)
  const price = record.price ?? record.derived.price_used ?? 0
  return String(stockTick(price, product?.tick_table ?? stockType(record.symbol), record.trading_date))
}
