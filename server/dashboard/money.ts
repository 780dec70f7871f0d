// Sums of amounts on the wire, exact: scaled integers inside, a number with at most 4 decimals outside.
import { scaled, toNumber } from '#trading/decimal.ts'

/** The sum of amounts (NT$). */
export function amountSum(amounts: readonly number[]): number {
  return toNumber(amounts.reduce((sum, amount) => sum + scaled(amount), 0n))
}
