// Strategies of all three kinds: their fields with bounds, in and out (wire.md §4).
import * as z from 'zod/mini'
import { STRATEGY_KINDS } from '#trading/record.ts'
import { endpoint } from './endpoint.ts'
import { amount, at, day, id, int, nothing, num, page_query, paged, text } from './fields.ts'
import { signal_record } from './signal.ts'
import { stats_summary } from './summary.ts'
import { webhook } from './webhook.ts'

export const TIMEFRAMES = [
  '1',
  '3',
  '5',
  '10',
  '15',
  '30',
  '45',
  '60',
  '120',
  '240',
  'D',
  'W',
  'other',
] as const
export const STATUSES = ['active', 'paused', 'archived'] as const
export const DIRECTIONS = ['both', 'long', 'short'] as const
export const TRADE_STYLES = ['day', 'swing', 'long_term', 'other'] as const
export const CHANNELS = ['in_app', 'push', 'telegram', 'email'] as const
export const CONTRACT_MONTH = /^20\d{2}(0[1-9]|1[0-2])([WF][1-5])?$/

const exit_level = z.nullable(
  z.object({ value: num(0.0001, 1_000_000_000), unit: z.enum(['point', 'twd', 'percent'], '請選單位') }),
)

/** Fields that every kind shares, as they may be written. */
const common = {
  name: text(1, 60, '請輸入策略名稱'),
  summary: text(0, 200),
  note: text(0, 20_000).check(
    z.refine((note: string) => note.split('![').length - 1 <= 10, '筆記最多 10 張圖'),
  ),
  tags: z.array(text(1, 20)).check(
    z.maxLength(10, '最多 10 個標籤'),
    z.refine((tags: string[]) => new Set(tags).size === tags.length, '標籤不能重複'),
  ),
  status: z.enum(STATUSES, '請選狀態'),
  direction: z.enum(DIRECTIONS, '請選操作方向'),
  trade_style: z.nullable(z.enum(TRADE_STYLES, '請選交易類型')),
  timeframe: z.nullable(z.enum(TIMEFRAMES, '請選週期')),
  initial_capital: int(1, 1_000_000_000_000, '元'),
  quantity_mode: z.enum(['signal', 'fixed'], '請選數量來源'),
  default_quantity: int(1, 999_999),
  max_position: int(1, 10_000_000),
  allow_pyramiding: z.boolean(),
  allow_reversal: z.boolean(),
  slippage_ticks: int(0, 20, '檔'),
  stop_loss: exit_level,
  take_profit: exit_level,
  late_after_s: int(30, 3_600, '秒'),
  on_symbol_mismatch: z.enum(['reject', 'accept'], '請選商品不符時的處理'),
  silence_alarm: z.object({ enabled: z.boolean(), max_gap_minutes: z.nullable(int(1, 100_000, '分鐘')) }),
}

const futures_fields = {
  product_code: z.string('請選商品').check(z.trim(), z.regex(/^[A-Z][A-Z0-9]{2}$/, '請選商品')),
  contract_rule: z.enum(['near', 'next', 'month'], '請選合約'),
  contract_month: z.nullable(
    z.string().check(z.regex(CONTRACT_MONTH, '合約月份寫成 YYYYMM，週契約加 W1 或 F1')),
  ),
  session: z.enum(['day', 'day_night'], '請選交易時段'),
  fee_per_side: int(0, 1_000, '元'),
}
const stock_fields = {
  symbols: z
    .array(
      z
        .string()
        .check(
          z.trim(),
          z.toUpperCase(),
          z.regex(/^(\d{4}[A-Z]?|00\d{2,4}[A-Z]?|\d{5,6}[A-Z]?)$/, '股票代號不正確，例如 2330、00878'),
        ),
    )
    .check(z.maxLength(200, '最多 200 檔')),
  unit: z.enum(['board_lot', 'share'], '請選張或股'),
  // The one number with six decimals: the standard rate is 0.001425.
  commission_rate: z.number('請輸入數字').check(z.gte(0, '最少 0'), z.lte(0.01, '最多 0.01')),
  commission_discount: num(0.01, 1),
  min_fee: int(0, 100, '元'),
  odd_lot_min_fee: int(0, 100, '元'),
  allow_day_trade: z.boolean(),
}
const xq_fields = {
  ...stock_fields,
  xq_script_name: text(1, 60, '請輸入 XQ 腳本名稱'),
  script_type: z.enum(['sensor', 'filter', 'autotrade'], '請選腳本類型'),
  data_source: z.enum(['webhook', 'csv', 'both'], '請選資料來源'),
  file_encoding: z.enum(['auto', 'utf-8', 'big5'], '請選檔案編碼'),
  default_action: z.enum(['entry', 'exit', 'by_content'], '請選觸發視為'),
  dedupe_per_day: z.boolean(),
  csv_mapping: z.nullable(z.record(z.string().check(z.maxLength(40)), z.string().check(z.maxLength(100)))),
}

export const futures_settings = z.object({ ...futures_fields, tax_rate: z.number() })
export const stock_settings = z.object(stock_fields)
export const xq_settings = z.object(xq_fields)
export type FuturesSettings = z.infer<typeof futures_settings>
export type StockSettings = z.infer<typeof stock_settings>
export type XqSettings = z.infer<typeof xq_settings>

const futures_input = z.object({
  ...futures_fields,
  contract_rule: z._default(futures_fields.contract_rule, 'near'),
  contract_month: z._default(futures_fields.contract_month, null),
  session: z._default(futures_fields.session, 'day_night'),
  /** Absent: the product's usual fee. */
  fee_per_side: z.optional(futures_fields.fee_per_side),
})
const stock_defaults = {
  symbols: z._default(stock_fields.symbols, []),
  unit: z._default(stock_fields.unit, 'board_lot'),
  commission_rate: z._default(stock_fields.commission_rate, 0.001425),
  commission_discount: z._default(stock_fields.commission_discount, 0.6),
  min_fee: z._default(stock_fields.min_fee, 20),
  odd_lot_min_fee: z._default(stock_fields.odd_lot_min_fee, 1),
  allow_day_trade: z._default(stock_fields.allow_day_trade, false),
}
const stock_input = z.object(stock_defaults)
const xq_input = z.object({
  ...stock_defaults,
  xq_script_name: xq_fields.xq_script_name,
  script_type: z._default(xq_fields.script_type, 'sensor'),
  data_source: z._default(xq_fields.data_source, 'webhook'),
  file_encoding: z._default(xq_fields.file_encoding, 'auto'),
  default_action: z._default(xq_fields.default_action, 'entry'),
  dedupe_per_day: z.optional(xq_fields.dedupe_per_day),
  csv_mapping: z._default(xq_fields.csv_mapping, null),
})

const create_common = (capital: number, direction: 'both' | 'long') => ({
  name: common.name,
  summary: z._default(common.summary, ''),
  note: z._default(common.note, ''),
  tags: z._default(common.tags, []),
  status: z._default(common.status, 'active'),
  direction: z._default(common.direction, direction),
  trade_style: z._default(common.trade_style, null),
  timeframe: z._default(common.timeframe, null),
  initial_capital: z._default(common.initial_capital, capital),
  quantity_mode: z._default(common.quantity_mode, 'signal'),
  default_quantity: z._default(common.default_quantity, 1),
  max_position: z._default(common.max_position, 10),
  allow_pyramiding: z._default(common.allow_pyramiding, true),
  allow_reversal: z._default(common.allow_reversal, true),
  slippage_ticks: z._default(common.slippage_ticks, 0),
  stop_loss: z._default(common.stop_loss, null),
  take_profit: z._default(common.take_profit, null),
  late_after_s: z._default(common.late_after_s, 120),
  on_symbol_mismatch: z._default(common.on_symbol_mismatch, 'reject'),
  silence_alarm: z._default(common.silence_alarm, { enabled: false, max_gap_minutes: null }),
})

export const strategy_input = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('futures'), ...create_common(500_000, 'both'), settings: futures_input }),
    z.object({
      kind: z.literal('stock'),
      ...create_common(1_000_000, 'long'),
      settings: z._default(stock_input, () => stock_input.parse({})),
    }),
    z.object({ kind: z.literal('xq-stock'), ...create_common(1_000_000, 'long'), settings: xq_input }),
  ],
  '請選策略類型',
)
/** What the form and POST /strategies take; absent fields get their defaults. */
export type StrategyInput = z.input<typeof strategy_input>
export type StrategyDraft = z.output<typeof strategy_input>

const partial = <T extends Record<string, z.ZodMiniType>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).map(([key, schema]) => [key, z.optional(schema)])) as {
    [K in keyof T]: z.ZodMiniOptional<T[K]>
  }
/** Changed fields only; settings merge key by key (read-only and unknown keys are dropped). */
const strategy_changes = z.object({
  ...partial(common),
  settings: z.optional(z.object(partial({ ...futures_fields, ...xq_fields }))),
})
export type StrategyChanges = z.infer<typeof strategy_changes>

export const position = z.object({
  symbol: z.string(),
  symbol_name: z.string(),
  contract: z.nullable(z.string()),
  quantity: z.number(),
  avg_price: z.nullable(amount()),
  ref_price: z.nullable(amount()),
  ref_at: z.nullable(at()),
  unrealised_pnl: z.nullable(amount()),
})

export const strategy_notify = z.object({
  strategy_id: id(),
  enabled: z.boolean(),
  channels: z.nullable(z.array(z.enum(CHANNELS))),
  actions: z.enum(['all', 'opening', 'closing']),
  important: z.boolean(),
})

const output_common = {
  id: id(),
  created_at: at(),
  updated_at: at(),
  ...common,
  owner: z.object({ type: z.enum(['personal', 'organization']), id: id() }),
  positions: z.array(position),
  /** The figures (wire §4); the text that is written as `summary` is read back as `summary_text`. */
  summary: stats_summary,
  summary_text: z.string(),
  curve: z.array(z.number()),
  last_signal: z.nullable(signal_record),
  signal_count: z.number(),
  pending_price_count: z.number(),
  warnings: z.array(z.enum(['no_webhook', 'silent', 'position_gap', 'pending_price', 'rejected'])),
  my_notify: strategy_notify,
  groups: z.array(z.object({ id: id(), name: z.string() })),
  access: z.nullable(z.object({ visible_from: day(), valid_until: z.nullable(day()) })),
  chain_head: z.object({ chain_seq: z.number(), hash: z.string() }),
  can: z.array(z.enum(['edit', 'delete'])),
  created_by: z.object({ id: id(), name: z.string() }),
  webhooks: z.optional(z.array(webhook)),
}
export const strategy = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('futures'), ...output_common, settings: futures_settings }),
  z.object({ kind: z.literal('stock'), ...output_common, settings: stock_settings }),
  z.object({ kind: z.literal('xq-stock'), ...output_common, settings: xq_settings }),
])
export type Strategy = z.infer<typeof strategy>

export const listStrategies = endpoint({
  name: 'strategy.list',
  method: 'GET',
  path: '/strategies',
  who: 'strategy:view',
  scope: 'strategies:read',
  when_offline: 'fail',
  about: '策略列表；kind=stock 含 xq-stock，封存的要指定才列出',
  input: z.object({
    kind: z.optional(z.enum(STRATEGY_KINDS)),
    status: z.optional(z.enum(STATUSES)),
    tag: z.optional(text(1, 20)),
    search: z.optional(text(0, 60)),
    sort: z._default(
      z.enum(['last_signal', 'created', 'net_profit', 'win_rate', 'max_drawdown', 'name']),
      'last_signal',
    ),
    ...page_query,
  }),
  output: paged(strategy),
})

export const getStrategy = endpoint({
  name: 'strategy.get',
  method: 'GET',
  path: '/strategies/:id',
  who: 'strategy:view',
  scope: 'strategies:read',
  when_offline: 'fail',
  about: '一個策略',
  input: z.object({ id: id() }),
  output: strategy,
})

export const createStrategy = endpoint({
  name: 'strategy.create',
  method: 'POST',
  path: '/strategies',
  who: 'strategy:create',
  when_offline: 'fail',
  about: '建立策略與它的第一個 webhook；須先完成電子郵件驗證',
  input: strategy_input,
  output: strategy,
})

export const updateStrategy = endpoint({
  name: 'strategy.update',
  method: 'PUT',
  path: '/strategies/:id',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: '更新策略；只送有改的欄位',
  input: z.object({ id: id(), ...strategy_changes.shape }),
  output: strategy,
})

export const deleteStrategy = endpoint({
  name: 'strategy.delete',
  method: 'DELETE',
  path: '/strategies/:id',
  who: 'strategy:delete',
  when_offline: 'fail',
  about: '刪除策略；須再輸入一次名稱，可選擇是否保留紀錄',
  input: z.object({
    id: id(),
    name: text(1, 60, '請再輸入一次策略名稱'),
    keep_records: z._default(z.boolean(), true),
  }),
  output: nothing(),
})

export const updateStrategyNotify = endpoint({
  name: 'strategy.notify',
  method: 'PUT',
  path: '/strategies/:id/notify',
  who: 'strategy:view',
  when_offline: 'queue',
  about: '我對這個策略的通知設定',
  input: z.object({
    id: id(),
    enabled: z.optional(z.boolean()),
    channels: z.optional(z.nullable(z.array(z.enum(CHANNELS)))),
    actions: z.optional(z.enum(['all', 'opening', 'closing'])),
    important: z.optional(z.boolean()),
  }),
  output: strategy_notify,
})
