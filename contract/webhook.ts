// Webhooks and their deliveries: the calls (wire.md §5).

import * as z from 'zod/mini'
import { FORMATS, READ_REASONS } from '#trading/reader/shape.ts'
import { ACTIONS, UNITS } from '#trading/record.ts'
import { endpoint, type FileAnswer } from './endpoint.ts'
import {
  at,
  growing,
  growing_query,
  id,
  name_text,
  nothing,
  page_query,
  paged,
  seen,
  text,
} from './fields.ts'
import { HOOK_BODY_BYTES } from './limits.ts'
import { normal_signal } from './signal.ts'

// The shapes of a webhook and of a delivery (wire.md §5).

export const OUTCOMES = ['accepted', 'late', 'duplicate', 'ignored', 'held', 'rejected'] as const
export type Outcome = (typeof OUTCOMES)[number]
/** What the reader of messages says, and what stops a message before it is read. */
export const REASON_CODES = [
  ...READ_REASONS,
  'too_large',
  'bad_encoding',
  'bad_secret',
  'ip_not_allowed',
  'rule_ignored',
  'heartbeat',
  'disabled',
  'archived',
  'test',
  'unconfirmed_format',
] as const
export type ReasonCode = (typeof REASON_CODES)[number]

const path_text = () =>
  z.string().check(z.minLength(1, '請填欄位名稱'), z.maxLength(100, '欄位名稱太長'), seen())
const source = () => z.union([path_text(), z.object({ const: z.string().check(z.maxLength(200), seen()) })])

export const mapping = z.object({
  fields: z.object({
    symbol: z.optional(source()),
    action: z.optional(source()),
    quantity: z.optional(source()),
    price: z.optional(source()),
    time: z.optional(source()),
    position: z.optional(source()),
    id: z.optional(source()),
    note: z.optional(source()),
  }),
  words: z._default(z.record(z.string().check(z.maxLength(60), seen()), z.enum(ACTIONS)), {}),
  /** The sender's own unit words; '' stands for numbers without one. */
  units: z._default(z.record(z.string().check(z.maxLength(20), seen()), z.enum(UNITS)), {}),
  /** Fields that mean nothing here, by path. */
  ignore: z._default(z.array(path_text()).check(z.maxLength(60, '最多忽略 60 個欄位')), []),
  id_is_unique: z._default(z.boolean(), false),
  /** 只收這種格式: a mapped field that is absent is refused instead of read automatically. */
  strict: z._default(z.boolean(), false),
  /** Where the sender counts its messages. */
  sequence: z.optional(path_text()),
})
export type Mapping = z.infer<typeof mapping>

const counts = z.object({
  accepted: z.number(),
  late: z.number(),
  duplicate: z.number(),
  ignored: z.number(),
  /** Of no confirmed format: they wait until somebody says how they are read. */
  held: z.number(),
  rejected: z.number(),
  /** Of those rejected, the ones about another product (商品不符). */
  mismatch: z.number(),
})

export const webhook = z.object({
  id: id(),
  strategy_id: id(),
  name: z.string(),
  url: z.nullable(z.string()),
  format: z.enum(FORMATS),
  mapping: z.nullable(mapping),
  enabled: z.boolean(),
  has_secret: z.boolean(),
  ip_allow: z.array(z.string()),
  unparsed_rule: z.nullable(z.object({ action: z.enum(['entry', 'exit']), symbol: z.string() })),
  old_url_until: z.nullable(at()),
  counts_24h: counts,
  counts,
  last_accepted_at: z.nullable(at()),
  last_rejected_at: z.nullable(at()),
  last_duplicate_at: z.nullable(at()),
  /** Anything of its sender, a bridge's PING or a refused message too. */
  last_heard_at: z.nullable(at()),
  health: z.enum(['never', 'ok', 'quiet', 'failing']),
  /** What its mapping calls `sequence` is no count of its messages: missing ones are told no more (trading/sender-count.ts). */
  no_count: z.optional(z.literal(true)),
  created_at: at(),
  updated_at: at(),
})
export type Webhook = z.infer<typeof webhook>

export const delivery = z.object({
  id: id(),
  webhook_id: id(),
  received_at: at(),
  source_ip: z.string(),
  content_type: z.string(),
  size: z.number(),
  body: z.nullable(z.string()),
  body_encoding: z.enum(['utf-8', 'base64']),
  /** Only the beginning is kept of what nobody could read: it cannot be read again. */
  body_cut: z.boolean(),
  outcome: z.enum(OUTCOMES),
  http_status: z.number(),
  reason_code: z.nullable(z.enum(REASON_CODES)),
  reason: z.nullable(z.string()),
  field: z.nullable(z.string()),
  duplicate_of: z.nullable(id()),
  signal_id: z.nullable(id()),
  /** The format that read it (`builtin:…` of ours), or that waits to be confirmed; null = none, or a rule. */
  format_id: z.nullable(z.string()),
  normal: z.nullable(normal_signal),
  duration_ms: z.number(),
  test: z.boolean(),
  replayed_at: z.nullable(at()),
})
export type Delivery = z.infer<typeof delivery>

// What stopped a message, reason by reason: server and screens ask here whether it may be read again, learned from, mapped.

/**
 * `closed`: nothing is taken there, and nobody asked who sent it · `sender`: who sent it is not known · `opening`: no text came
 * out of it · `twice`: one of its fields stands there two times · `ruled`: it was read, and a rule of the strategy left it out · `reading`:
 * its sender is known, and it was looked at. Only what is `reading`, or `closed` where no secret is asked for, may be read again.
 */
export type Stop = 'closed' | 'sender' | 'opening' | 'twice' | 'ruled' | 'reading'

const STOPS: Record<ReasonCode, Stop> = {
  empty: 'reading',
  too_large: 'opening',
  bad_encoding: 'opening',
  unreadable: 'reading',
  unresolved_placeholder: 'reading',
  missing_field: 'reading',
  unknown_action: 'reading',
  unknown_symbol: 'reading',
  symbol_mismatch: 'reading',
  bad_quantity: 'reading',
  bad_price: 'reading',
  bad_time: 'reading',
  bad_secret: 'sender',
  ip_not_allowed: 'sender',
  rule_ignored: 'ruled',
  heartbeat: 'reading',
  disabled: 'closed',
  archived: 'closed',
  unknown_field: 'reading',
  contradiction: 'reading',
  several_orders: 'reading',
  duplicate_key: 'twice',
  bad_unit: 'reading',
  not_a_trade: 'reading',
  contract_ended: 'reading',
  test: 'reading',
  unconfirmed_format: 'reading',
}

/** The reasons that stopped a message at one of these. */
export function reasonsAt(...stops: Stop[]): ReadonlySet<string | null> {
  return new Set(Object.entries(STOPS).flatMap(([reason, stop]) => (stops.includes(stop) ? [reason] : [])))
}

/** What POST /hooks/{token} answers: flat, outside the envelope (ruling C13). */
export const hook_answer = z.object({
  status: z.enum(['accepted', 'duplicate', 'ignored', 'held', 'rejected']),
  /** As of its delivery: what was taken may have been late. */
  outcome: z.enum(OUTCOMES),
  delivery_id: z.nullable(id()),
  signal_id: z.nullable(id()),
  duplicate_of: z.nullable(id()),
  format_id: z.nullable(z.string()),
  reason_code: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  flags: z.array(z.string()),
})
export type HookAnswer = z.infer<typeof hook_answer>

const ip_or_cidr = () =>
  z
    .string()
    .check(
      z.trim(),
      z.regex(
        /^(\d{1,3}\.){3}\d{1,3}(\/\d{1,2})?$|^[0-9a-f:]{2,39}(\/\d{1,3})?$/i,
        '請填 IP 或 CIDR，例如 52.89.214.238',
      ),
    )

const writable = {
  name: name_text(60, '請輸入名稱'),
  format: z.enum(FORMATS, '請選格式'),
  mapping: z.nullable(mapping),
  body_secret: z.nullable(
    z.string().check(z.minLength(8, '密語至少 8 個字元'), z.maxLength(64, '密語最多 64 個字元'), seen()),
  ),
  ip_allow: z.array(ip_or_cidr()).check(z.maxLength(20, '最多 20 個 IP')),
  unparsed_rule: z.nullable(z.object({ action: z.enum(['entry', 'exit']), symbol: text(1, 20) })),
}

export const listWebhooks = endpoint({
  name: 'webhook.list',
  method: 'GET',
  path: '/webhooks',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: 'Webhook 列表',
  input: z.object({ strategy_id: z.optional(id()), ...page_query }),
  output: paged(webhook),
})

export const listStrategyWebhooks = endpoint({
  name: 'webhook.of-strategy',
  method: 'GET',
  path: '/strategies/:id/webhooks',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: '一個策略的 webhook',
  input: z.object({ id: id() }),
  output: z.array(webhook),
})

export const createWebhook = endpoint({
  name: 'webhook.create',
  method: 'POST',
  path: '/webhooks',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: '建立 webhook（每個策略最多 5 個）',
  input: z.object({
    strategy_id: id(),
    name: writable.name,
    format: z._default(writable.format, 'auto'),
    mapping: z._default(writable.mapping, null),
  }),
  output: webhook,
})

export const updateWebhook = endpoint({
  name: 'webhook.update',
  method: 'PUT',
  path: '/webhooks/:id',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: '更新 webhook；只送有改的欄位',
  input: z.object({
    id: id(),
    name: z.optional(writable.name),
    format: z.optional(writable.format),
    mapping: z.optional(writable.mapping),
    body_secret: z.optional(writable.body_secret),
    ip_allow: z.optional(writable.ip_allow),
    unparsed_rule: z.optional(writable.unparsed_rule),
  }),
  output: webhook,
})

export const setWebhookStatus = endpoint({
  name: 'webhook.set-status',
  method: 'PUT',
  path: '/webhooks/:id/status',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: '啟用或停用 webhook',
  input: z.object({ id: id(), enabled: z.boolean('請選啟用或停用') }),
  output: webhook,
})

export const rotateWebhook = endpoint({
  name: 'webhook.rotate',
  method: 'POST',
  path: '/webhooks/:id/rotate',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: '換新網址；舊網址依寬限時間停用',
  input: z.object({ id: id(), grace: z._default(z.enum(['now', '1h', '24h']), 'now') }),
  output: webhook,
})

export const deleteWebhook = endpoint({
  name: 'webhook.delete',
  method: 'DELETE',
  path: '/webhooks/:id',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: '刪除 webhook；已收的紀錄保留',
  input: z.object({ id: id() }),
  output: nothing(),
})

export const testWebhook = endpoint({
  name: 'webhook.test',
  method: 'POST',
  path: '/webhooks/:id/test',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: '用真正的解析試一則訊息；不會成為訊號',
  input: z.object({
    id: id(),
    body: z.optional(z.string().check(z.maxLength(HOOK_BODY_BYTES, '訊息最多 64 KB'))),
  }),
  output: z.object({ delivery, answer: hook_answer }),
})

export const listDeliveries = endpoint({
  name: 'webhook.deliveries',
  method: 'GET',
  path: '/webhooks/:id/deliveries',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: '收到的每一則請求與判定',
  input: z.object({
    id: id(),
    outcome: z.optional(z.enum(OUTCOMES)),
    reason_code: z.optional(z.enum(REASON_CODES)),
    /** Received from `from` on, before `to`. */
    from: z.optional(at()),
    to: z.optional(at()),
    ...growing_query,
  }),
  output: growing(delivery),
})

export const replayDelivery = endpoint({
  name: 'webhook.replay',
  method: 'POST',
  path: '/webhooks/:id/deliveries/:delivery_id/replay',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: '用現在的設定重新解析一則；一則請求永遠最多只有一筆成立的訊號',
  input: z.object({ id: id(), delivery_id: id() }),
  output: delivery,
})

// The program that hands the lines of a file on to a webhook: XQ and MultiCharts write files and call no address (domain.md §4.3).

export const BRIDGE_PLATFORMS = ['powershell', 'python'] as const
export type BridgePlatform = (typeof BRIDGE_PLATFORMS)[number]

/** What the file is called, here and in the command that starts it. */
export const BRIDGE_FILES: Record<BridgePlatform, string> = {
  powershell: 'lingbo-bridge.ps1',
  python: 'lingbo-bridge.py',
}

export const getBridge = endpoint({
  name: 'webhook.bridge',
  method: 'GET',
  path: '/webhooks/:id/bridge',
  who: 'strategy:edit',
  when_offline: 'fail',
  answer: 'file',
  about: 'XQ 與 MultiCharts 的橋接程式，網址已經填好：盯著輸出檔，把新的一行送到這個 Webhook',
  input: z.object({ id: id(), platform: z._default(z.enum(BRIDGE_PLATFORMS), 'powershell') }),
  output: z.custom<FileAnswer>((value) => typeof value === 'object' && value !== null && 'chunks' in value),
})
