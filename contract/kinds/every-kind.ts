// The fields that strategies of every kind share: what each may be, and what a new strategy starts with (wire §4).
import * as z from 'zod/mini'
import { KINDS } from '#trading/kinds.ts'
import { DIRECTIONS, type StrategyKind } from '#trading/record.ts'
import { int, name_text, num, plain_name, text } from '../fields.ts'
import { NOTE_IMAGES } from '../limits.ts'
import { asked, starts } from './setting.ts'

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
