/* Exact decimal stepping on texts, so that 0.1 + 0.2 is 0.3 in a price field. */

/** Commas that part groups of three digits. */
const GROUPED = /^-?\d{1,3}(,\d{3})+(\.\d*)?$/

/**
 * Typed text → plain decimal text: full-width to half-width, separators and spaces out, − to -. Not a check. A comma that parts no
 * group of three stays, so that whoever checks refuses it: `12,5` is never 125.
 */
export function plainNumber(text: string): string {
  const typed = text
    .normalize('NFKC')
    .replace(/\s/g, '')
    .replace(/[−－–]/g, '-')
  return GROUPED.test(typed) ? typed.replaceAll(',', '') : typed
}

/** Decimal text as an integer scaled by 10^places; null when it is not a plain decimal. */
function scaled(text: string, places: number): bigint | null {
  const found = /^(-?)(\d*)\.?(\d*)$/.exec(text)
  if (!found || (found[2] === '' && found[3] === '')) return null
  const digits = BigInt((found[2] || '0') + (found[3] ?? '').padEnd(places, '0').slice(0, places))
  return found[1] ? -digits : digits
}

/** The next multiple of `step` in `direction` from `value` (empty counts as 0), kept within min and max. All are decimal texts; the answer has the decimals of the longest. */
export function stepped(value: string, step: string, direction: 1 | -1, min?: string, max?: string): string {
  const places = Math.max(...[value, step].map((text) => text.split('.')[1]?.length ?? 0))
  const by = scaled(step, places)
  if (by === null || by <= 0n) return value
  const from = scaled(value || '0', places)
  if (from === null) return value
  const rest = ((from % by) + by) % by
  let next = direction > 0 ? from - rest + by : from - (rest === 0n ? by : rest)
  const low = min === undefined ? null : scaled(min, places)
  const high = max === undefined ? null : scaled(max, places)
  if (low !== null && next < low) next = low
  if (high !== null && next > high) next = high
  const digits = (next < 0n ? -next : next).toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  return `${next < 0n ? '-' : ''}${places ? `${whole}.${digits.slice(-places)}` : whole}`
}
