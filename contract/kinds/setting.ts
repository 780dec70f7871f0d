// How a setting of a kind is described: what it may be, and what holds when it is not written.
import * as z from 'zod/mini'
import { KINDS } from '#trading/kinds.ts'
import { DIRECTIONS, type StrategyKind } from '#trading/record.ts'
import { int, name_text, num, plain_name, text } from '../fields.ts'
import { NOTE_IMAGES } from '../limits.ts'

/** `default`: left out, it is this. `optional`: left out, the server decides. `readOnly`: never written. */
export interface Setting<S extends z.ZodMiniType = z.ZodMiniType> {
  is: S
  default?: unknown
  optional?: true
  readOnly?: true
}
export type Settings = Record<string, Setting>

/** Has to be written. */
export const required = <S extends z.ZodMiniType>(is: S) => ({ is })
export const withDefault = <S extends z.ZodMiniType, V extends z.input<S>>(is: S, value: V) => ({
  is,
  default: value,
})
export const optional = <S extends z.ZodMiniType>(is: S) => ({ is, optional: true as const })
export const readOnly = <S extends z.ZodMiniType>(is: S) => ({ is, readOnly: true as const })

type Stored<T extends Settings> = { [K in keyof T]: T[K]['is'] }
/** The fields that may be changed, by their names. */
type Writable<T extends Settings> = {
  [K in keyof T as T[K] extends { readOnly: true } ? never : K]: T[K]['is']
}
/** Of a table over the settings that a person sets: one line each. */
export type WritableName<T extends Settings> = keyof Writable<T> & string
type Inputs<T extends Settings> = {
  [K in keyof Writable<T>]: T[K] extends { default: unknown }
    ? z.ZodMiniDefault<T[K]['is']>
    : T[K] extends { optional: true }
      ? z.ZodMiniOptional<T[K]['is']>
      : T[K]['is']
}

const mapped = (settings: Settings, to: (setting: Setting) => z.ZodMiniType) =>
  Object.fromEntries(Object.entries(settings).map(([key, setting]) => [key, to(setting)]))
const writable = (settings: Settings) =>
  Object.fromEntries(Object.entries(settings).filter(([, setting]) => !setting.readOnly))

/** The fields as they are stored and read. */
export function storedOf<T extends Settings>(settings: T): Stored<T> {
  return mapped(settings, ({ is }) => is) as Stored<T>
}

/** The fields that may be changed. */
export function writableOf<T extends Settings>(settings: T): Writable<T> {
  return mapped(writable(settings), ({ is }) => is) as Writable<T>
}

/** The fields as a new strategy writes them. */
export function inputsOf<T extends Settings>(settings: T): Inputs<T> {
  return mapped(writable(settings), (setting) => {
    if ('default' in setting) return z._default(setting.is, setting.default)
    return setting.optional ? z.optional(setting.is) : setting.is
  }) as unknown as Inputs<T>
}

type Defaults<T extends Settings> = {
  [K in keyof T as T[K] extends { default: unknown } ? K : never]: z.output<T[K]['is']>
}

/** What is not stored is this. */
export function defaultsOf<T extends Settings>(settings: T): Defaults<T> {
  const entries = Object.entries(settings).filter(([, setting]) => 'default' in setting)
  return Object.fromEntries(entries.map(([key, setting]) => [key, setting.default])) as Defaults<T>
}

// The fields that strategies of every kind share: what each may be, and what a new strategy starts with (wire §4).

const TIMEFRAMES = ['1', '3', '5', '10', '15', '30', '45', '60', '120', '240', 'D', 'W', 'other'] as const
export const STATUSES = ['active', 'paused', 'archived'] as const
const TRADE_STYLES = ['day', 'swing', 'long_term', 'other'] as const

const exit_level = z.nullable(
  z.object({ value: num(0.0001, 1_000_000_000), unit: z.enum(['point', 'twd', 'percent'], '請選單位') }),
)
const note = text(0, 20_000).check(
  z.refine((note: string) => note.split('![').length - 1 <= NOTE_IMAGES, `說明最多 ${NOTE_IMAGES} 張圖片`),
)
const tags = z.array(plain_name(20, '這一欄必填')).check(
  z.maxLength(10, '最多 10 個標籤'),
  z.refine((tags: string[]) => new Set(tags).size === tags.length, '標籤不能重複'),
)

/** What may be left open: it stands at its default, and is asked for when it matters (the first short; a figure in percent of the capital). */
export const ASSUMABLE = ['direction', 'initial_capital'] as const

export const COMMON = {
  name: required(name_text(60, '請輸入策略名稱')),
  summary: withDefault(text(0, 200), ''),
  note: withDefault(note, ''),
  tags: withDefault(tags, []),
  status: withDefault(z.enum(STATUSES, '請選狀態'), 'active'),
  /** What a kind starts with: `commonOf`. */
  direction: required(z.enum(DIRECTIONS, '請選操作方向')),
  trade_style: withDefault(z.nullable(z.enum(TRADE_STYLES, '請選交易類型')), null),
  timeframe: withDefault(z.nullable(z.enum(TIMEFRAMES, '請選週期')), null),
  initial_capital: required(int(1, 1_000_000_000_000, '元')),
  /** Of these nobody has said anything yet; to write one says it. After a strategy is made it only shrinks. */
  assumed: withDefault(z.array(z.enum(ASSUMABLE)).check(z.maxLength(ASSUMABLE.length)), []),
  quantity_mode: withDefault(z.enum(['signal', 'fixed'], '請選數量來源'), 'signal'),
  default_quantity: withDefault(int(1, 999_999), 1),
  max_position: withDefault(int(1, 10_000_000), 10),
  allow_pyramiding: withDefault(z.boolean(), true),
  allow_reversal: withDefault(z.boolean(), true),
  slippage_ticks: withDefault(int(0, 20, '檔'), 0),
  stop_loss: withDefault(exit_level, null),
  take_profit: withDefault(exit_level, null),
  late_after_s: withDefault(int(30, 3_600, '秒'), 120),
  on_symbol_mismatch: withDefault(z.enum(['reject', 'accept'], '請選商品不符時的處理'), 'reject'),
  silence_alarm: withDefault(
    z.object({ enabled: z.boolean(), max_gap_minutes: z.nullable(int(1, 100_000, '分鐘')) }),
    { enabled: false, max_gap_minutes: null },
  ),
}

/** The same of a kind, which has a way to trade and a capital of its own to start with. */
export const commonOf = (kind: StrategyKind) => ({
  ...COMMON,
  direction: withDefault(COMMON.direction.is, KINDS[kind].direction),
  initial_capital: withDefault(COMMON.initial_capital.is, KINDS[kind].initial_capital),
})
