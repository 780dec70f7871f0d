// Checks a whole form by the contract's own rules, so that form and server say the same sentence, and finds what changed.
import { fieldMessagesOf } from '#contract/field-messages.ts'
import {
  checkStrategy,
  type StrategyChanges,
  type StrategyDraft,
  strategy_input,
} from '#contract/strategy.ts'
import type { StrategyKind } from '#trading/record.ts'
import { type FormKey, type FormValues, freshOf, inputOf } from './values.ts'

export type FormErrors = Partial<Record<FormKey, string>>
export type CheckedDraft =
  | { ok: true; input: StrategyDraft; fields: FormErrors }
  | { ok: false; fields: FormErrors }

const KEYS = Object.keys(freshOf('futures')) as FormKey[]

/** The form's field of a path in the contract: tags.3 → tags, stop_loss → stop_loss.value; null when no field shows it. */
export function keyOf(path: string): FormKey | null {
  return (
    KEYS.find((key) => key === path) ??
    KEYS.find((key) => path.startsWith(`${key}.`)) ??
    KEYS.find((key) => key.startsWith(`${path}.`)) ??
    null
  )
}

/** Messages by field; what no field shows is left in `rest`. The first message of a field wins. */
export function byField(fields: Record<string, string>): { fields: FormErrors; rest: string[] } {
  const found: FormErrors = {}
  const rest: string[] = []
  for (const [path, message] of Object.entries(fields)) {
    const key = keyOf(path)
    if (key === null) rest.push(message)
    else found[key] ??= message
  }
  return { fields: found, rest }
}

/** What is wrong, by field; or the input to send. */
export function check(values: FormValues, kind: StrategyKind): CheckedDraft {
  const parsed = strategy_input.safeParse(inputOf(values, kind))
  if (!parsed.success) return { ok: false, fields: byField(fieldMessagesOf(parsed.error)).fields }
  const { fields } = byField(checkStrategy(parsed.data))
  return Object.keys(fields).length > 0 ? { ok: false, fields } : { ok: true, input: parsed.data, fields }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Only what differs, settings key by key: two devices that edit different fields do not overwrite each other. */
export function changesOf(before: StrategyDraft, after: StrategyDraft): StrategyChanges {
  const changes: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(after)) {
    if (key === 'kind' || key === 'settings') continue
    if (!same(value, before[key as keyof StrategyDraft])) changes[key] = value
  }
  const old = new Map(Object.entries(before.settings))
  const settings = Object.entries(after.settings).filter(([key, value]) => !same(value, old.get(key)))
  if (settings.length > 0) changes['settings'] = Object.fromEntries(settings)
  return changes as StrategyChanges
}
