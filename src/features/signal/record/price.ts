// The price of a record as it counts today, and a typed one read exactly as the server will.
import type { SignalRecord } from '#contract/signal.ts'
import { typedPrice } from '#text/price.ts'
import { tickAt } from '#trading/products.ts'
import type { Tables } from '#trading/tables.ts'

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
  const read = typedPrice(typed, '訊號價')
  return 'price' in read && read.price === now ? { error: '和現在的價格相同' } : read
}

/** The step of the price as decimal text, by the tables that are in force. */
export function tickOf(record: SignalRecord, table: Tables): string {
  const price = record.price ?? record.derived.price_used ?? 0
  return String(tickAt(record, price, record.trading_date, table))
}
