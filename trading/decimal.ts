// Exact decimal arithmetic: every price and amount is a BigInt of the value ×10^4, never a binary float.

/** A value ×10^4. */
export type Scaled = bigint

const ONE = 10_000n
const EXACT = BigInt(Number.MAX_SAFE_INTEGER)
const PLAIN = /^-?\d{1,30}(\.\d{1,20})?$/

/** Exact value ×10^4 of a number or decimal text; RangeError on NaN, exponents beyond plain text or more than 4 decimals. */
export function scaled(value: number | string): Scaled {
  if (typeof value === 'number') {
    // Most prices have few decimals: below 10^11 doubles lie closer than 10^-4, so a quotient that gives the number
    // back is the only decimal it can mean, and no text is needed.
    const near = Math.round(value * 10_000)
    if (Math.abs(near) < 1e15 && near / 10_000 === value) return BigInt(near)
  }
  const text = typeof value === 'number' ? plainText(value) : value.trim()
  if (!PLAIN.test(text)) throw new RangeError(`not a decimal number: ${text}`)
  const negative = text.startsWith('-')
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.')
  const kept = fraction.slice(0, 4).padEnd(4, '0')
  if (/[1-9]/.test(fraction.slice(4))) throw new RangeError(`more than 4 decimals: ${text}`)
  const size = BigInt(whole) * ONE + BigInt(kept)
  return negative ? -size : size
}

/** Exact integer value ×10^places of a rate such as 0.001425; RangeError when it has more decimals. */
export function scaledRate(value: number, places = 8): bigint {
  const near = Math.round(value * 10 ** places)
  if (places <= 8 && Math.abs(near) < 1e15 && near / 10 ** places === value) return BigInt(near)
  const text = plainText(value)
  if (!PLAIN.test(text)) throw new RangeError(`not a decimal number: ${text}`)
  const negative = text.startsWith('-')
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.')
  if (/[1-9]/.test(fraction.slice(places))) throw new RangeError(`more than ${places} decimals: ${text}`)
  const size = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'))
  return negative ? -size : size
}

/** Whether a number is finite and has at most 4 decimals in its shortest decimal text. */
export function isDecimal4(n: number): boolean {
  if (!Number.isFinite(n)) return false
  const text = plainText(n)
  if (!PLAIN.test(text)) return false
  return !/[1-9]/.test((text.split('.')[1] ?? '').slice(4))
}

/** The JSON number nearest to a scaled value. */
export function toNumber(value: Scaled): number {
  // Both sides of the division are exact, so the quotient is the nearest double, the same one the text would give.
  return value <= EXACT && value >= -EXACT ? Number(value) / 10_000 : Number(toText(value))
}

/** Decimal text without trailing zeros: 465125000n → "46512.5". */
export function toText(value: Scaled): string {
  const size = value < 0n ? -value : value
  const fraction = (size % ONE)
    .toString()
    .padStart(4, '0')
    .replace(/0{1,4}$/, '')
  const text = fraction === '' ? `${size / ONE}` : `${size / ONE}.${fraction}`
  return value < 0n ? `-${text}` : text
}

/** floor(a / b) for any signs; b must not be 0. */
export function divFloor(a: bigint, b: bigint): bigint {
  const q = a / b
  return a % b !== 0n && a < 0n !== b < 0n ? q - 1n : q
}

/** a / b rounded half away from zero ("half up" for amounts); b must be positive. */
export function divHalfUp(a: bigint, b: bigint): bigint {
  return a < 0n ? -((-2n * a + b) / (2n * b)) : (2n * a + b) / (2n * b)
}

/** a × b for two scaled values, rounded half up to 4 decimals (exact whenever one of them is whole). */
export function mul(a: Scaled, b: Scaled): Scaled {
  return divHalfUp(a * b, ONE)
}

/** Scaled value floored to whole units, still scaled. */
export function floorToWhole(value: Scaled): Scaled {
  return divFloor(value, ONE) * ONE
}

/** Scaled value rounded half up to whole units, still scaled. */
export function roundHalfUpWhole(value: Scaled): Scaled {
  return divHalfUp(value, ONE) * ONE
}

/** A whole count (lots, shares, ticks) as a scaled value. */
export function whole(n: number): Scaled {
  return BigInt(n) * ONE
}

/** A ratio of two scaled values as a JSON number with `places` decimals, half up; null when the divisor is 0. */
export function ratio(a: Scaled, b: Scaled, places = 10): number | null {
  if (b === 0n) return null
  const unit = 10n ** BigInt(places)
  const value = divHalfUp(b < 0n ? -a * unit : a * unit, b < 0n ? -b : b)
  const size = value < 0n ? -value : value
  const text = `${size / unit}.${(size % unit).toString().padStart(places, '0')}`
  return Number(value < 0n ? `-${text}` : text)
}

/** Numbers below 1e-6 or above 1e21 print with an exponent; those are rewritten without it. */
function plainText(n: number): string {
  const text = String(n)
  return text.includes('e-') ? n.toFixed(20) : text.includes('e+') ? BigInt(n).toString() : text
}
