// Notifications: the calls of inbox, settings, deliveries and channels (operations.md, wire.md §8).
import * as z from 'zod/mini'
import {
  ADDRESSED,
  CHANNEL_STATES,
  CHANNELS,
  type ChannelId,
  DELIVERY_STATES,
  MERGE_SECONDS,
  NOTIFICATION_KINDS,
  NOTIFY_ACTIONS,
  type NotificationKind,
  PRIVACY_LEVELS,
} from './channels.ts'
import { endpoint } from './endpoint.ts'
import { at, growing, growing_query, id, int, nothing, seen } from './fields.ts'

// The shapes of notifications: inbox, deliveries, settings, channels (wire.md §8).

const signal_notification = z.object({
  id: id(),
  /** Of the person: the order of the inbox. */
  seq: z.number(),
  kind: z.enum(NOTIFICATION_KINDS),
  organization_id: z.nullable(id()),
  strategy_id: z.nullable(id()),
  signal_id: z.nullable(id()),
  announcement_id: z.nullable(id()),
  title: z.string(),
  body: z.string(),
  /** A path of the app, with `?org=` (ruling A5). */
  link: z.string(),
  created_at: at(),
  read_at: z.nullable(at()),
  channels: z.array(
    z.object({
      channel: z.enum(CHANNELS),
      state: z.enum(DELIVERY_STATES),
      reason: z.nullable(z.string()),
      at: at(),
    }),
  ),
})
export type SignalNotification = z.infer<typeof signal_notification>

/** What asks for a person stands in the inbox and is counted by the badge; a signal is read in the feed. */
export const needsAttention = ({ kind }: Pick<SignalNotification, 'kind'>): boolean => kind !== 'signal'

/** One part of what was told: what asks for a person, or signals. */
const about = () => z.optional(z.enum(['attention', 'signal']))

/** `unread_count` of everything; `attention_count` what of it asks for a person: the badge. */
const counts = () => ({ unread_count: z.number(), attention_count: z.number() })

export const notification_delivery = z.object({
  id: id(),
  notification_id: id(),
  title: z.string(),
  channel: z.enum(CHANNELS),
  device_label: z.nullable(z.string()),
  state: z.enum(DELIVERY_STATES),
  reason: z.nullable(z.string()),
  attempts: z.number(),
  created_at: at(),
  next_at: z.nullable(at()),
  sent_at: z.nullable(at()),
  shown_at: z.nullable(at()),
  opened_at: z.nullable(at()),
})
export type NotificationDelivery = z.infer<typeof notification_delivery>

/** `HH:mm` in Asia/Taipei. */
const clock = () => z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, '時間要寫成 HH:mm'))
const merge_seconds = () => z.literal(MERGE_SECONDS)

/** A field of the setting, by its path: what a change names and what merges field by field (product.md). */
export type SettingPath =
  | `channels.${ChannelId}`
  | `kinds.${NotificationKind}.${ChannelId}`
  | `privacy.${ChannelId}`
  | 'fallback.after_s'
  | 'fallback.order'
  | `quiet_hours.${'enabled' | 'from' | 'to' | 'days' | 'exits_pass'}`
  | 'merge_seconds'

const flag = () => z.optional(z.boolean())

/** What a change may carry: each field by its path, all optional. */
export const setting_changes = z.object({
  ...Object.fromEntries(
    CHANNELS.flatMap((channel) => [
      [`channels.${channel}`, flag()],
      [`privacy.${channel}`, z.optional(z.enum(PRIVACY_LEVELS))],
      ...NOTIFICATION_KINDS.map((kind) => [`kinds.${kind}.${channel}`, flag()]),
    ]),
  ),
  'fallback.after_s': z.optional(int(10, 3_600, '秒')),
  'fallback.order': z.optional(
    z
      .array(z.enum(CHANNELS))
      .check(z.refine((order: string[]) => new Set(order).size === order.length, '每個通道最多一次')),
  ),
  'quiet_hours.enabled': flag(),
  'quiet_hours.from': z.optional(clock()),
  'quiet_hours.to': z.optional(clock()),
  'quiet_hours.days': z.optional(
    z
      .array(int(1, 7))
      .check(z.refine((days: number[]) => new Set(days).size === days.length, '每天最多一次')),
  ),
  'quiet_hours.exits_pass': flag(),
  merge_seconds: z.optional(merge_seconds()),
} as { [P in SettingPath]: z.ZodMiniOptional<z.ZodMiniType> })

const no_field = (issue: { code: string }) =>
  issue.code === 'unrecognized_keys' ? '沒有這個設定，請檢查名稱' : undefined

type Tree = { [key: string]: z.ZodMiniType | Tree }
const isShape = (part: z.ZodMiniType | Tree): part is z.ZodMiniType => '_zod' in part
const nest = (tree: Tree): z.ZodMiniType =>
  z.optional(
    z.strictObject(
      Object.fromEntries(Object.entries(tree).map(([key, part]) => [key, isShape(part) ? part : nest(part)])),
      { error: no_field },
    ),
  )

/** The same fields in the parts that the setting is read in. */
function partsOf(paths: Readonly<Record<string, z.ZodMiniType>>): Record<string, z.ZodMiniType> {
  const tree: Tree = {}
  for (const [path, shape] of Object.entries(paths)) {
    const names = path.split('.')
    const last = names.pop() as string
    let at = tree
    for (const name of names) {
      const inner = (at[name] ?? {}) as Tree
      at[name] = inner
      at = inner
    }
    at[last] = shape
  }
  return Object.fromEntries(
    Object.entries(tree).map(([key, part]) => [key, isShape(part) ? part : nest(part)]),
  )
}

/**
 * What a change takes: fields by their paths, or in the parts that they are read in. What else is read there comes back unread:
 * bells and Telegram are changed elsewhere. A key that nothing has is refused: it would change nothing, and say so to nobody.
 */
const setting_input = z.strictObject(
  {
    ...partsOf(setting_changes.shape),
    ...setting_changes.shape,
    edited_at: z.optional(at()),
    strategies: z.optional(z.unknown()),
    telegram: z.optional(z.unknown()),
    overwritten: z.optional(z.unknown()),
  },
  { error: no_field },
)

const by_channel = <T extends z.ZodMiniType>(value: T) => z.record(z.enum(CHANNELS), value)

export const notification_setting = z.object({
  channels: by_channel(z.boolean()),
  kinds: z.record(z.enum(NOTIFICATION_KINDS), by_channel(z.boolean())),
  privacy: by_channel(z.enum(PRIVACY_LEVELS)),
  /** Channels of `order` come one after the other until one is confirmed; the others at once. */
  fallback: z.object({ after_s: z.number(), order: z.array(z.enum(CHANNELS)) }),
  quiet_hours: z.object({
    enabled: z.boolean(),
    from: z.string(),
    to: z.string(),
    /** 1 = Monday: the days on which a quiet time begins. */
    days: z.array(z.number()),
    exits_pass: z.boolean(),
  }),
  merge_seconds: merge_seconds(),
  /** The settings of the strategies that have any of their own; the others are told with everything. */
  strategies: z.array(
    z.object({
      strategy_id: id(),
      enabled: z.boolean(),
      channels: z.nullable(z.array(z.enum(CHANNELS))),
      actions: z.enum(NOTIFY_ACTIONS),
      important: z.boolean(),
    }),
  ),
  telegram: z.object({
    state: z.enum(CHANNEL_STATES),
    username: z.nullable(z.string()),
  }),
})
export type NotificationSetting = z.infer<typeof notification_setting>

/** What a later edit on another device covered, for 「還原」. */
export const overwritten = z.object({
  path: z.string(),
  value: z.unknown(),
  device_label: z.nullable(z.string()),
  at: at(),
  /** When the edit that stands was made: what is put back is later than it. */
  standing_at: at(),
})
export type Overwritten = z.infer<typeof overwritten>

const notification_channel = z.object({
  channel: z.enum(CHANNELS),
  state: z.enum(CHANNEL_STATES),
  name: z.nullable(z.string()),
  last_ok_at: z.nullable(at()),
  reason: z.nullable(z.string()),
  /** Without secrets. */
  config: z.object({
    address: z.optional(z.string()),
    strategies: z.optional(z.nullable(z.array(id()))),
    /** Messages that may still go to this person this month, where the server's account has a limit. */
    left_this_month: z.optional(z.nullable(z.number())),
    /** Where none is left: when there may be some again. A share of the month grows every day, the month itself does not. */
    left_again: z.optional(z.enum(['day', 'month'])),
    /** Chats that were told to be silent, each until when. */
    muted: z.optional(z.array(z.object({ name: z.nullable(z.string()), until: at() }))),
    /** Chats that give no links to sign in until the person says once more that they are theirs. */
    doubted: z.optional(z.array(z.object({ id: id(), name: z.nullable(z.string()) }))),
  }),
})
export type NotificationChannel = z.infer<typeof notification_channel>

export const self_test = z.object({
  delivered: z.boolean(),
  reason: z.nullable(z.string()),
  milliseconds: z.nullable(z.number()),
  device_label: z.nullable(z.string()),
})
export type SelfTestReport = z.infer<typeof self_test>

/** A one-time link to the channel's own app, and how far the binding is. */
export const channel_binding = z.object({
  state: z.enum(CHANNEL_STATES),
  deep_link: z.nullable(z.string()),
  expires_at: z.nullable(at()),
  username: z.nullable(z.string()),
  /** Why the last try did not bind: the code had expired, the account is bound to somebody else. */
  reason: z.nullable(z.string()),
  /** A chat that came with the link: nothing is sent there before the person says that it is theirs (`confirm`). */
  waiting: z.nullable(z.object({ id: id(), name: z.nullable(z.string()) })),
})
export type ChannelBinding = z.infer<typeof channel_binding>

export const push_subscription = z.object({
  id: id(),
  endpoint_host: z.string(),
  device_label: z.string(),
  created_at: at(),
  last_ok_at: z.nullable(at()),
  state: z.enum(['ok', 'gone']),
  /** The one of the session that asks. */
  is_this_session: z.boolean(),
})
export type PushSubscription = z.infer<typeof push_subscription>

export const getNotificationSetting = endpoint({
  name: 'notification-setting.get',
  method: 'GET',
  path: '/notification-setting',
  who: 'login',
  when_offline: 'fail',
  about: '我的通知設定',
  input: z.object({}),
  output: notification_setting,
})

export const updateNotificationSetting = endpoint({
  name: 'notification-setting.update',
  method: 'PUT',
  path: '/notification-setting',
  who: 'login',
  when_offline: 'queue',
  about: '改通知設定：只送改過的欄位（以路徑命名，或照讀到的層次），逐欄以最後編輯的為準',
  input: setting_input,
  output: z.object({ ...notification_setting.shape, overwritten: z.array(overwritten) }),
})

export const listNotifications = endpoint({
  name: 'notification.list',
  method: 'GET',
  path: '/signal-notifications',
  who: 'login',
  when_offline: 'fail',
  about: '我的通知，新的在前，附未讀數；attention 只要需要處理的，signal 只要訊號',
  input: z.object({ ...growing_query, unread: z.optional(z.stringbool()), about: about() }),
  output: z.object({ ...growing(signal_notification).shape, ...counts() }),
})

export const readNotifications = endpoint({
  name: 'notification.read',
  method: 'PUT',
  path: '/signal-notifications/read',
  who: 'login',
  when_offline: 'queue',
  about: '把通知標為已讀：指定編號、訊號的編號，或到某一筆為止',
  input: z.object({
    ids: z.optional(z.array(id()).check(z.maxLength(200))),
    /** What was told of these signals: they were looked at in the feed, or opened. */
    signal_ids: z.optional(z.array(id()).check(z.maxLength(200))),
    up_to: z.optional(int(0, Number.MAX_SAFE_INTEGER)),
    /** With `up_to`: only this part. */
    about: about(),
  }),
  output: z.object(counts()),
})

export const listNotificationDeliveries = endpoint({
  name: 'notification-delivery.list',
  method: 'GET',
  path: '/notification-deliveries',
  who: 'login',
  when_offline: 'fail',
  about: '發給我的每一次發送：狀態、次數、原因',
  input: z.object({
    ...growing_query,
    state: z.optional(z.enum(DELIVERY_STATES)),
    channel: z.optional(z.enum(CHANNELS)),
  }),
  output: growing(notification_delivery),
})

export const resendDelivery = endpoint({
  name: 'notification-delivery.resend',
  method: 'POST',
  path: '/notification-deliveries/:id/resend',
  who: 'login',
  when_offline: 'fail',
  about: '重送一則沒有送到的通知',
  input: z.object({ id: id() }),
  output: notification_delivery,
})

export const listChannels = endpoint({
  name: 'notification-channel.list',
  method: 'GET',
  path: '/notification-channels',
  who: 'login',
  when_offline: 'fail',
  about: '每個通道的連線狀態與最後一次成功',
  input: z.object({}),
  output: z.array(notification_channel),
})

/** Of Standard Webhooks; shown once. */
const secret = z.optional(z.string())

export const updateChannel = endpoint({
  name: 'notification-channel.update',
  method: 'PUT',
  path: '/notification-channels/:channel',
  who: 'login',
  when_offline: 'fail',
  about: '設定 Discord 或外送 Webhook 的網址；rotate 換新的簽章密鑰',
  input: z.object({
    channel: z.enum(ADDRESSED, '這個通道沒有網址可設定'),
    address: z.optional(z.string().check(z.maxLength(500), seen())),
    /** Only these strategies; null = all. */
    strategies: z.optional(z.nullable(z.array(id()).check(z.maxLength(200)))),
    rotate: z.optional(z.boolean()),
  }),
  output: z.object({ ...notification_channel.shape, secret }),
})

export const deleteChannel = endpoint({
  name: 'notification-channel.delete',
  method: 'DELETE',
  path: '/notification-channels/:channel',
  who: 'login',
  when_offline: 'fail',
  about: '移除 Discord 或外送 Webhook 的網址',
  input: z.object({ channel: z.enum(ADDRESSED, '這個通道沒有網址可設定') }),
  output: nothing(),
})

export const testChannel = endpoint({
  name: 'notification-channel.self-test',
  method: 'POST',
  path: '/notification-channels/:channel/self-test',
  who: 'login',
  when_offline: 'fail',
  about: '傳一則測試通知，回報是否送達與花費的毫秒數；有好幾個地方要送時，說沒送到的那一個',
  input: z.object({ channel: z.enum(CHANNELS) }),
  output: self_test,
})

/** One thing that a device did with a notification. */
const receipt = z.object({
  /** Absent when it was about several, or about none: then its delivery is named. */
  signal_id: z.optional(id()),
  channel: z.enum(CHANNELS),
  /** Named by a push message, so that the right device's delivery is confirmed. */
  delivery_id: z.optional(id()),
  shown_at: z.optional(at()),
  opened_at: z.optional(at()),
})

export const sendReceipts = endpoint({
  name: 'signal.receipts',
  method: 'POST',
  path: '/signals/receipts',
  who: 'login',
  when_offline: 'queue',
  about: '裝置回報：哪些訊號的通知顯示了、打開了',
  input: z.object({
    items: z.array(receipt).check(z.minLength(1), z.maxLength(200)),
  }),
  output: nothing(),
})

const percentiles = z.object({ p50: z.number(), p95: z.number(), count: z.number() })

export const getLatency = endpoint({
  name: 'strategy.latency',
  method: 'GET',
  path: '/strategies/:id/latency',
  who: 'strategy:view',
  when_offline: 'fail',
  about: '一個策略每一步花的毫秒：來源到收到、到存好；各通道從存好到交出、顯示、打開',
  input: z.object({ id: id(), from: z.optional(at()), to: z.optional(at()) }),
  output: z.object({
    fired_to_received: z.nullable(percentiles),
    received_to_stored: z.nullable(percentiles),
    channels: z.array(
      z.object({
        channel: z.enum(CHANNELS),
        stored_to_handed: z.nullable(percentiles),
        handed_to_shown: z.nullable(percentiles),
        handed_to_opened: z.nullable(percentiles),
      }),
    ),
  }),
})
