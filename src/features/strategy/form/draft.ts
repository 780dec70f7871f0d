// A kept draft back into the form of its kind: only fields that the form still knows, each of the right kind.
import type { StrategyKind } from '#trading/record.ts'
import { type FormKey, type FormValues, freshOf } from './values.ts'

/** The draft's values over the defaults; null when nothing differs from a fresh form. */
export function restored(stored: unknown, kind: StrategyKind): FormValues | null {
  if (typeof stored !== 'object' || stored === null) return null
  const kept = stored as Partial<Record<FormKey, unknown>>
  const fresh = freshOf(kind)
  const fitting = (Object.keys(fresh) as FormKey[])
    .map((key) => [key, kept[key]] as const)
    .filter(([key, value]) => fits(value, fresh[key]))
  const values = { ...fresh, ...Object.fromEntries(fitting) }
  return JSON.stringify(values) === JSON.stringify(fresh) ? null : values
}

/** Lists in the form are lists of texts; what starts as nothing is not typed, and never kept. */
function fits(value: unknown, fresh: FormValues[FormKey]): boolean {
  if (Array.isArray(fresh)) return Array.isArray(value) && value.every((one) => typeof one === 'string')
  return fresh !== null && typeof value === typeof fresh
}
