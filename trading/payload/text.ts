// The texts a message carries along: id, note, timeframe, and whatever leaves nobody asked for.

import { isEmpty, type Scalar } from './leaf.ts'
import { placeholderIn } from './placeholder.ts'
import { withoutUnseen } from './unseen.ts'
import { first, type Uses } from './uses.ts'
import type { FieldName } from './vocabulary/names.ts'
import { keyName } from './vocabulary/spell.ts'

/** A field as text of at most `limit` characters; null when absent, not text, or with an unfilled variable. */
export function textOf(uses: Uses, name: FieldName, limit: number): string | null {
  const value = first(uses, name)?.value
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = withoutUnseen(String(value)).trim()
  return text === '' || placeholderIn(text) !== null ? null : cut(text, limit)
}

/** At most `limit` UTF-16 units, never half a character, and nothing that hides or turns what others read. */
export function cut(text: string, limit: number): string {
  return withoutUnseen(text)
    .slice(0, limit)
    .replace(/[\uD800-\uDBFF]$/, '')
}

/** Leaves that are no field of ours, for display and for rules (volume, name, …): at most 30, texts ≤ 200. */
export function extrasOf(uses: Uses): Record<string, Scalar> {
  const fields = new Set(uses.said.map(({ path }) => path))
  const extras = new Map<string, Scalar>()
  for (const { path, name, value } of uses.leaves) {
    if (fields.has(path) || isEmpty(value) || extras.size >= 30) continue
    const short = keyName(name)
    const key = cut(short === '' || extras.has(short) ? path : short, 40)
    if (key !== '' && !extras.has(key)) extras.set(key, typeof value === 'string' ? cut(value, 200) : value)
  }
  return Object.fromEntries(extras)
}
