// Limit up and limit down from a reference price (domain §§2.2, 3.2, 3.3): ±10 %, rounded inwards to the tick of the raw result.
import { divFloor, type Scaled, scaled, toNumber } from './decimal.ts'
import { tickOf } from './fold/market.ts'
import { stockType } from './stocks.ts'
import type { FoldTerms } from './terms.ts'

/** ×10: ±10 % is 1. Leveraged ETFs (codes ending in L, twice) move by 10 % × their multiple. */
function tenths(symbol: string, { asset, tables }: FoldTerms): bigint | null {
  if (asset === 'futures') return 1n
  const type = stockType(symbol, tables)
  // bonds of other countries have none, a warrant's follow from its stock's
  if (type === 'bond_etf' || type === 'other') return null
  return type === 'etf' && symbol.endsWith('L') ? 2n : 1n
}

/** Null where none are known. `ref` is what they are reckoned from, the day before's close where it is at hand. */
export function limitsOf(
  ref: number,
  { symbol, on, terms }: { symbol: string; on: string; terms: FoldTerms },
): { up: number; down: number } | null {
  const part = tenths(symbol, terms)
  if (part === null || !(ref > 0)) return null
  const tick = (raw: Scaled) => scaled(tickOf(symbol, Number(raw) / 100_000, on, terms)) * 10n
  const [high, low] = [scaled(ref) * (10n + part), scaled(ref) * (10n - part)]
  return {
    up: toNumber((divFloor(high, tick(high)) * tick(high)) / 10n),
    down: toNumber((-divFloor(-low, tick(low)) * tick(low)) / 10n),
  }
}
