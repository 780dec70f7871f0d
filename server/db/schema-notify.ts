// The tables of notifications (docs/decisions/059).
import type { ChannelId, DeliveryState, NotificationKind } from '#contract/channels.ts'

/** Up to which event of a scope everybody who is told was planned. */
export interface NotifyCursorRow {
  scope: string
  seq: number
}
export interface NotificationRow {
  id: string
  uid: string
  /** The number of its event in the person's scope. */
  seq: number
  key: string
  kind: NotificationKind
  organization_id: string | null
  strategy_id: string | null
  signal_id: string | null
  announcement_id: string | null
  title: string
  body: string
  link: string
  listed: number
  created_at: string
  read_at: string | null
}
export interface NotificationDeliveryRow {
  id: string
  notification_id: string
  uid: string
  channel: ChannelId
  receiver_id: string
  device_label: string | null
  state: DeliveryState
  reason: string | null
  attempts: number
  rank: number
  created_at: string
  /** When it is next looked at; null = never again. While sending: the end of the claim. */
  next_at: string | null
  lease_holder: string | null
  /** The claim in which it was first tried; what was tried together stays together. */
  tried_in: string | null
  /** When it was first to go, after quiet hours and waiting for more; null in rows older than this column: `created_at`. */
  due_at: string | null
  /** When the person asked for it once more (重送): then it goes whatever the settings are. */
  asked_at: string | null
  sent_at: string | null
  shown_at: string | null
  opened_at: string | null
}
export interface NotifyProcessRow {
  id: string
  seen_at: string
}
export interface NotificationSettingRow {
  uid: string
  fields: string
  updated_at: string
}
export interface ChannelReceiverRow {
  id: string
  uid: string
  channel: ChannelId
  /** `gone`: the other side knows it no more; it is not tried again. */
  state: 'bound' | 'blocked' | 'failing' | 'gone'
  name: string | null
  address: string
  address_mark: string
  config: string | null
  sid: string | null
  created_at: string
  last_ok_at: string | null
  reason: string | null
  /** 1 = bound under an earlier password, or by a session that was ended: it is told things, and opens no session. */
  doubted: 0 | 1
  /** The session whose person last said that this chat is theirs; null = nobody did, or before that was kept. */
  bound_sid: string | null
}
export interface BindingCodeRow {
  code_hash: string
  uid: string
  channel: ChannelId
  code: string
  created_at: string
  expires_at: string
  used_at: string | null
  reason: string | null
  /** Sealed: the chat that came with the code and waits for the person's yes. */
  claim: string | null
  /** The session that made it; null = before that was kept. */
  sid: string | null
}
export interface ChannelFactRow {
  channel: ChannelId
  name: string
  value: string
}
export interface LostMailboxRow {
  uid: string
  email: string
  reason: string
  lost_at: string
}

/** Until when a receiver is left alone by every process; `receiver_id` '' = the whole channel. */
export interface ReceiverRestRow {
  channel: ChannelId
  receiver_id: string
  /** The other side said so. */
  asked_until: string | null
  /** So often in a row it failed, which rests it until then; 重送 forgets this, never the other. */
  failed: number
  rests_until: string | null
  noted_at: string
}
/** Messages that an account took of a channel in a month (`YYYY-MM`). */
export interface ChannelUsageRow {
  channel: ChannelId
  month: string
  uid: string
  used: number
}

export interface NotifySchema {
  notify_cursors: NotifyCursorRow
  notifications: NotificationRow
  notification_deliveries: NotificationDeliveryRow
  notify_processes: NotifyProcessRow
  notification_settings: NotificationSettingRow
  channel_receivers: ChannelReceiverRow
  binding_codes: BindingCodeRow
  channel_facts: ChannelFactRow
  lost_mailboxes: LostMailboxRow
  receiver_rests: ReceiverRestRow
  channel_usage: ChannelUsageRow
}
