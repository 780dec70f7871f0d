// A rule as it stands in its form, and the input it becomes.
import type { InputOf } from '#contract/endpoint.ts'
import type { createStockSetting, RuledFor, StockSignalSetting } from '#contract/stock-signal-setting.ts'
import { number } from '#text/format.ts'
import { stockName } from '#trading/products.ts'
import { ACTION_WORDS } from '#trading/record-words.ts'
import type { RuleAction, RuleResult, SecurityType } from '#trading/stock-rules.ts'
import type { IconName } from '#ui/Icon.tsx'
import type { TagTone } from '#ui/Tag.tsx'

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

// What a rule says, in one line each: what it asks for, and what it does.

type Rule = Pick<StockSignalSetting, 'match' | 'limits' | 'quantity_override' | 'result' | 'applies_to'>

interface ResultWords {
  name: string
  /** What a form says of it. */
  hint: string
  tone: TagTone
  icon: IconName
}

/** Of the strategy's rules: what becomes of a signal. */
export const RESULTS = {
  record_notify: { name: '記錄並通知', hint: '成為訊號，照各人的設定通知。', tone: 'good', icon: 'bell' },
  record_only: {
    name: '只記錄',
    hint: '成為訊號，算部位與損益，不通知任何人。',
    tone: 'neutral',
    icon: 'rows',
  },
  ignore: {
    name: '忽略',
    hint: '訊息留在接收紀錄，不成為訊號。持有的那一檔，出場照樣記錄。',
    tone: 'warn',
    icon: 'bell-off',
  },
} as const satisfies Record<RuleResult, ResultWords>

/** Of one's own: what one is told. */
export const OWN_RESULTS = {
  record_notify: { ...RESULTS.record_notify, name: '通知', hint: '照我的通知設定通知我。' },
  ignore: { ...RESULTS.ignore, name: '不通知', hint: '不通知我，收件匣也沒有；訊號紀錄不受影響。' },
} as const

/** The result of a rule in a word, with its sign. */
export function resultOf({ applies_to, result }: Pick<Rule, 'applies_to' | 'result'>): ResultWords {
  if (applies_to === 'strategy') return RESULTS[result]
  return result === 'record_notify' ? OWN_RESULTS.record_notify : OWN_RESULTS.ignore
}

export const TYPES = { any: '全部', stock: '只有股票', etf: '只有 ETF' } as const satisfies Record<
  SecurityType,
  string
>

/** Symbols named in full; more than three are counted. */
function named(symbols: readonly string[]): string {
  const first = symbols.slice(0, 3).map((symbol) => {
    const name = stockName(symbol)
    return name === symbol ? symbol : `${symbol} ${name}`
  })
  return first.join('、') + (symbols.length > 3 ? ` 等 ${symbols.length} 檔` : '')
}

/** A bound on one side or both, with what stands behind each. */
const between = (
  from: string | null,
  to: string | null,
  [least, most]: readonly [string, string],
  unit = '',
): string[] => {
  if (from !== null && to !== null) return [`${from}–${to}${unit}`]
  if (from !== null) return [`${from}${unit}${least}`]
  return to === null ? [] : [`${to}${unit}${most}`]
}
const shown = (value: number | null) => (value === null ? null : number(value))

/** What a signal has to be for the rule; 「每一筆」 when it asks nothing. */
export function conditionsOf({ match }: Pick<Rule, 'match'>): string {
  const parts = [
    ...(match.symbols.length > 0 ? [named(match.symbols)] : []),
    ...(match.exclude_symbols.length > 0 ? [`除了 ${named(match.exclude_symbols)}`] : []),
    ...(match.security_type === 'any' ? [] : [TYPES[match.security_type]]),
    ...(match.actions.length > 0 ? [match.actions.map((action) => ACTION_WORDS[action]).join('、')] : []),
    ...between(shown(match.min_price), shown(match.max_price), ['以上', '以下'], ' 元'),
    ...(match.min_volume === null ? [] : [`成交量 ${number(match.min_volume)} 張以上`]),
    ...(match.min_amount === null ? [] : [`金額 ${number(match.min_amount)} 元以上`]),
    ...between(match.time_from, match.time_to, [' 以後', ' 以前']),
    ...(match.note_keyword === null ? [] : [`備註有「${match.note_keyword}」`]),
  ]
  return parts.length > 0 ? parts.join(' · ') : '每一筆'
}

/** What bounds the telling, and the size it gives; '' when nothing does. `unit`: 張 or 股. */
export function boundsOf(
  { limits, quantity_override }: Pick<Rule, 'limits' | 'quantity_override'>,
  unit: string,
): string {
  const { cooldown_minutes, daily_limit, daily_total_limit } = limits
  return [
    ...(cooldown_minutes > 0 ? [`同一檔同一動作隔 ${number(cooldown_minutes)} 分鐘才再通知`] : []),
    ...(daily_limit > 0 ? [`每檔每日 ${number(daily_limit)} 筆`] : []),
    ...(daily_total_limit > 0 ? [`每日共 ${number(daily_total_limit)} 筆`] : []),
    ...(quantity_override === null ? [] : [`進場一律 ${number(quantity_override)} ${unit}`]),
  ].join(' · ')
}
