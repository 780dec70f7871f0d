// Strategies of all three kinds: their fields with bounds, in and out (wire.md §4).
import * as z from 'zod/mini'
import { UNIT_FACTS, unitOf } from '#trading/kinds.ts'
import { findProduct } from '#trading/products.ts'
import { DIRECTIONS, PRICE_MAX, STRATEGY_KINDS } from '#trading/record.ts'
import { CHANNELS, NOTIFY_ACTIONS } from './channels.ts'
import { endpoint } from './endpoint.ts'
import { amount, at, day, id, image, name_text, nothing, num, page_query, paged, text } from './fields.ts'
import { CONTRACT_MONTH, FUTURES_SETTINGS } from './kinds/futures.ts'
import { COMMON, commonOf, defaultsOf, inputsOf, STATUSES, storedOf, writableOf } from './kinds/setting.ts'
import { STOCK_SETTINGS } from './kinds/stock.ts'
import { XQ_SETTINGS } from './kinds/xq-stock.ts'
import { overwritten } from './notification.ts'
import { signal_record } from './signal.ts'
import { stats_summary } from './statistics.ts'
import { webhook } from './webhook.ts'

// What a strategy of each kind is set to, from the descriptors of the kinds: as stored, and as written with what is left out filled in.

const futures_settings = z.object(storedOf(FUTURES_SETTINGS))
const stock_settings = z.object(storedOf(STOCK_SETTINGS))
const xq_settings = z.object(storedOf(XQ_SETTINGS))
export type FuturesSettings = z.infer<typeof futures_settings>
export type StockSettings = z.infer<typeof stock_settings>
export type XqSettings = z.infer<typeof xq_settings>

/** A kind with its settings as they are stored. */
export type KindSettings =
  | { kind: 'futures'; settings: FuturesSettings }
  | { kind: 'stock'; settings: StockSettings }
  | { kind: 'xq-stock'; settings: XqSettings }

const futures_input = z.object(inputsOf(FUTURES_SETTINGS))
const stock_input = z.object(inputsOf(STOCK_SETTINGS))
const xq_input = z.object(inputsOf(XQ_SETTINGS))

/** What of each kind may be changed; a call may name them all, those of another kind are dropped. */
export const CHANGEABLE = {
  futures: writableOf(FUTURES_SETTINGS),
  stock: writableOf(STOCK_SETTINGS),
  'xq-stock': writableOf(XQ_SETTINGS),
}

/** Of each kind what its settings start with. */
export const STARTS = {
  futures: defaultsOf(FUTURES_SETTINGS),
  stock: defaultsOf(STOCK_SETTINGS),
  'xq-stock': defaultsOf(XQ_SETTINGS),
}

// A report of the source that did not fit the position here, as it stands with its strategy (wire §4).

/** A report of the source that did not fit the position here; it stays until a report of the same position fits again. */
export const position_gap = z.object({
  signal_id: id(),
  symbol: z.string(),
  symbol_name: z.string(),
  contract: z.nullable(z.string()),
  occurred_at: at(),
  /** Signed, lots or shares: where the source says it stood before this signal, and where the record stood. */
  reported: z.number(),
  held: z.number(),
  /** Where the signal left the position here. */
  after: z.number(),
  /** The last answer; null while the question is open. */
  answer: z.nullable(z.object({ is: z.enum(['source', 'ignore']), at: at(), by: z.string() })),
})
export type PositionGap = z.infer<typeof position_gap>

// A member's strategies under the groups they come through: what is said of each group, and their order; server and device alike.

/** What a member sees through one group, of a list that is asked for under its groups. */
const strategy_section = z.object({
  /** Of the group; '' for what comes through none. */
  id: z.string(),
  name: z.string(),
  /** So many of the list stand here. */
  count: z.number(),
  /** The last day for all of it; left out where they end on different days. */
  valid_until: z.optional(z.nullable(day())),
})
export type StrategySection = z.infer<typeof strategy_section>

type Named = { id: string; name: string }

/** By name; what comes through none at the end. */
export function byGroupName(a: Named, b: Named): number {
  if (a.id === '' || b.id === '') return a.id === b.id ? 0 : a.id === '' ? 1 : -1
  return a.name.localeCompare(b.name, 'zh-Hant-TW')
}

const WARNINGS = [
  'no_webhook',
  'silent',
  'missing',
  'asks_short',
  'position_gap',
  'held',
  'pending_price',
  'price_suspect',
  'rejected',
  'expired',
] as const

/** Fields that every kind shares, as they may be written. */
const common = storedOf(COMMON)

export const strategy_input = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('futures'), ...inputsOf(commonOf('futures')), settings: futures_input }),
    z.object({
      kind: z.literal('stock'),
      ...inputsOf(commonOf('stock')),
      settings: z._default(stock_input, () => stock_input.parse({})),
    }),
    z.object({ kind: z.literal('xq-stock'), ...inputsOf(commonOf('xq-stock')), settings: xq_input }),
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
  settings: z.optional(z.object(partial({ ...CHANGEABLE.futures, ...CHANGEABLE['xq-stock'] }))),
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

/** Left open in a month that is over; what is proposed is to close all of it at `ended_at`, for a price that is asked for. */
const expiry = z.object({
  symbol: z.string(),
  symbol_name: z.string(),
  contract: z.string(),
  /** Signed, lots. */
  quantity: z.number(),
  avg_price: z.nullable(amount()),
  /** 13:30 of the last trading day. */
  ended_at: at(),
})
export type Expiry = z.infer<typeof expiry>

export const strategy_notify = z.object({
  strategy_id: id(),
  enabled: z.boolean(),
  channels: z.nullable(z.array(z.enum(CHANNELS))),
  actions: z.enum(NOTIFY_ACTIONS),
  important: z.boolean(),
})

const output_common = {
  id: id(),
  created_at: at(),
  updated_at: at(),
  ...common,
  // What was stored before a rule for texts came is shown as it stands: it must not close the list.
  name: z.string(),
  note: z.string(),
  tags: z.array(z.string()),
  owner: z.object({ type: z.enum(['personal', 'organization']), id: id() }),
  positions: z.array(position),
  /** The figures (wire §4); the text that is written as `summary` is read back as `summary_text`. */
  summary: stats_summary,
  /** Figures and curve are those of a while ago: they are being worked out, beside everything else. */
  recalculating: z.optional(z.literal(true)),
  summary_text: z.string(),
  curve: z.array(z.number()),
  last_signal: z.nullable(signal_record),
  signal_count: z.number(),
  pending_price_count: z.number(),
  price_suspect_count: z.number(),
  warnings: z.array(z.enum(WARNINGS)),
  /** With the warning `expired` only: what is left open in months that are over. */
  expiries: z.optional(z.array(expiry)),
  /** To those who may edit, answered or not, newest first, at most ten; the warning `position_gap` while one is not. */
  position_gaps: z.optional(z.array(position_gap)),
  /** With the warning `missing` only: numbers of the senders that did not come (domain §5.5). */
  missing_numbers: z.optional(
    z.array(z.object({ webhook_id: id(), name: z.string(), numbers: z.array(z.number()) })),
  ),
  /** With the warning `held` only: the newest format that waits to be confirmed. */
  held_format_id: z.optional(id()),
  /** To those who may edit, of one strategy by its id: see `usualMinutes` (trading/silence.ts). */
  usual_gap_minutes: z.optional(z.nullable(z.number())),
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
    direction: z.optional(z.enum(DIRECTIONS)),
    search: z.optional(text(0, 60)),
    sort: z._default(
      z.enum(['last_signal', 'created', 'net_profit', 'win_rate', 'max_drawdown', 'name']),
      'last_signal',
    ),
    /** To a member: under the groups it comes through, by name, in the order asked for inside each. */
    grouped: z.optional(z.stringbool()),
    ...page_query,
  }),
  output: z.extend(paged(strategy), {
    /** Of the whole list, in its order; only where it is asked for under groups, and only to members. */
    sections: z.optional(z.array(strategy_section)),
  }),
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
    actions: z.optional(z.enum(NOTIFY_ACTIONS)),
    important: z.optional(z.boolean()),
    /** When it was edited on the device; now where it is absent. */
    edited_at: z.optional(at()),
  }),
  output: z.object({
    ...strategy_notify.shape,
    /** Fields whose edit lost, for 「還原」; their paths are their names. Absent from a server before this was told. */
    overwritten: z.optional(z.array(overwritten)),
  }),
})

// Rules across the fields of a strategy, the same in the form and on the server: path → message in Chinese.

type Amounts = { direction: 'both' | 'long' | 'short'; default_quantity: number; max_position: number }
type Futures = { kind: 'futures'; settings: Omit<FuturesSettings, 'tax_rate' | 'fee_per_side'> }
type Stock = { kind: 'stock'; settings: StockSettings }
type Xq = { kind: 'xq-stock'; settings: Omit<XqSettings, 'dedupe_per_day'> }
type RuledStrategy = Amounts & (Futures | Stock | Xq)
type FieldMessages = Record<string, string>

/** Checks what single fields cannot say. Gives an empty object when all fits. */
export function checkStrategy(strategy: RuledStrategy): FieldMessages {
  const own =
    'contract_rule' in strategy.settings
      ? checkContract(strategy.settings)
      : checkSide(strategy, strategy.settings)
  return { ...checkAmounts(strategy), ...own }
}

function checkAmounts(strategy: RuledStrategy): FieldMessages {
  const { default_quantity, max_position } = strategy
  const { most, most_position, word } = UNIT_FACTS[unitOf(strategy)]
  const fields: FieldMessages = {}
  if (default_quantity > most) fields['default_quantity'] = `最多 ${most.toLocaleString('en-US')} ${word}`
  if (max_position > most_position)
    fields['max_position'] = `最多 ${most_position.toLocaleString('en-US')} ${word}`
  else if (max_position < default_quantity) fields['max_position'] = '不能小於預設數量'
  return fields
}

function checkSide(
  { direction }: Amounts,
  { allow_day_trade }: StockSettings | Xq['settings'],
): FieldMessages {
  return direction === 'long' || allow_day_trade ? {} : { direction: '股票要先賣後買，須允許現股當沖' }
}

function checkContract(settings: Futures['settings']): FieldMessages {
  const { product_code, contract_rule, contract_month, session } = settings
  const product = findProduct(product_code)
  const fields: FieldMessages = {}
  if (!product) fields['settings.product_code'] = '沒有這個商品，請從清單選擇'
  else if (!product.has_night && session === 'day_night')
    fields['settings.session'] = `${product.short_name}只有日盤`
  if (contract_rule === 'month' && !contract_month) fields['settings.contract_month'] = '指定月份時必填'
  return fields
}

// A position that the source reported differently: 補一筆, 以來源為準 or 忽略 (wire §14). The gap itself stands with the strategy: this
// call is a file of its own so that the first screen need not carry it.

export const answerGap = endpoint({
  name: 'strategy.answer-gap',
  method: 'POST',
  path: '/strategies/:id/position-gaps/:signal_id',
  who: 'strategy:edit',
  when_offline: 'fail',
  about:
    '回答部位不一致：source 以來源為準、ignore 忽略都會記下是誰答的；add 補一筆，由手動訊號補登。來源只報了訊息之前的部位時，source 另記一筆把部位帶到那裡',
  input: z.object({
    id: id(),
    signal_id: id(),
    answer: z.enum(['add', 'source', 'ignore'], '請選補一筆、以來源為準或忽略'),
  }),
  /** The record that was made, if any. */
  output: z.nullable(signal_record),
})

// A position left open in a month that is over is closed by the settlement price somebody fills in (wire.md §14). What is left
// open stands with the strategy: this call is a file of its own so that the first screen need not carry it.

export const settleExpiry = endpoint({
  name: 'strategy.settle-expiry',
  method: 'POST',
  path: '/strategies/:id/expiries/:contract',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: '以最後結算價平掉到期月份留下的部位：另記一筆系統紀錄，時間是最後交易日 13:30',
  input: z.object({
    id: id(),
    contract: z.string().check(z.trim(), z.regex(CONTRACT_MONTH, '合約月份寫成 YYYYMM，週契約加 W1 或 F1')),
    /** Needed where several products of one strategy are open in the same month. */
    symbol: z.optional(text(1, 20)),
    settlement_price: num(0.0001, PRICE_MAX),
  }),
  output: signal_record,
})

// A strategy made after another one (wire §14). A call of its own file so that the first screen need not carry it.

export const duplicateStrategy = endpoint({
  name: 'strategy.duplicate',
  method: 'POST',
  path: '/strategies/:id/duplicate',
  who: 'strategy:create',
  when_offline: 'fail',
  about: '以一個策略的設定與訊息對應另建一個，有自己的 webhook，沒有紀錄；須先完成電子郵件驗證',
  input: z.object({ id: id(), name: name_text(60, '請輸入策略名稱') }),
  output: strategy,
})

// Pictures of a strategy's note: brought before the note is saved, read by whoever may read the note (docs/decisions/screens.md).

export const uploadNoteImage = endpoint({
  name: 'strategy.upload-image',
  method: 'POST',
  path: '/uploads/note-images',
  who: 'strategy:create',
  when_offline: 'fail',
  body: 'image',
  about:
    '上傳策略說明的圖片（PNG、JPEG、WebP，最大 5 MB）；存成 2,000 像素以內的 WebP，不含拍攝資訊。把回答的 url 寫進說明：![說明](url)，7 天內沒有說明用到就移除',
  input: z.object({ image: image() }),
  output: z.object({ url: z.string() }),
})

export const getNoteImage = endpoint({
  name: 'strategy.image',
  method: 'GET',
  path: '/uploads/note-images/:id',
  who: 'strategy:view',
  when_offline: 'fail',
  answer: 'file',
  about: '策略說明裡的一張圖片；看得到那個策略的人才讀得到',
  input: z.object({ id: z.string().check(z.regex(/^[0-9a-f]{40}$/, '沒有這張圖片')) }),
  output: z.unknown(),
})

// Where a picture of a note lies: the address as it stands in the note's Markdown, and how to find it there. No schemas: screens that only read need this much.

/** Under the origin; what follows is the picture's id. */
export const NOTE_IMAGE_PATH = '/api/v1/uploads/note-images/'

const ADDRESS = /^\/api\/v1\/uploads\/note-images\/([0-9a-f]{40})$/
const IN_MARKDOWN = /\]\(\/api\/v1\/uploads\/note-images\/([0-9a-f]{40})(?![0-9a-f])/g

/** The address of a picture, to be written as `![…](address)`. */
export const noteImageAddress = (id: string): string => NOTE_IMAGE_PATH + id

/** The id in such an address; null for every other address. */
export const noteImageId = (address: string): string | null => ADDRESS.exec(address)?.[1] ?? null

/** Ids of the pictures that a note shows, each once, in their order. */
export function noteImageIds(note: string): string[] {
  return [...new Set(Array.from(note.matchAll(IN_MARKDOWN), (found) => found[1] as string))]
}
