// The outbox (待送匣): what one waiting call looks like on the device (wire.md §12), and which calls may wait.
import type { Endpoint } from './endpoint.ts'
import { OUTBOX_SETTING_MS, OUTBOX_SIGNAL_MS } from './limits.ts'

/** 等待連線 · 傳送中 · 等待登入 · 仍要送出 / 放棄 · 失敗：原因. */
export type OutboxState = 'waiting' | 'sending' | 'needs_login' | 'needs_confirm' | 'failed'

/** One call that waits. Instants are ISO UTC by the server's clock as far as it is known. */
export interface OutboxRow {
  /** Given by the device: the order. */
  seq?: number
  /** Idempotency-Key: a UUIDv7 made once, when the person acted. */
  key: string
  ctx: 'personal' | `org:${string}`
  /** uid|ctx|noun|noun id: what is in one lane is sent in order. */
  lane: string
  uid: string
  /** In whose name it was made; goes out with this organization and no other. */
  org_id: string | null
  /** Name of the endpoint in the contract. */
  endpoint: string
  /** What stands in its path. */
  params: Record<string, string>
  body: Record<string, unknown>
  /** The values before, where the screen knew them. */
  base: Record<string, unknown> | null
  /** What it is, for the person. */
  label: string
  created_at: string
  edited_at: string
  /** After this it is not sent by itself any more: it asks. */
  expires_at: string
  state: OutboxState
  /** How often it was tried; each try is the client's first request and its retries. */
  attempts: number
  next_at: string | null
  last_status: number | null
  last_code: number | null
  last_text: string | null
}

/** How a call behaves in the outbox. The worker has only this: the schemas of the contract would not fit into it. */
export interface QueuedCall extends Pick<Endpoint, 'method' | 'path' | 'who'> {
  /** What it is called when the worker caught it and no screen gave it a name. */
  label: string
  /** Sent by itself only within this time. */
  lasts_ms: number
  /** A newer one to the same place takes the older one's place, field by field: the last value is what counts. */
  replaces: boolean
  /** The field of its body that says: it waited past its time and the person sent it all the same. */
  confirms?: 'confirmed_late'
  /**
   * Nobody made it and nobody can do anything about it: it waits unseen, and what cannot go any more is dropped. A name: only where
   * its body has this field (signals that were looked at in the feed).
   */
  unseen?: true | 'signal_ids'
  /** Its body carries `edited_at`: per field the last edit wins, by the time of the edit (ruling A19). */
  dated: boolean
}

/** Each is one of its own; the order of one strategy's is kept by its lane. */
const signal = {
  lasts_ms: OUTBOX_SIGNAL_MS,
  replaces: false,
  dated: false,
  confirms: 'confirmed_late',
  method: 'POST',
  who: 'strategy:edit',
  label: '送出手動訊號',
} as const
const setting = { lasts_ms: OUTBOX_SETTING_MS, replaces: true }

/** Every endpoint with `when_offline: 'queue'`, by name; tests/data/outbox/outbox.test.ts compares them with the contract. */
export const QUEUED: Readonly<Record<string, QueuedCall>> = {
  'profile.update': {
    ...setting,
    method: 'PUT',
    path: '/user/profile',
    who: 'login',
    label: '更新個人資料',
    dated: true,
  },
  'profile.update-name': {
    ...setting,
    method: 'PUT',
    path: '/user/name',
    who: 'login',
    label: '更新姓名',
    dated: true,
  },
  'strategy.notify': {
    ...setting,
    method: 'PUT',
    path: '/strategies/:id/notify',
    who: 'strategy:view',
    label: '更新策略的通知',
    dated: true,
  },
  'notification-setting.update': {
    ...setting,
    method: 'PUT',
    path: '/notification-setting',
    who: 'login',
    label: '更新通知設定',
    dated: true,
  },
  'notification.read': {
    ...setting,
    method: 'PUT',
    path: '/signal-notifications/read',
    who: 'login',
    label: '標為已讀',
    replaces: false,
    unseen: 'signal_ids',
    dated: false,
  },
  'announcement.read': {
    ...setting,
    method: 'PUT',
    path: '/announcements/:id/read',
    who: 'login',
    label: '把公告標為已讀',
    dated: false,
  },
  'signal.receipts': {
    ...setting,
    method: 'POST',
    path: '/signals/receipts',
    who: 'login',
    label: '回報通知已顯示',
    replaces: false,
    unseen: true,
    dated: false,
  },
  'stock-signal-setting.create': {
    ...setting,
    method: 'POST',
    path: '/strategies/:id/stock-signal-settings',
    who: 'strategy:view',
    label: '新增訊號規則',
    replaces: false,
    dated: false,
  },
  'stock-signal-setting.update': {
    ...setting,
    method: 'PUT',
    path: '/strategies/:id/stock-signal-settings/:setting_id',
    who: 'strategy:view',
    label: '更新訊號規則',
    dated: false,
  },
  'stock-signal-setting.delete': {
    ...setting,
    method: 'DELETE',
    path: '/strategies/:id/stock-signal-settings/:setting_id',
    who: 'strategy:view',
    label: '刪除訊號規則',
    dated: false,
  },
  'signal.manual-futures': { ...signal, path: '/strategies/:strategy_id/manual-signals/futures' },
  'signal.manual-stock': { ...signal, path: '/strategies/:strategy_id/manual-signals/stock' },
}

/** Made by no hand: see `QueuedCall.unseen`. */
export function isUnseen({ endpoint, body }: Pick<OutboxRow, 'endpoint' | 'body'>, calls = QUEUED): boolean {
  const unseen = calls[endpoint]?.unseen
  return unseen === true || (unseen !== undefined && unseen in body)
}
