// A price that nobody can have paid that day, in words: beyond limit up or limit down of the last known price. Where there are no
// limits it says why, and asks all the same: a digit too many looks like that, too.
import { priceText } from '#text/row.ts'
import { type LimitFacts, limitsOf, type NoLimit, noLimit } from '#trading/foresee.ts'
import type { Asset } from '#trading/record.ts'
import type { FoldTerms } from '#trading/terms.ts'

type Of = { asset: Asset; symbol: string; trading_date: string }

const NONE: Record<NoLimit, string> = {
  foreign_etf: '國外成分 ETF 沒有漲跌幅限制',
  emerging: '興櫃沒有漲跌幅限制',
  new_twse: '上市前五日沒有漲跌幅限制',
  new_tpex: '上櫃前五日沒有漲跌幅限制',
}

/** Null when it lies within, or nothing is known. The limits hang on the last signal's price: they are an aid, not the exchange's. */
export function beyondLimits(
  price: number,
  reference: number | null,
  of: Of,
  terms: FoldTerms,
  facts: LimitFacts,
): string | null {
  const { symbol, trading_date } = of
  const limits = reference === null ? null : limitsOf(reference, { symbol, on: trading_date, terms })
  if (reference === null || !limits || !(price > 0)) return null
  if (price <= limits.up && price >= limits.down) return null
  const [way, word, limit] = price > limits.up ? ['高於', '漲停', limits.up] : ['低於', '跌停', limits.down]
  const reckoned = `${priceText(of, limit)}（以參考價 ${priceText(of, reference)} 推算）`
  const free = of.asset === 'stock' ? noLimit(symbol, trading_date, facts, terms.closed_days) : null
  return free
    ? `${way}一般的${word} ${reckoned}；${NONE[free]}，請確認價格。`
    : `${way}${word} ${reckoned}，請確認價格。`
}
