// Telegram and LINE: binding an account by a one-time link, what their servers tell ours, and the Telegram test (operations.md).
import * as z from 'zod/mini'
import type { BoundChannel } from './channels.ts'
import { endpoint } from './endpoint.ts'
import { id, nothing, plain_name, seen } from './fields.ts'
import { channel_binding, push_subscription, self_test } from './notification.ts'

const bind = (channel: BoundChannel, about: string) =>
  endpoint({
    name: `${channel}.bind`,
    method: 'POST',
    path: `/${channel}/binding`,
    who: 'login',
    when_offline: 'fail',
    about,
    /** `confirm`: the chat that waits under this id is mine, or one that is doubted; absent: a new link, and what was begun is over. */
    input: z.object({ confirm: z.optional(id()) }),
    output: channel_binding,
  })

const binding = (channel: BoundChannel, about: string) =>
  endpoint({
    name: `${channel}.binding`,
    method: 'GET',
    path: `/${channel}/binding`,
    who: 'login',
    when_offline: 'fail',
    about,
    input: z.object({}),
    output: channel_binding,
  })

const unbind = (channel: BoundChannel, about: string) =>
  endpoint({
    name: `${channel}.unbind`,
    method: 'DELETE',
    path: `/${channel}/binding`,
    who: 'login',
    when_offline: 'fail',
    about,
    input: z.object({}),
    output: nothing(),
  })

export const bindTelegram = bind(
  'telegram',
  '開始綁定 Telegram：一次性連結，10 分鐘內有效；或確認來綁定的聊天是我的',
)
export const getTelegramBinding = binding('telegram', 'Telegram 綁定的狀態')
export const unbindTelegram = unbind('telegram', '解除綁定 Telegram')
export const bindLine = bind('line', '開始綁定 LINE：一次性代碼，10 分鐘內有效；或確認來綁定的帳號是我的')
export const getLineBinding = binding('line', 'LINE 綁定的狀態')
export const unbindLine = unbind('line', '解除綁定 LINE')

export const unmuteTelegram = endpoint({
  name: 'telegram.unmute',
  method: 'DELETE',
  path: '/telegram/mute',
  who: 'login',
  when_offline: 'fail',
  about: '解除我的 Telegram 聊天的靜音',
  input: z.object({}),
  output: nothing(),
})

export const testTelegram = endpoint({
  name: 'telegram.self-test',
  method: 'POST',
  path: '/telegram/self-test',
  who: 'login',
  when_offline: 'fail',
  about: '傳一則測試訊息到我的 Telegram',
  input: z.object({}),
  output: self_test,
})

/** What comes from Telegram: of all its fields only the number is looked at here, the rest where it is used. */
export const telegramUpdates = endpoint({
  name: 'telegram.updates',
  method: 'POST',
  path: '/telegram/updates',
  who: 'public',
  when_offline: 'fail',
  about: 'Telegram 送來的更新；標頭 X-Telegram-Bot-Api-Secret-Token 不符就是 401',
  input: z.looseObject({ update_id: z.number() }),
  output: nothing(),
})

/** What comes from LINE; none when its console tries the address. */
export const lineUpdates = endpoint({
  name: 'line.updates',
  method: 'POST',
  path: '/line/updates',
  who: 'public',
  when_offline: 'fail',
  about: 'LINE 送來的事件；標頭 X-Line-Signature 不符就是 401',
  input: z.looseObject({ events: z.array(z.looseObject({ type: z.string() })) }),
  output: nothing(),
})

// Web Push: subscriptions of devices and their test (operations.md, wire.md §8).

const endpoint_url = () => z.string().check(z.maxLength(1_000), seen())

export const getPushKey = endpoint({
  name: 'push.key',
  method: 'GET',
  path: '/push/key',
  who: 'login',
  when_offline: 'fail',
  about: '這台伺服器的推播公鑰（VAPID）',
  input: z.object({}),
  output: z.object({ key: z.string() }),
})

export const listPushSubscriptions = endpoint({
  name: 'push.list',
  method: 'GET',
  path: '/push/subscriptions',
  who: 'login',
  when_offline: 'fail',
  about: '我收推播的裝置',
  input: z.object({}),
  output: z.array(push_subscription),
})

export const subscribePush = endpoint({
  name: 'push.subscribe',
  method: 'POST',
  path: '/push/subscriptions',
  who: 'login',
  when_offline: 'fail',
  about:
    '這台裝置要收推播；同一個網址再送一次就是更新，換人登入就是換主人。again：程式自己再送一次，不是有人打開；移除過的裝置答 4040',
  input: z.object({
    endpoint: endpoint_url(),
    keys: z.object({
      p256dh: z.string().check(z.regex(/^[\w-]{87,88}=?$/, '推播金鑰格式不正確')),
      auth: z.string().check(z.regex(/^[\w-]{22,24}={0,2}$/, '推播金鑰格式不正確')),
    }),
    device_label: z.optional(plain_name(60, '請輸入裝置名稱')),
    again: z.optional(z.boolean()),
  }),
  output: push_subscription,
})

export const deletePushSubscription = endpoint({
  name: 'push.delete',
  method: 'DELETE',
  path: '/push/subscriptions/:id',
  who: 'login',
  when_offline: 'fail',
  about: '一台裝置不再收推播',
  input: z.object({ id: id() }),
  output: nothing(),
})

export const unsubscribePush = endpoint({
  name: 'push.unsubscribe',
  method: 'DELETE',
  path: '/push/subscriptions',
  who: 'login',
  when_offline: 'fail',
  about: '這台裝置不再收推播（登出時用）',
  input: z.object({ endpoint: endpoint_url() }),
  output: nothing(),
})

export const testPush = endpoint({
  name: 'push.self-test',
  method: 'POST',
  path: '/push/self-test',
  who: 'login',
  when_offline: 'fail',
  about: '傳一則測試推播給我的每一台裝置',
  input: z.object({}),
  output: z.array(self_test),
})
