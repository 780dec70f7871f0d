// Signal records: the calls (wire.md §6).
import * as z from 'zod/mini'
import {
  ACTIONS,
  EFFECTS,
  FLAGS,
  MANUAL_ACTIONS,
  PRICE_MAX,
  RECORD_STATUSES,
  SIDES,
  SOURCES,
  TRADING_SESSIONS,
  UNITS,
} from '#trading/record.ts'
import { CHANNELS, DELIVERY_STATES } from './channels.ts'
import { endpoint, type FileAnswer } from './endpoint.ts'
import { amount, at, day, growing, growing_query, id, int, num, query_int, text } from './fields.ts'
import { CHAIN_LIMIT, FEED_LIMIT } from './limits.ts'
import { notification_delivery } from './notification.ts'

// The shapes of a signal record: immutable facts, their place in the chain, and what folding made of them (wire.md §6).

export const signal_facts = z.object({
  id: id(),
  strategy_id: id(),
  chain_seq: z.number(),
  source: z.enum(SOURCES),
  refers_to: z.nullable(id()),
  external_id: z.nullable(z.string()),
  asset: z.enum(['futures', 'stock']),
  symbol_raw: z.nullable(z.string()),
  symbol: z.string(),
  contract: z.nullable(z.string()),
  action: z.enum(ACTIONS),
  quantity: z.nullable(z.number()),
  unit: z.enum(UNITS),
  target_position: z.nullable(z.number()),
  reported_prev: z.nullable(z.number()),
  price: z.nullable(amount()),
  occurred_at: at(),
  received_at: at(),
  timeframe: z.nullable(z.string()),
  note: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  body_sha256: z.nullable(z.string()),
  created_by: z.nullable(id()),
})
export type SignalFacts = z.infer<typeof signal_facts>

export const signal_derived = z.object({
  status: z.enum(RECORD_STATUSES),
  effect: z.enum(EFFECTS),
  none_reason: z.nullable(z.string()),
  side: z.enum(SIDES),
  position_before: z.number(),
  position_after: z.number(),
  avg_price_after: z.nullable(amount()),
  price_used: z.nullable(amount()),
  realised_pnl: z.nullable(amount()),
  fee: z.nullable(amount()),
  tax: z.nullable(amount()),
})
export type SignalDerived = z.infer<typeof signal_derived>

export const signal_record = z.object({
  ...signal_facts.shape,
  seq: z.number(),
  prev_hash: z.string(),
  hash: z.string(),
  webhook_id: z.nullable(id()),
  delivery_id: z.nullable(id()),
  symbol_name: z.string(),
  trading_date: day(),
  session: z.enum(TRADING_SESSIONS),
  flags: z.array(z.enum(FLAGS)),
  /** Alarms nobody: replayed, imported, or entered without telling. */
  quiet: z.boolean(),
  derived: signal_derived,
})
/** A record as it travels: facts + place + derived. `delivery_id` is null for those who may not edit. */
export type SignalRecord = z.infer<typeof signal_record>

export const normal_signal = z.object({
  symbol_raw: z.nullable(z.string()),
  symbol: z.nullable(z.string()),
  contract: z.nullable(z.string()),
  action: z.nullable(z.enum(ACTIONS)),
  quantity: z.nullable(z.number()),
  target_position: z.nullable(z.number()),
  reported_prev: z.nullable(z.number()),
  price: z.nullable(amount()),
  occurred_at: z.nullable(at()),
  external_id: z.nullable(z.string()),
  timeframe: z.nullable(z.string()),
  note: z.nullable(z.string()),
  extras: z.record(z.string(), z.unknown()),
})

const timeline = z.object({
  fired_at: at(),
  received_at: at(),
  stored_at: at(),
  clock_ahead: z.boolean(),
  steps: z.array(
    z.object({
      channel: z.enum(CHANNELS),
      device_label: z.nullable(z.string()),
      handed_at: at(),
      shown_at: z.nullable(at()),
      opened_at: z.nullable(at()),
      state: z.enum(DELIVERY_STATES),
      reason: z.nullable(z.string()),
    }),
  ),
})

/** chain_seq is a 32-bit column. */
const CHAIN_SEQ_MAX = 2 ** 31 - 1
const record_filters = {
  action: z.optional(z.enum(ACTIONS)),
  effect: z.optional(z.enum(EFFECTS)),
  source: z.optional(z.enum(SOURCES)),
  symbol: z.optional(text(0, 20)),
  from: z.optional(day()),
  to: z.optional(day()),
  min_chain_seq: z.optional(query_int(0, CHAIN_SEQ_MAX)),
}

export const signalFeed = endpoint({
  name: 'signal.feed',
  method: 'GET',
  path: '/signals',
  who: 'strategy:view',
  scope: 'signals:read',
  when_offline: 'fail',
  about: '目前身份看得到的訊號，依序；latest 只取最新幾筆',
  input: z.object({
    after: z.optional(query_int(0, Number.MAX_SAFE_INTEGER)),
    /** The newest N instead of the oldest after a cursor: what a fresh device shows first. */
    latest: z.optional(z.stringbool()),
    /** With `latest`: only those older than this seq. */
    before: z.optional(query_int(0, Number.MAX_SAFE_INTEGER)),
    limit: z._default(query_int(1, FEED_LIMIT, '至少 1 筆', `一次最多 ${FEED_LIMIT} 筆`), 200),
    access_version: z.optional(query_int(0, Number.MAX_SAFE_INTEGER)),
    /** The `epoch` of the answer that gave `after`: of another past of the database the number means nothing. */
    epoch: z.optional(text(0, 64)),
    strategy_id: z.optional(id()),
  }),
  output: z.object({
    items: z.array(signal_record),
    next_after: z.number(),
    /** Which past of the database `next_after` counts in: goes back with it. */
    epoch: z.string(),
    /** The database was restored since `after` was given: drop what is held and read from the beginning. Nothing else is in the answer. */
    reset: z.optional(z.boolean()),
    more: z.boolean(),
    access_version: z.number(),
    access: z.optional(
      z.array(
        z.object({
          strategy_id: id(),
          visible_from: z.nullable(day()),
          valid_until: z.nullable(day()),
          chain_seq: z.number(),
        }),
      ),
    ),
    forget: z.array(id()),
    lease_until: z.nullable(at()),
    server_time: at(),
  }),
})

export const getSignal = endpoint({
  name: 'signal.get',
  method: 'GET',
  path: '/signals/:id',
  who: 'strategy:view',
  scope: 'signals:read',
  when_offline: 'fail',
  about: '一筆訊號，含時間軸；可編輯者另有原始訊息',
  input: z.object({ id: id() }),
  output: z.object({
    ...signal_record.shape,
    timeline,
    /** The caller's own: also what was not sent, with its reason. */
    deliveries_to_me: z.array(notification_delivery),
    /** The body as it arrived (secret removed) and its verdict; null without strategy:edit or after 30 days. */
    delivery: z.nullable(
      z.object({
        id: id(),
        received_at: at(),
        content_type: z.string(),
        body: z.nullable(z.string()),
        body_encoding: z.enum(['utf-8', 'base64']),
        outcome: z.string(),
        duration_ms: z.number(),
      }),
    ),
  }),
})

export const listStrategySignals = endpoint({
  name: 'signal.of-strategy',
  method: 'GET',
  path: '/strategies/:id/signals',
  who: 'strategy:view',
  when_offline: 'fail',
  about: '一個策略的訊號，新的在前',
  input: z.object({ id: id(), ...growing_query, ...record_filters }),
  output: growing(signal_record),
})

export const listWebhookSignals = endpoint({
  name: 'signal.of-webhook',
  method: 'GET',
  path: '/webhooks/:id/signals',
  who: 'strategy:view',
  when_offline: 'fail',
  about: '一個 webhook 收到的訊號，新的在前',
  input: z.object({ id: id(), ...growing_query }),
  output: growing(signal_record),
})

export const voidSignal = endpoint({
  name: 'signal.void',
  method: 'POST',
  path: '/signals/:id/void',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: '作廢一筆訊號：紀錄不刪不改，另記一筆作廢並重算部位與損益',
  input: z.object({ id: id(), reason: text(1, 200, '請寫下作廢的原因') }),
  output: signal_record,
})

export const correctSignal = endpoint({
  name: 'signal.correct',
  method: 'POST',
  path: '/signals/:id/corrections',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: '補上、更正或確認一筆訊號的價格：另記一筆更正並重算損益',
  input: z.object({ id: id(), price: num(0.0001, PRICE_MAX), note: z.optional(text(0, 200)) }),
  output: signal_record,
})

const chain_head = z.object({ chain_seq: z.number(), hash: z.string(), at: at() })
export type ChainHead = z.infer<typeof chain_head>

export const strategyChain = endpoint({
  name: 'signal.chain',
  method: 'GET',
  path: '/strategies/:id/chain',
  who: 'strategy:view',
  when_offline: 'fail',
  about:
    '策略的雜湊鏈：被雜湊的原文、前一筆雜湊與雜湊，依序；anchor 是第一筆之前的雜湊；canonical 為 null 的只有雜湊相連，內容不給看',
  input: z.object({
    id: id(),
    /** chain_seq after which to go on. */
    after: z._default(query_int(0, CHAIN_SEQ_MAX), 0),
    limit: z._default(query_int(1, CHAIN_LIMIT, '至少 1 筆', `一次最多 ${CHAIN_LIMIT} 筆`), CHAIN_LIMIT),
  }),
  output: z.object({
    items: z.array(
      z.object({
        chain_seq: z.number(),
        prev_hash: z.string(),
        hash: z.string(),
        /** null: of a record from before the reader's first day, or about one; only a link, its content is not told. */
        canonical: z.nullable(z.string()),
      }),
    ),
    /** Where the chain stands; null while it has no record. */
    head: z.nullable(chain_head),
    anchor: z.string(),
  }),
})
export type ChainPage = z.infer<typeof strategyChain.output>

export const EXPORT_FORMATS = ['csv', 'json'] as const

export const exportSignals = endpoint({
  name: 'signal.export',
  method: 'GET',
  path: '/strategies/:id/signals/export',
  who: 'strategy:view',
  when_offline: 'fail',
  answer: 'file',
  about: '匯出一個策略的全部訊號：csv 給試算表，json 含雜湊，離線也能驗證（npm run verify）',
  input: z.object({ id: id(), format: z._default(z.enum(EXPORT_FORMATS), 'csv') }),
  output: z.custom<FileAnswer>((value) => typeof value === 'object' && value !== null && 'chunks' in value),
})

// The records of a stock strategy with their sizes in 張 and 股, and what they are worth (StockSignalRecordByStrategyID, wire §6).

const stock_signal_record = z.extend(signal_record, {
  /** Whole 張, and the 股 beside them; null where the record names no size. */
  board_lots: z.nullable(z.number()),
  odd_shares: z.nullable(z.number()),
  /** NT$: price × shares; null without a price or size. */
  amount: z.nullable(amount()),
})

export const listStockSignals = endpoint({
  name: 'signal.stocks-of-strategy',
  method: 'GET',
  path: '/strategies/:id/stock-signals',
  who: 'strategy:view',
  when_offline: 'fail',
  about: '股票策略的訊號，新的在前，附幾張、幾股與金額',
  input: z.object({
    id: id(),
    symbol: z.optional(text(0, 20)),
    ...growing_query,
  }),
  output: growing(stock_signal_record),
})

// Signals that a person enters: the two calls (wire.md §6, operations.md). Both may wait in the outbox.

const entry = {
  strategy_id: id(),
  /** Of the record it becomes: made on the device when the person pressed, unique for ever (rulings A17, A24). */
  id: id(),
  action: z.enum(MANUAL_ACTIONS, '請選擇動作'),
  price: num(0.0001, PRICE_MAX),
  /** Null: all that is held (exits, close_all, reverse). */
  quantity: z.nullable(int(1, 9_999_999)),
  occurred_at: at(),
  note: z.optional(text(0, 200)),
  /** Absent: whoever follows is alarmed unless it happened over an hour ago. */
  notify: z.optional(z.boolean()),
  /** It waited on the device past its time, and the person said 仍要送出. */
  confirmed_late: z.optional(z.boolean()),
}
const call = {
  method: 'POST',
  who: 'strategy:edit',
  scope: 'signals:write',
  when_offline: 'queue',
  output: signal_record,
} as const

export const sendManualFutures = endpoint({
  ...call,
  name: 'signal.manual-futures',
  path: '/strategies/:strategy_id/manual-signals/futures',
  about: '期貨策略的手動訊號；同一個 id 只會成為一筆紀錄',
  input: z.object({
    ...entry,
    product_code: text(1, 20, '請選擇商品'),
    contract: z.optional(
      z.nullable(
        z.string().check(z.regex(/^(C[12]|20\d{2}(0[1-9]|1[0-2])([WF][1-5])?)$/, '合約月份的格式不正確')),
      ),
    ),
  }),
})

export const sendManualStock = endpoint({
  ...call,
  name: 'signal.manual-stock',
  path: '/strategies/:strategy_id/manual-signals/stock',
  about: '股票策略的手動訊號，數量以張或股計；同一個 id 只會成為一筆紀錄',
  input: z.object({
    ...entry,
    symbol: text(1, 20, '請選擇股票'),
    unit: z.optional(z.enum(UNITS)),
  }),
})
