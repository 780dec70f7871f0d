// A rule as it stands in its form, and the input it becomes.
import type { InputOf } from '#contract/endpoint.ts'
import type { createStockSetting, RuledFor, StockSignalSetting } from '#contract/stock-signal-setting.ts'
import type { RuleAction, RuleResult, SecurityType } from '#trading/stock-rules.ts'

/** Typed texts; '' = not asked. */
export const TYPED = [
  'name',
  'min_price',
  'max_price',
  'min_volume',
  'min_amount',
  'time_from',
  'time_to',
  'note_keyword',
  'cooldown_minutes',
  'daily_limit',
  'daily_total_limit',
  'quantity_override',
] as const
export type Typed = Record<(typeof TYPED)[number], string>

/** What is chosen, not typed. */
export interface Chosen {
  symbols: string[]
  exclude_symbols: string[]
  actions: RuleAction[]
  security_type: SecurityType
  result: RuleResult
}

export type RuleInput = Omit<InputOf<typeof createStockSetting>, 'id'>

const textOf = (value: number | string | null) => (value === null || value === 0 ? '' : String(value))

/** What stands in the fields; `known` null = a new one. */
export function typedOf(known: StockSignalSetting | null): Typed {
  if (known === null) return Object.fromEntries(TYPED.map((name) => [name, ''])) as Typed
  const { name, quantity_override, match, limits } = known
  const all = { ...match, ...limits, name, quantity_override }
  return Object.fromEntries(TYPED.map((field) => [field, textOf(all[field])])) as Typed
}

export function chosenOf(known: StockSignalSetting | null): Chosen {
  const { symbols = [], exclude_symbols = [], actions = [], security_type = 'any' } = known?.match ?? {}
  const lists = { symbols: [...symbols], exclude_symbols: [...exclude_symbols], actions: [...actions] }
  return { ...lists, security_type, result: known?.result ?? 'record_notify' }
}

const numberOf = (text: string) => (text.trim() === '' ? null : Number(text))
const wordOf = (text: string) => text.trim() || null

/** The call's input; what does not fit is said by its shape. */
export function inputOf(applies_to: RuledFor, typed: Typed, chosen: Chosen, enabled: boolean): RuleInput {
  const { result, ...lists } = chosen
  return {
    applies_to,
    enabled,
    name: typed.name.trim(),
    result,
    match: {
      ...lists,
      min_price: numberOf(typed.min_price),
      max_price: numberOf(typed.max_price),
      min_volume: numberOf(typed.min_volume),
      min_amount: numberOf(typed.min_amount),
      time_from: wordOf(typed.time_from),
      time_to: wordOf(typed.time_to),
      note_keyword: wordOf(typed.note_keyword),
    },
    limits: {
      cooldown_minutes: numberOf(typed.cooldown_minutes) ?? 0,
      daily_limit: numberOf(typed.daily_limit) ?? 0,
      daily_total_limit: numberOf(typed.daily_total_limit) ?? 0,
    },
    quantity_override: numberOf(typed.quantity_override),
  }
}

/** Messages by field: of `match.symbols.3` the last word that is a field's. */
export function byField(messages: Record<string, string>): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [path, message] of Object.entries(messages)) {
    const field = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path
    found[field] ??= message
  }
  return found
}
