// Webhooks and their deliveries: the calls (wire.md §5).

import * as z from 'zod/mini'
import { FORMATS } from '#trading/reader/shape.ts'
import { endpoint } from './endpoint.ts'
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
import { delivery, mapping, OUTCOMES, REASON_CODES, webhook } from './webhook-shape.ts'

export * from './webhook-shape.ts'

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
