// How a setting of a kind is described: what it may be, and what holds when it is not written.
import * as z from 'zod/mini'
import { KINDS } from '#trading/kinds.ts'
import { DIRECTIONS, type StrategyKind } from '#trading/record.ts'
import { int, name_text, num, plain_name, text } from '../fields.ts'
import { NOTE_IMAGES } from '../limits.ts'

/** `starts`: left out, it is this. `filled`: left out, the server decides. `told`: never written, only read. */
export interface Setting<S extends z.ZodMiniType = z.ZodMiniType> {
  is: S
  starts?: unknown
  filled?: true
  told?: true
}
export type Settings = Record<string, Setting>

/** Has to be written. */
export const asked = <S extends z.ZodMiniType>(is: S) => ({ is })
export const starts = <S extends z.ZodMiniType, V extends z.input<S>>(is: S, value: V) => ({
  is,
  starts: value,
})
export const filled = <S extends z.ZodMiniType>(is: S) => ({ is, filled: true as const })
export const told = <S extends z.ZodMiniType>(is: S) => ({ is, told: true as const })

type Stored<T extends Settings> = { [K in keyof T]: T[K]['is'] }
/** The fields that may be changed, by their names. */
type Writable<T extends Settings> = {
  [K in keyof T as T[K] extends { told: true } ? never : K]: T[K]['is']
}
/** Of a table over the settings that a person sets: one line each. */
export type WritableName<T extends Settings> = keyof Writable<T> & string
type Written<T extends Settings> = {
  [K in keyof Writable<T>]: T[K] extends { starts: unknown }
    ? z.ZodMiniDefault<T[K]['is']>
    : T[K] extends { filled: true }
      ? z.ZodMiniOptional<T[K]['is']>
      : T[K]['is']
}

const mapped = (settings: Settings, to: (setting: Setting) => z.ZodMiniType) =>
  Object.fromEntries(Object.entries(settings).map(([key, setting]) => [key, to(setting)]))
const writable = (settings: Settings) =>
  Object.fromEntries(Object.entries(settings).filter(([, setting]) => !setting.told))

/** The fields as they are stored and read. */
export function storedOf<T extends Settings>(settings: T): Stored<T> {
  return mapped(settings, ({ is }) => is) as Stored<T>
}

/** The fields that may be changed. */
export function writableOf<T extends Settings>(settings: T): Writable<T> {
  return mapped(writable(settings), ({ is }) => is) as Writable<T>
}

/** The fields as a new strategy writes them. */
export function writtenOf<T extends Settings>(settings: T): Written<T> {
  return mapped(writable(settings), (setting) => {
    if ('starts' in setting) return z._default(setting.is, setting.starts)
    return setting.filled ? z.optional(setting.is) : setting.is
  }) as unknown as Written<T>
}

/** What each setting that starts with something starts with. */
type Starts<T extends Settings> = {
  [K in keyof T as T[K] extends { starts: unknown } ? K : never]: z.output<T[K]['is']>
}

/** What is not stored is this: the settings that start with something. */
export function startsOf<T extends Settings>(settings: T): Starts<T> {
  const entries = Object.entries(settings).filter(([, setting]) => 'starts' in setting)
  return Object.fromEntries(entries.map(([key, { starts }]) => [key, starts])) as Starts<T>
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

export const COMMON = {
  name: asked(name_text(60, '請輸入策略名稱')),
  summary: starts(text(0, 200), ''),
  note: starts(note, ''),
  tags: starts(tags, []),
  status: starts(z.enum(STATUSES, '請選狀態'), 'active'),
  /** What a kind starts with: `commonOf`. */
  direction: asked(z.enum(DIRECTIONS, '請選操作方向')),
  trade_style: starts(z.nullable(z.enum(TRADE_STYLES, '請選交易類型')), null),
  timeframe: starts(z.nullable(z.enum(TIMEFRAMES, '請選週期')), null),
  initial_capital: asked(int(1, 1_000_000_000_000, '元')),
  quantity_mode: starts(z.enum(['signal', 'fixed'], '請選數量來源'), 'signal'),
  default_quantity: starts(int(1, 999_999), 1),
  max_position: starts(int(1, 10_000_000), 10),
  allow_pyramiding: starts(z.boolean(), true),
  allow_reversal: starts(z.boolean(), true),
  slippage_ticks: starts(int(0, 20, '檔'), 0),
  stop_loss: starts(exit_level, null),
  take_profit: starts(exit_level, null),
  late_after_s: starts(int(30, 3_600, '秒'), 120),
  on_symbol_mismatch: starts(z.enum(['reject', 'accept'], '請選商品不符時的處理'), 'reject'),
  silence_alarm: starts(
    z.object({ enabled: z.boolean(), max_gap_minutes: z.nullable(int(1, 100_000, '分鐘')) }),
    { enabled: false, max_gap_minutes: null },
  ),
}

/** The same of a kind, which has a way to trade and a capital of its own to start with. */
export const commonOf = (kind: StrategyKind) => ({
  ...COMMON,
  direction: starts(COMMON.direction.is, KINDS[kind].direction),
  initial_capital: starts(COMMON.initial_capital.is, KINDS[kind].initial_capital),
})
