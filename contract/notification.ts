// Notifications: the calls of inbox, settings, deliveries and channels (operations.md, wire.md §8).
import * as z from 'zod/mini'
import { ADDRESSED, CHANNELS, DELIVERY_STATES } from './channels.ts'
import { endpoint } from './endpoint.ts'
import { at, growing, growing_query, id, int, nothing, seen } from './fields.ts'
import {
  notification_channel,
  notification_delivery,
  notification_setting,
  overwritten,
  self_test,
  setting_input,
  signal_notification,
} from './notification-shape.ts'

export * from './notification-shape.ts'

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
  about: '我的通知，新的在前，附未讀數',
  input: z.object({ ...growing_query, unread: z.optional(z.stringbool()) }),
  output: z.object({ ...growing(signal_notification).shape, unread_count: z.number() }),
})

export const readNotifications = endpoint({
  name: 'notification.read',
  method: 'PUT',
  path: '/signal-notifications/read',
  who: 'login',
  when_offline: 'queue',
  about: '把通知標為已讀：指定編號，或到某一筆為止',
  input: z.object({
    ids: z.optional(z.array(id()).check(z.maxLength(200))),
    up_to: z.optional(int(0, Number.MAX_SAFE_INTEGER)),
  }),
  output: z.object({ unread_count: z.number() }),
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
