// What the form holds: every field as it is typed, keyed by the path that the server's messages name.
import type { Strategy, StrategyInput } from '#contract/strategy.ts'
import { findProduct } from '#trading/products.ts'

type Unit = 'point' | 'twd' | 'percent'

/** Numbers stay text until they are checked; '' is empty or none. Keys are the dotted paths of the contract. */
export type FormValues = {
  name: string
  summary: string
  note: string
  tags: string[]
  status: Strategy['status']
  direction: Strategy['direction']
  trade_style: NonNullable<Strategy['trade_style']> | ''
  timeframe: NonNullable<Strategy['timeframe']> | ''
  initial_capital: string
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
  'settings.product_code': string
  'settings.contract_rule': 'near' | 'next' | 'month'
  'settings.contract_month': string
  'settings.session': 'day' | 'day_night'
  'settings.fee_per_side': string
}
export type FormKey = keyof FormValues

/** A new futures strategy: 小台 near month, the defaults of the contract. */
export const NEW_FUTURES: FormValues = {
  name: '',
  summary: '',
  note: '',
  tags: [],
  status: 'active',
  direction: 'both',
  trade_style: '',
  timeframe: '',
  initial_capital: '500000',
  quantity_mode: 'signal',
  default_quantity: '1',
  max_position: '10',
  allow_pyramiding: true,
  allow_reversal: true,
  slippage_ticks: '0',
  'stop_loss.value': '',
  'stop_loss.unit': 'point',
  'take_profit.value': '',
  'take_profit.unit': 'point',
  late_after_s: '120',
  on_symbol_mismatch: 'reject',
  'silence_alarm.enabled': false,
  'silence_alarm.max_gap_minutes': '',
  'settings.product_code': 'MXF',
  'settings.contract_rule': 'near',
  'settings.contract_month': '',
  'settings.session': 'day_night',
  'settings.fee_per_side': String(findProduct('MXF')?.default_fee ?? ''),
}

const textOf = (value: number | null) => (value === null ? '' : String(value))

/** The fields of an existing strategy as the form shows them. */
export function valuesOf(strategy: Strategy): FormValues {
  const futures = strategy.kind === 'futures' ? strategy.settings : null
  return {
    name: strategy.name,
    summary: strategy.summary_text,
    note: strategy.note,
    tags: [...strategy.tags],
    status: strategy.status,
    direction: strategy.direction,
    trade_style: strategy.trade_style ?? '',
    timeframe: strategy.timeframe ?? '',
    initial_capital: textOf(strategy.initial_capital),
    quantity_mode: strategy.quantity_mode,
    default_quantity: textOf(strategy.default_quantity),
    max_position: textOf(strategy.max_position),
    allow_pyramiding: strategy.allow_pyramiding,
    allow_reversal: strategy.allow_reversal,
    slippage_ticks: textOf(strategy.slippage_ticks),
    'stop_loss.value': textOf(strategy.stop_loss?.value ?? null),
    'stop_loss.unit': strategy.stop_loss?.unit ?? 'point',
    'take_profit.value': textOf(strategy.take_profit?.value ?? null),
    'take_profit.unit': strategy.take_profit?.unit ?? 'point',
    late_after_s: textOf(strategy.late_after_s),
    on_symbol_mismatch: strategy.on_symbol_mismatch,
    'silence_alarm.enabled': strategy.silence_alarm.enabled,
    'silence_alarm.max_gap_minutes': textOf(strategy.silence_alarm.max_gap_minutes),
    'settings.product_code': futures?.product_code ?? '',
    'settings.contract_rule': futures?.contract_rule ?? 'near',
    'settings.contract_month': futures?.contract_month ?? '',
    'settings.session': futures?.session ?? 'day',
    'settings.fee_per_side': textOf(futures?.fee_per_side ?? null),
  }
}

/** Typed text as a number; NaN when it is none, so that an empty field is refused instead of getting a default. */
function numberOf(text: string): number {
  return /^-?(\d+\.?\d*|\.\d+)$/.test(text.trim()) ? Number(text) : Number.NaN
}

const exit = (value: string, unit: Unit) => (value === '' ? null : { value: numberOf(value), unit })

/** The contract's input of what the form holds. `base` is the strategy being edited: its kind and, unless futures, its settings stand. */
export function inputOf(values: FormValues, base?: Strategy): StrategyInput {
  const gap = values['silence_alarm.max_gap_minutes']
  const common = {
    name: values.name,
    summary: values.summary,
    note: values.note,
    tags: values.tags,
    status: values.status,
    direction: values.direction,
    trade_style: values.trade_style || null,
    timeframe: values.timeframe || null,
    initial_capital: numberOf(values.initial_capital),
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
  }
  if (base?.kind === 'stock') return { ...common, kind: 'stock', settings: base.settings }
  if (base?.kind === 'xq-stock') return { ...common, kind: 'xq-stock', settings: base.settings }
  const month = values['settings.contract_rule'] === 'month'
  return {
    ...common,
    kind: 'futures',
    settings: {
      product_code: values['settings.product_code'],
      contract_rule: values['settings.contract_rule'],
      contract_month: month ? values['settings.contract_month'] || null : null,
      session: values['settings.session'],
      fee_per_side: numberOf(values['settings.fee_per_side']),
    },
  }
}
