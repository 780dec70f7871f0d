// A price that nobody can have paid that day, in words: beyond limit up or limit down of the last known price.
import { priceText } from '#text/row.ts'
import { limitsOf } from '#trading/limits.ts'
import type { Asset } from '#trading/record.ts'
import type { FoldTerms } from '#trading/terms.ts'

type Of = { asset: Asset; symbol: string; trading_date: string }

/** Null when it lies within, or nothing is known. The limits hang on the last signal's price: they are an aid, not the exchange's. */
export function beyondLimits(
  price: number,
  reference: number | null,
  of: Of,
  terms: FoldTerms,
): string | null {
  const limits =
    reference === null ? null : limitsOf(reference, { symbol: of.symbol, on: of.trading_date, terms })
  if (reference === null || !limits || !(price > 0)) return null
  const [word, limit] = price > limits.up ? ['高於漲停', limits.up] : ['低於跌停', limits.down]
  if (price <= limits.up && price >= limits.down) return null
  return `${word} ${priceText(of, limit)}（以參考價 ${priceText(of, reference)} 推算），請確認價格。`
}
