// Everything that happens is one row: a number in its scope, a kind, data (wire.md §11).
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import type { SignalNotification } from './notification.ts'
import type { Role } from './permissions.ts'
import type { SignalRecord } from './signal.ts'
import type { Delivery } from './webhook.ts'

/** `p:<uid>` or `o:<organization id>`. */
export type Scope = `p:${string}` | `o:${string}`

export interface EventData {
  signal: SignalRecord
  'signal-voided': SignalRecord
  strategy: {
    id: string
    change: 'created' | 'updated' | 'status' | 'deleted' | 'refolded'
    from_chain_seq?: number
  }
  /** Only to those who may edit: its source is silent since then, by the minutes its market was open; null = no longer. */
  silence: {
    strategy_id: string
    since: string | null
    heard_at?: string
    minutes?: number
    /** Numbers of one sender that did not come; none any more where `since` is null (trading/sender-count.ts). */
    missing?: { webhook_id: string; numbers: number[] }
  }
  /** Only to those who may edit. */
  delivery: Omit<Delivery, 'body'>
  /** Only to those who may edit: a format of a webhook is asked about (`asked`, at most once in ten minutes), or is another. */
  format: {
    id: string
    webhook_id: string
    strategy_id: string
    change: 'asked' | 'confirmed' | 'updated' | 'deleted'
  }
  /** `role`: what somebody else made of the person. */
  membership: {
    organization_id: string
    user_id: string
    change: 'added' | 'updated' | 'removed' | 'groups'
    access_version: number
    role?: Role
  }
  /** `name`: of an organization that was dissolved, for those who did not do it; it can be asked for no more. */
  'context-revoked': {
    organization_id: string
    reason: 'removed' | 'expired' | 'left' | 'dissolved'
    name?: string
  }
  /** `request_id`: of somebody who asks to join since now. */
  organization: { id: string; change: 'updated' | 'invites' | 'join_requests'; request_id?: string }
  group: { id: string; change: 'created' | 'updated' | 'deleted' | 'members' | 'strategies' }
  /** `o:` what changed (`drafted`: nothing that members see); `p:` read on another device, or of the platform. */
  announcement: {
    id: string
    change: 'published' | 'updated' | 'deleted' | 'drafted' | 'read'
    /** To whom it speaks, or spoke before, where that is not everybody. For admins only: a member hears what is for its own groups. */
    group_ids?: string[]
  }
  /** `request_id`: of a request to join that was refused; `invite_id`: of an invitation that came. */
  profile: { change: string; request_id?: string; invite_id?: string }
  setting: { change: string }
  notification: SignalNotification
  /** Read somewhere: by id, or everything (of one part) up to a seq of the inbox. Counts as in the list. */
  'notification-read': {
    ids?: string[]
    up_to?: number
    about?: 'attention' | 'signal'
    unread_count: number
    attention_count?: number
  }
  /** The binding of Telegram or LINE changed. */
  telegram: { change: string }
  /** The cursor is too old for this scope: refetch. It has no number of its own. */
  reset: { scope: Scope }
}
export type EventKind = keyof EventData
export const EVENT_KINDS = [
  'signal',
  'signal-voided',
  'strategy',
  'silence',
  'delivery',
  'format',
  'membership',
  'context-revoked',
  'organization',
  'group',
  'announcement',
  'profile',
  'setting',
  'notification',
  'notification-read',
  'telegram',
  'reset',
] as const satisfies readonly EventKind[]

/** Refused by the compiler while a kind is not in the list, with its name; nothing of it travels. */
type None<Missing extends never> = Missing
export type Unlisted = None<Exclude<EventKind, (typeof EVENT_KINDS)[number]>>

export type AppEvent = {
  [K in EventKind]: { seq: number; scope: Scope; at: string; kind: K; data: EventData[K] }
}[EventKind]

export const eventStream = endpoint({
  name: 'event.stream',
  method: 'GET',
  path: '/events',
  who: 'login',
  scope: 'signals:read',
  when_offline: 'fail',
  answer: 'stream',
  about: '事件串流（text/event-stream）；以 Last-Event-ID 續傳，每 20 秒一個註解心跳',
  input: z.object({}),
  output: z.unknown(),
})
