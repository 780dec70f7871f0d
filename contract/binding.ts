// Telegram and LINE: binding an account by a one-time link, what their servers tell ours, and the Telegram test (operations.md).
import * as z from 'zod/mini'
import type { BoundChannel } from './channels.ts'
import { endpoint } from './endpoint.ts'
import { id, nothing } from './fields.ts'
import { channel_binding, self_test } from './notification-shape.ts'

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
