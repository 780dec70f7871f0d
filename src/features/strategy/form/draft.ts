// A kept draft back into the form: only fields that the form still knows, each of the right kind.
import { type FormKey, type FormValues, NEW_FUTURES } from './values.ts'

/** The draft's values over the defaults; null when nothing differs from a fresh form. */
export function restored(stored: unknown): FormValues | null {
  if (typeof stored !== 'object' || stored === null) return null
  const kept = stored as Record<string, unknown>
  const values: Record<string, unknown> = { ...NEW_FUTURES }
  for (const key of Object.keys(NEW_FUTURES) as FormKey[]) {
    const value = kept[key]
    if (key === 'tags') {
      if (Array.isArray(value) && value.every((tag) => typeof tag === 'string')) values[key] = value
    } else if (typeof value === typeof NEW_FUTURES[key]) values[key] = value
  }
  return JSON.stringify(values) === JSON.stringify(NEW_FUTURES) ? null : (values as FormValues)
}
