// Which signals of stocks count, and which are told (domain §8.1): rules in an order, the first that fits wins.
import { taipei } from './calendar.ts'
import { scaled } from './decimal.ts'
import { stockType } from './products.ts'
import type { Action, NormalSignal } from './record.ts'

/** `record_notify` 記錄並通知 · `record_only` 只記錄 · `ignore` 忽略: the message is kept, and is no signal. */
export const RULE_RESULTS = ['record_notify', 'record_only', 'ignore'] as const
export const SECURITY_TYPES = ['any', 'stock', 'etf'] as const
/** What a rule may ask for: the words of orders, without those that name a position. */
export const RULE_ACTIONS = [
  'buy',
  'sell',
  'long_entry',
  'long_exit',
  'short_entry',
  'short_exit',
  'close_all',
] as const satisfies readonly Action[]

export type RuleResult = (typeof RULE_RESULTS)[number]
export type SecurityType = (typeof SECURITY_TYPES)[number]
export type RuleAction = (typeof RULE_ACTIONS)[number]

/** Conditions that hold together; an empty list, null and `any` ask nothing. */
export interface RuleMatch {
  symbols: readonly string[]
  exclude_symbols: readonly string[]
  actions: readonly RuleAction[]
  min_price: number | null
  max_price: number | null
  /** 張, of what the message says was traded. */
  min_volume: number | null
  /** NT$: price × shares. */
  min_amount: number | null
  /** `HH:mm` in Taipei, both included. */
  time_from: string | null
  time_to: string | null
  security_type: SecurityType
  note_keyword: string | null
}

/** 0 = none. */
export interface RuleLimits {
  /** Between two that are told, of one symbol and action. */
  cooldown_minutes: number
  /** Told on one day, of one symbol. */
  daily_limit: number
  /** Told on one day. */
  daily_total_limit: number
}

export interface StockRule {
  id: string
  name: string
  enabled: boolean
  match: RuleMatch
  result: RuleResult
  limits: RuleLimits
  /** Of an entry, instead of what the message says; in shares. Null = as it says. */
  quantity_override: number | null
}

/** What a rule looks at. */
export interface RuledSignal {
  symbol: string
  action: Action
  price: number | null
  /** Shares. */
  quantity: number | null
  /** 張. */
  volume: number | null
  /** When it fired, ISO. */
  occurred_at: string
  note: string | null
}

/** What a rule told of one symbol before, and of all. */
export interface ToldBefore {
  /** When the last one of this symbol and action came, ISO; null = none within a day. */
  last_at: string | null
  /** Of this symbol, today in Taipei. */
  today: number
  /** Of every symbol. */
  today_in_all: number
}

/** Why it is not as the rule says: a limit is reached, or it closes what is held. */
export type RulingCause = 'cooldown' | 'daily' | 'daily_total' | 'held'

export interface Ruling {
  /** The one that won; null when none fits: then it is recorded and told. */
  rule: StockRule | null
  result: RuleResult
  cause: RulingCause | null
}

/** The first enabled rule of which every condition holds, or null. What a message does not say fits no condition. */
export function ruleFor(rules: readonly StockRule[], signal: RuledSignal): StockRule | null {
  return rules.find(({ enabled, match }) => enabled && fits(match, signal)) ?? null
}

/**
 * What becomes of a signal that came at `at`. `told` says what a rule told of its symbol and action before, `held` the shares held
 * of its symbol, signed: what closes them is never left out, so that no position gets stuck.
 */
export function ruled(
  rules: readonly StockRule[],
  signal: RuledSignal,
  { at, told, held }: { at: string; told: (rule: StockRule) => ToldBefore; held: number },
): Ruling {
  const rule = ruleFor(rules, signal)
  if (!rule) return { rule, result: 'record_notify', cause: null }
  if (rule.result === 'ignore' && mayClose(signal.action, held))
    return { rule, result: 'record_only', cause: 'held' }
  const cause =
    rule.result === 'record_notify' && hasLimits(rule) ? reached(rule.limits, told(rule), at) : null
  return { rule, result: cause === null ? rule.result : 'record_only', cause }
}

/** True when an order can make what is held smaller, whatever it says of its size. */
export function mayClose(action: Action, held: number): boolean {
  if (held === 0) return false
  switch (action) {
    case 'long_entry':
      return held < 0
    case 'short_entry':
      return held > 0
    case 'buy':
    case 'short_exit':
      return held < 0
    case 'sell':
    case 'long_exit':
      return held > 0
    case 'add':
      return false
    case 'close_all':
    case 'exit':
    case 'reverse':
    case 'target':
      return true
  }
}

/** Which of a rule's limits stands against telling one more. */
function reached(
  { cooldown_minutes, daily_limit, daily_total_limit }: RuleLimits,
  { last_at, today, today_in_all }: ToldBefore,
  at: string,
): Exclude<RulingCause, 'held'> | null {
  const since = Date.parse(at) - cooldown_minutes * 60_000
  if (cooldown_minutes > 0 && last_at !== null && Date.parse(last_at) > since) return 'cooldown'
  if (daily_limit > 0 && today >= daily_limit) return 'daily'
  return daily_total_limit > 0 && today_in_all >= daily_total_limit ? 'daily_total' : null
}

/** True when a rule counts what it told. */
export function hasLimits({ limits }: Pick<StockRule, 'limits'>): boolean {
  return limits.cooldown_minutes > 0 || limits.daily_limit > 0 || limits.daily_total_limit > 0
}

function fits(match: RuleMatch, signal: RuledSignal): boolean {
  const { symbol, action, price, quantity, volume, occurred_at, note } = signal
  const listed = (list: readonly string[], value: string) => list.length === 0 || list.includes(value)
  const least = (bound: number | null, value: number | null) =>
    bound === null || (value !== null && value >= bound)
  const time = taipei(occurred_at).time.slice(0, 5)
  return (
    listed(match.symbols, symbol) &&
    !match.exclude_symbols.includes(symbol) &&
    listed(match.actions, action) &&
    least(match.min_price, price) &&
    (match.max_price === null || (price !== null && price <= match.max_price)) &&
    least(match.min_volume, volume) &&
    (match.min_amount === null ||
      (price !== null &&
        quantity !== null &&
        scaled(price) * BigInt(quantity) >= scaled(match.min_amount))) &&
    (match.time_from === null || time >= match.time_from) &&
    (match.time_to === null || time <= match.time_to) &&
    isOfType(match.security_type, symbol) &&
    (match.note_keyword === null || (note?.includes(match.note_keyword) ?? false))
  )
}

function isOfType(wanted: SecurityType, symbol: string): boolean {
  if (wanted === 'any') return true
  const type = stockType(symbol)
  return wanted === 'etf' ? type === 'etf' || type === 'bond_etf' : type === 'stock'
}

/** 張, of what a message says was traded; null where it says nothing of it that is a number. */
export function volumeOf(normal: Pick<NormalSignal, 'extras'> | null): number | null {
  for (const [key, value] of Object.entries(normal?.extras ?? {})) {
    if (!VOLUME_KEYS.has(key.toLowerCase())) continue
    const text = String(value).replaceAll(',', '').trim()
    if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  }
  return null
}
const VOLUME_KEYS: ReadonlySet<string> = new Set(['volume', 'vol', '成交量', '總量', '量'])
