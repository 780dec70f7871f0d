// Signal records: the calls (wire.md §6).
import * as z from 'zod/mini'
import { ACTIONS, EFFECTS, PRICE_MAX, SOURCES } from '#trading/record.ts'
import { CHANNELS, DELIVERY_STATES } from './channels.ts'
import { endpoint, type FileAnswer } from './endpoint.ts'
import { at, day, growing, growing_query, id, num, query_int, text } from './fields.ts'
import { CHAIN_LIMIT, FEED_LIMIT } from './limits.ts'
import { notification_delivery } from './notification-shape.ts'
import { signal_record } from './signal-shape.ts'

export * from './signal-shape.ts'

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
