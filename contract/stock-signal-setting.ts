// 個股訊號設定: which signals of a stock strategy count, and which are told (domain §8.1, wire §7).
import * as z from 'zod/mini'
import { ACTIONS } from '#trading/record.ts'
import { RULE_ACTIONS, RULE_RESULTS, SECURITY_TYPES } from '#trading/stock-rules.ts'
import { endpoint } from './endpoint.ts'
import { amount, at, id, int, nothing, num, plain_name, seen, text } from './fields.ts'
import { STOCK_CODE, SYMBOLS_MOST } from './kinds/stock.ts'
import { STOCK_RULES_MOST } from './limits.ts'

/** `strategy`: what counts, for everybody · `me`: what I am told, of what counts. */
const RULED_FOR = ['strategy', 'me'] as const
export type RuledFor = (typeof RULED_FOR)[number]

const code = z
  .string('請輸入股票代號')
  .check(z.trim(), z.toUpperCase(), z.regex(STOCK_CODE, '股票代號不正確，例如 2330、00878'))
const codes = z.array(code).check(z.maxLength(SYMBOLS_MOST, `最多 ${SYMBOLS_MOST} 檔`))
const clock = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, '時間要寫成 HH:mm，例如 09:30'))
const price = num(0.01, 99_999, '元')

const match_shape = z.object({
  symbols: z._default(codes, []),
  exclude_symbols: z._default(codes, []),
  actions: z._default(z.array(z.enum(RULE_ACTIONS, '沒有這種動作')), []),
  min_price: z._default(z.nullable(price), null),
  max_price: z._default(z.nullable(price), null),
  min_volume: z._default(z.nullable(int(1, 99_999_999, '張')), null),
  min_amount: z._default(z.nullable(int(1, 1_000_000_000_000, '元')), null),
  time_from: z._default(z.nullable(clock), null),
  time_to: z._default(z.nullable(clock), null),
  security_type: z._default(z.enum(SECURITY_TYPES, '請選全部、股票或 ETF'), 'any'),
  note_keyword: z._default(z.nullable(text(1, 40, '請輸入備註裡的字')), null),
})
const match = match_shape.check(
  z.refine(({ min_price, max_price }) => min_price === null || max_price === null || min_price <= max_price, {
    error: '最高價不能低於最低價',
    path: ['max_price'],
  }),
  z.refine(({ time_from, time_to }) => time_from === null || time_to === null || time_from <= time_to, {
    error: '結束時間不能早於開始時間',
    path: ['time_to'],
  }),
)
const limits = z.object({
  cooldown_minutes: z._default(int(0, 1_440, '分鐘'), 0),
  daily_limit: z._default(int(0, 100, '筆'), 0),
  /** Counted at each commit of the intake: so few. */
  daily_total_limit: z._default(int(0, 1_000, '筆'), 0),
})
const named = plain_name(30, '請輸入規則名稱').check(
  z.refine((value: string) => !/[\n\r\t\u2028\u2029]/.test(value), '名稱不能換行'),
)
const result = z.enum(RULE_RESULTS, '請選記錄並通知、只記錄或忽略')
/** In the strategy's own unit: 張 or 股. */
const quantity_override = z.nullable(int(1, 999_999))
const applies_to = z.enum(RULED_FOR, '請選整個策略或只有我')

export const stock_signal_setting = z.object({
  id: id(),
  strategy_id: id(),
  /** From 1, among those for the same. */
  order: z.number(),
  name: z.string(),
  enabled: z.boolean(),
  applies_to: z.enum(RULED_FOR),
  match: match_shape,
  result: z.enum(RULE_RESULTS),
  limits,
  quantity_override: z.nullable(z.number()),
  created_at: at(),
  updated_at: at(),
})
export type StockSignalSetting = z.output<typeof stock_signal_setting>
export type StockSettingMatch = StockSignalSetting['match']

const of_strategy = { id: id() }
const one_of = { id: id(), setting_id: id() }
const list = z.object({ items: z.array(stock_signal_setting) })
const common = { who: 'strategy:view', scope: 'strategies:read' } as const
const written = { who: 'strategy:view' } as const

export const listStockSettings = endpoint({
  ...common,
  name: 'stock-signal-setting.list',
  method: 'GET',
  path: '/strategies/:id/stock-signal-settings',
  when_offline: 'fail',
  about: '個股訊號設定，依順序：整個策略的，與自己的（只決定自己收到的通知）',
  input: z.object(of_strategy),
  output: list,
})

export const createStockSetting = endpoint({
  ...written,
  name: 'stock-signal-setting.create',
  method: 'POST',
  path: '/strategies/:id/stock-signal-settings',
  when_offline: 'queue',
  about: `加一條規則，排在最後；整個策略的要能編輯策略，自己的誰都可以，各最多 ${STOCK_RULES_MOST} 條`,
  input: z.object({
    ...of_strategy,
    applies_to,
    name: named,
    enabled: z._default(z.boolean(), true),
    match: z._default(match, match_shape.parse({})),
    result: z._default(result, 'record_notify'),
    limits: z._default(limits, limits.parse({})),
    quantity_override: z._default(quantity_override, null),
  }),
  output: stock_signal_setting,
})

export const updateStockSetting = endpoint({
  ...written,
  name: 'stock-signal-setting.update',
  method: 'PUT',
  path: '/strategies/:id/stock-signal-settings/:setting_id',
  when_offline: 'queue',
  about: '改一條規則：只改給的欄位，match 與 limits 整個換掉',
  input: z.object({
    ...one_of,
    name: z.optional(named),
    enabled: z.optional(z.boolean()),
    match: z.optional(match),
    result: z.optional(result),
    limits: z.optional(limits),
    quantity_override: z.optional(quantity_override),
  }),
  output: stock_signal_setting,
})

export const deleteStockSetting = endpoint({
  ...written,
  name: 'stock-signal-setting.delete',
  method: 'DELETE',
  path: '/strategies/:id/stock-signal-settings/:setting_id',
  when_offline: 'queue',
  about: '刪除一條規則；已經記下的訊號不變',
  input: z.object(one_of),
  output: nothing(),
})

export const orderStockSettings = endpoint({
  ...written,
  name: 'stock-signal-setting.order',
  method: 'PUT',
  path: '/strategies/:id/stock-signal-settings/order',
  when_offline: 'fail',
  about: '規則的順序：ids 是同一種的全部，由上而下',
  input: z.object({
    ...of_strategy,
    applies_to,
    ids: z.array(id()).check(z.minLength(1, '請給規則的順序'), z.maxLength(STOCK_RULES_MOST)),
  }),
  output: list,
})

export const tryStockSettings = endpoint({
  ...common,
  name: 'stock-signal-setting.test',
  method: 'POST',
  path: '/strategies/:id/stock-signal-settings/test',
  when_offline: 'fail',
  reads: true,
  about: '試一筆訊號：哪一條規則會決定，結果是什麼；什麼都不記',
  input: z.object({
    ...of_strategy,
    applies_to,
    symbol: code,
    action: z.enum(ACTIONS, '沒有這種動作'),
    price: z._default(z.nullable(price), null),
    /** In the strategy's own unit. */
    quantity: z._default(z.nullable(int(1, 999_999)), null),
    volume: z._default(z.nullable(int(0, 999_999_999, '張')), null),
    occurred_at: z.optional(at()),
    note: z._default(z.nullable(z.string().check(z.maxLength(200, '最多 200 個字'), seen())), null),
  }),
  output: z.object({
    /** Null = no rule fits. */
    setting: z.nullable(z.object({ id: id(), name: z.string() })),
    result: z.enum(RULE_RESULTS),
    /** Why it is not as the rule says. */
    reason: z.nullable(z.string()),
    /** Shares that it would be recorded with, where a rule says so. */
    quantity: z.nullable(amount()),
  }),
})
