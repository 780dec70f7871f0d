// Strategies of all three kinds: their fields with bounds, in and out (wire.md §4).
import * as z from 'zod/mini'
import { DIRECTIONS, STRATEGY_KINDS } from '#trading/record.ts'
import { CHANNELS } from './channels.ts'
import { endpoint } from './endpoint.ts'
import { amount, at, day, id, nothing, page_query, paged, text } from './fields.ts'
import { COMMON, commonOf, STATUSES } from './kinds/every-kind.ts'
import { storedOf, writtenOf } from './kinds/setting.ts'
import { overwritten } from './notification-shape.ts'
import { position_gap } from './position-gap.ts'
import { signal_record } from './signal-shape.ts'
import { strategy_section } from './strategy-section.ts'
import {
  CHANGEABLE,
  futures_input,
  futures_settings,
  stock_input,
  stock_settings,
  xq_input,
  xq_settings,
} from './strategy-settings.ts'
import { stats_summary } from './summary.ts'
import { webhook } from './webhook-shape.ts'

export * from './strategy-settings.ts'

const WARNINGS = [
  'no_webhook',
  'silent',
  'missing',
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
    z.object({ kind: z.literal('futures'), ...writtenOf(commonOf('futures')), settings: futures_input }),
    z.object({
      kind: z.literal('stock'),
      ...writtenOf(commonOf('stock')),
      settings: z._default(stock_input, () => stock_input.parse({})),
    }),
    z.object({ kind: z.literal('xq-stock'), ...writtenOf(commonOf('xq-stock')), settings: xq_input }),
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
  actions: z.enum(['all', 'opening', 'closing']),
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
    actions: z.optional(z.enum(['all', 'opening', 'closing'])),
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
