// Exact sums that are plain JSON: a number as long as it holds the value exactly, its decimal text beyond that.
import { type Scaled, scaled } from '../decimal.ts'

/** A value ×10^4: a safe integer, or the text of a larger one. */
export type Sum = number | string

/** The value ×10^4 of an amount; RangeError when it has more than 4 decimals. */
export function sumOf(amount: number): Sum {
  // Below 10^15 a quotient that gives the number back is the only decimal it can mean (see decimal.ts).
  const near = Math.round(amount * 10_000)
  if (Math.abs(near) < 1e15 && near / 10_000 === amount) return near === 0 ? 0 : near
  return narrow(scaled(amount))
}

/** a + b; numbers whose sum is safe cannot have been rounded. */
export function plus(a: Sum, b: Sum): Sum {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (Number.isSafeInteger(sum)) return sum
  }
  return narrow(BigInt(a) + BigInt(b))
}

/** a − b. */
export function minus(a: Sum, b: Sum): Sum {
  return typeof b === 'number' ? plus(a, b === 0 ? 0 : -b) : narrow(BigInt(a) - BigInt(b))
}

/** Whether a > b. */
export function above(a: Sum, b: Sum): boolean {
  return typeof a === 'number' && typeof b === 'number' ? a > b : BigInt(a) > BigInt(b)
}

/** The value as BigInt ×10^4. */
export function exact(sum: Sum): Scaled {
  return BigInt(sum)
}

function narrow(value: bigint): Sum {
  const near = Number(value)
  return Number.isSafeInteger(near) ? near : value.toString()
}
