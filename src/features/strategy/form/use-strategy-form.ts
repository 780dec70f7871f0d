// The strategy form: what it holds, field by field as typed, checked by the contract; which fields were left, what the server refused.
import { useMemo, useState } from 'react'
import { type Ringing, ringingOf } from '#contract/channels.ts'
import { fieldMessagesOf } from '#contract/field-messages.ts'
import { ASSUMABLE, type COMMON, commonOf, defaultsOf } from '#contract/kinds/setting.ts'
import {
  checkStrategy,
  type Strategy,
  type StrategyChanges,
  type StrategyDraft,
  type StrategyInput,
  strategy_input,
} from '#contract/strategy.ts'
import { KINDS } from '#trading/kinds.ts'
import type { StrategyKind } from '#trading/record.ts'
import { type Source, sourcesOf } from '../connect/senders.ts'
import { FIELDS, KIND_FORMS, numberOf, type SettingName } from './kinds.ts'

/** What a text, number or select field needs, spread into it. */
export type BoundField<K extends FormKey> = {
  name: K
  value: FormValues[K]
  onChange: (value: FormValues[K]) => void
  onBlur: () => void
  error: string | undefined
}

/** `failed` counts the refused submits, so that the form can move the focus each time. */
export interface FormApi {
  kind: StrategyKind
  values: FormValues
  dirty: boolean
  failed: number
  /** Messages that belong to no field shown here. */
  rest: readonly string[]
  field: <K extends FormKey>(key: K) => BoundField<K>
  change: (changes: Partial<FormValues>) => void
  /** Gives the input when all fits; otherwise shows every message and gives null. */
  submit: () => StrategyDraft | null
  /** Takes the messages of a 4220 answer. */
  refuse: (fields: Record<string, string>) => void
  reset: (values: FormValues) => void
}

/** `start` what was there before the person typed; `first` what is shown at once (a restored draft). */
export function useStrategyForm(kind: StrategyKind, start: FormValues, first: FormValues = start): FormApi {
  const [values, setValues] = useState(first)
  const [left, setLeft] = useState<ReadonlySet<FormKey>>(new Set())
  const [all, setAll] = useState(false)
  const [refused, setRefused] = useState<{ fields: FormErrors; rest: string[] }>({ fields: {}, rest: [] })
  const [failed, setFailed] = useState(0)
  const checked = useMemo(() => check(values, kind), [values, kind])
  const dirty = useMemo(() => JSON.stringify(values) !== JSON.stringify(start), [values, start])

  const change = (changes: Partial<FormValues>) => {
    setValues((now) => ({ ...now, ...changes }))
    setRefused(({ fields }) => {
      const kept = { ...fields }
      for (const key of Object.keys(changes) as FormKey[]) delete kept[key]
      return { fields: kept, rest: [] }
    })
  }
  return {
    kind,
    values,
    dirty,
    failed,
    rest: refused.rest,
    change,
    field: (key) => ({
      name: key,
      value: values[key],
      onChange: (value) => change({ [key]: value } as Partial<FormValues>),
      onBlur: () => setLeft((now) => (now.has(key) ? now : new Set([...now, key]))),
      error: refused.fields[key] ?? (all || left.has(key) ? checked.fields[key] : undefined),
    }),
    submit() {
      setAll(true)
      if (checked.ok) return checked.input
      setFailed((count) => count + 1)
      return null
    },
    refuse(fields) {
      setRefused(byField(fields))
      setFailed((count) => count + 1)
    },
    reset(next) {
      setValues(next)
      setLeft(new Set())
      setAll(false)
      setRefused({ fields: {}, rest: [] })
    },
  }
}

// What the form holds: every field as it is typed, keyed by the path that the server's messages name.

type Unit = 'point' | 'twd' | 'percent'

/** Numbers stay text until they are checked; '' is empty or none. */
type CommonValues = {
  name: string
  summary: string
  note: string
  tags: string[]
  status: Strategy['status']
  /** '' nobody has said it yet: it is asked when it matters. */
  direction: Strategy['direction'] | ''
  trade_style: NonNullable<Strategy['trade_style']> | ''
  timeframe: NonNullable<Strategy['timeframe']> | ''
  /** '' as well. */
  initial_capital: string
  /** What might be left open: that was open before. */
  assumed: Strategy['assumed']
  quantity_mode: Strategy['quantity_mode']
  default_quantity: string
  max_position: string
  allow_pyramiding: boolean
  allow_reversal: boolean
  slippage_ticks: string
  'stop_loss.value': string
  'stop_loss.unit': Unit
  'take_profit.value': string
  'take_profit.unit': Unit
  late_after_s: string
  on_symbol_mismatch: Strategy['on_symbol_mismatch']
  'silence_alarm.enabled': boolean
  'silence_alarm.max_gap_minutes': string
  /** My own bell for it: kept with me, not with the strategy (wire §4, StrategyNotify). */
  notify: Ringing | 'own'
  /** Where its signals come from: what the step after it shows (never sent). */
  source: Source
}
/** The settings of every kind; those of other kinds stay at their start and are never sent. */
type SettingValues = { [K in SettingName as `settings.${K}`]: (typeof FIELDS)[K]['start'] }
/** Keys are the dotted paths of the contract. */
export type FormValues = CommonValues & SettingValues
export type FormKey = keyof FormValues

const ALL = Object.keys(FIELDS) as SettingName[]
const keyed = (of: (name: SettingName) => unknown, names: readonly SettingName[] = ALL) =>
  Object.fromEntries(names.map((name) => [`settings.${name}`, of(name)]))

/** What a strategy of any kind has stored, as this form shows it. */
type Common = Pick<Strategy, Exclude<keyof typeof COMMON, 'summary'>> & { summary: string }
type TypedCommon = Omit<CommonValues, 'notify' | 'source'>

const textOf = (value: number | null) => (value === null ? '' : String(value))

const typedOf = (of: Common): TypedCommon => ({
  name: of.name,
  summary: of.summary,
  note: of.note,
  tags: [...of.tags],
  status: of.status,
  direction: of.assumed?.includes('direction') ? '' : of.direction,
  trade_style: of.trade_style ?? '',
  timeframe: of.timeframe ?? '',
  initial_capital: of.assumed?.includes('initial_capital') ? '' : textOf(of.initial_capital),
  // one kept from before the field was asked for both
  assumed: [...(of.assumed ?? [])],
  quantity_mode: of.quantity_mode,
  default_quantity: textOf(of.default_quantity),
  max_position: textOf(of.max_position),
  allow_pyramiding: of.allow_pyramiding,
  allow_reversal: of.allow_reversal,
  slippage_ticks: textOf(of.slippage_ticks),
  'stop_loss.value': textOf(of.stop_loss?.value ?? null),
  'stop_loss.unit': of.stop_loss?.unit ?? 'point',
  'take_profit.value': textOf(of.take_profit?.value ?? null),
  'take_profit.unit': of.take_profit?.unit ?? 'point',
  late_after_s: textOf(of.late_after_s),
  on_symbol_mismatch: of.on_symbol_mismatch,
  'silence_alarm.enabled': of.silence_alarm.enabled,
  'silence_alarm.max_gap_minutes': textOf(of.silence_alarm.max_gap_minutes),
})

/** A new strategy of a kind: what the contract starts it with, and no name. */
export function freshOf(kind: StrategyKind): FormValues {
  return {
    ...typedOf({ name: '', ...defaultsOf(commonOf(kind)), assumed: [...ASSUMABLE] }),
    notify: 'ring',
    source: sourcesOf(kind)[0],
    ...(keyed((name) => FIELDS[name].start) as SettingValues),
  }
}

/** The fields of an existing strategy as the form shows them. */
export function valuesOf(strategy: Strategy): FormValues {
  const stored = strategy.settings as Partial<Record<SettingName, never>>
  // a strategy kept on this device from before a setting existed does not have it
  const own = KIND_FORMS[strategy.kind].settings.filter((name) => stored[name] !== undefined)
  return {
    ...freshOf(strategy.kind),
    ...typedOf({ ...strategy, summary: strategy.summary_text }),
    notify: ringingOf(strategy.my_notify),
    ...keyed((name) => FIELDS[name].typed(stored[name] as never), own),
  }
}

const exit = (value: string, unit: Unit) => (value === '' ? null : { value: numberOf(value), unit })

/** The contract's input of what the form of a kind holds. */
export function inputOf(values: FormValues, kind: StrategyKind): StrategyInput {
  const gap = values['silence_alarm.max_gap_minutes']
  // a month means something only where it is the rule
  const month = values['settings.contract_rule'] === 'month'
  const own: FormValues = {
    ...values,
    ...(!month && { 'settings.contract_month': '' }),
    // most people name the script as the strategy, or the other way round
    'settings.xq_script_name': values['settings.xq_script_name'].trim() || values.name,
  }
  const assumed = values.assumed.filter((name) => values[name] === '')
  const input = {
    name: values.name,
    summary: values.summary,
    note: values.note,
    tags: values.tags,
    status: values.status,
    direction: values.direction || KINDS[kind].direction,
    assumed,
    trade_style: values.trade_style || null,
    timeframe: values.timeframe || null,
    initial_capital: assumed.includes('initial_capital')
      ? KINDS[kind].initial_capital
      : numberOf(values.initial_capital),
    quantity_mode: values.quantity_mode,
    default_quantity: numberOf(values.default_quantity),
    max_position: numberOf(values.max_position),
    allow_pyramiding: values.allow_pyramiding,
    allow_reversal: values.allow_reversal,
    slippage_ticks: numberOf(values.slippage_ticks),
    stop_loss: exit(values['stop_loss.value'], values['stop_loss.unit']),
    take_profit: exit(values['take_profit.value'], values['take_profit.unit']),
    late_after_s: numberOf(values.late_after_s),
    on_symbol_mismatch: values.on_symbol_mismatch,
    silence_alarm: {
      enabled: values['silence_alarm.enabled'],
      max_gap_minutes: gap === '' ? null : numberOf(gap),
    },
    kind,
    settings: Object.fromEntries(
      KIND_FORMS[kind].settings.map((name) => [name, FIELDS[name].input(own[`settings.${name}`] as never)]),
    ),
  }
  // The settings are those of the kind, each as its own description reads it.
  return input as unknown as StrategyInput
}

// A kept draft back into the form of its kind: only fields that the form still knows, each of the right kind.

/** The draft's values over the defaults; null when nothing differs from a fresh form. */
export function restored(stored: unknown, kind: StrategyKind): FormValues | null {
  if (typeof stored !== 'object' || stored === null) return null
  const kept = stored as Partial<Record<FormKey, unknown>>
  const fresh = freshOf(kind)
  const fitting = (Object.keys(fresh) as FormKey[])
    .map((key) => [key, kept[key]] as const)
    .filter(([key, value]) => fits(value, fresh[key]))
  // one kept from before there were three choices said on or off
  const quieted = kept.notify === false && { notify: 'off' as const }
  const values = { ...fresh, ...Object.fromEntries(fitting), ...quieted }
  return JSON.stringify(values) === JSON.stringify(fresh) ? null : values
}

/** Lists in the form are lists of texts; what starts as nothing is not typed, and never kept. */
function fits(value: unknown, fresh: FormValues[FormKey]): boolean {
  if (Array.isArray(fresh)) return Array.isArray(value) && value.every((one) => typeof one === 'string')
  return fresh !== null && typeof value === typeof fresh
}

// Checks a whole form by the contract's own rules, so that form and server say the same sentence, and finds what changed.

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
