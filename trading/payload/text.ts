// The texts a message carries along: id, note, timeframe, and whatever fields nobody asked for.
import { ALIASES, type FieldName, type Fields, pick, type Scalar } from './fields.ts'
import { placeholderIn } from './values.ts'

/** A field as text of at most `limit` characters; null when absent, not text, or with an unfilled variable. */
export function textOf(fields: Fields, name: FieldName, limit: number): string | null {
  const value = pick(fields, name)?.value
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = String(value).trim()
  return text === '' || placeholderIn(text) !== null ? null : cut(text, limit)
}

/** At most `limit` UTF-16 units, never half a character. */
export function cut(text: string, limit: number): string {
  return text
    .toWellFormed()
    .slice(0, limit)
    .replace(/[\uD800-\uDBFF]$/, '')
}

const KNOWN: ReadonlySet<string> = new Set(Object.values(ALIASES).flat())

/** Fields no alias knows, for display and for rules (volume, name, …): at most 30, texts ≤ 200. */
export function extrasOf(fields: Fields): Record<string, Scalar> {
  const rest = [...fields]
    .filter(([key, value]) => !KNOWN.has(key) && key !== '' && value !== '')
    .slice(0, 30)
  return Object.fromEntries(
    rest.map(([key, value]) => [cut(key, 40), typeof value === 'string' ? cut(value, 200) : value]),
  )
}
