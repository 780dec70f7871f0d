// Where signals go, as steps of 為什麼沒收到: which channels, and which of them waits for another.
import type { ChannelId } from '#contract/channels.ts'
import type { NotificationChannel, NotificationSetting } from '#contract/notification-shape.ts'
import { joined } from '#text/joined.ts'
import { CHANNEL_WORDS, channelNames } from '#text/notification.ts'
import type { Check } from './check.ts'
import { SETTING } from './links.ts'

/** Bound channels that ring somewhere: a program's address rings on nobody's phone. */
const boundOf = (channels: readonly NotificationChannel[]): ChannelId[] =>
  channels.flatMap(({ channel, state }) =>
    channel !== 'in_app' && channel !== 'webhook' && state === 'bound' ? [channel] : [],
  )
const isReady =
  ({ channels: on, kinds }: NotificationSetting) =>
  (one: ChannelId) =>
    on[one] && kinds.signal[one]

/** Channels of which one waits for the other. */
export function turns(setting: NotificationSetting, channels: readonly NotificationChannel[]): Check[] {
  const { order, after_s } = setting.fallback
  const ready = boundOf(channels).filter(isReady(setting))
  const [first, ...rest] = order.filter((one) => ready.includes(one))
  if (first === undefined || rest.length === 0) return []
  const later = joined(`，${after_s} 秒內沒有確認才輪到`, channelNames(rest), '。')
  return [
    {
      key: 'order',
      state: 'warn',
      title: '備援順序',
      note: joined('先用', CHANNEL_WORDS[first], later),
      mend: { do: 'setting', changes: { 'fallback.order': [] }, name: '備援順序', label: '同時送出' },
    },
  ]
}

export function ways(setting: NotificationSetting, channels: readonly NotificationChannel[]): Check {
  const title = '訊號送到哪裡'
  const all = channels.filter(({ channel, state }) => channel !== 'in_app' && state === 'bound')
  const bound = boundOf(channels)
  const ready = bound.filter(isReady(setting))
  if (ready.length > 0) return { key: 'ways', state: 'ok', title, note: `${channelNames(ready)}。` }
  const [first] = bound
  if (first === undefined)
    return {
      key: 'ways',
      state: 'bad',
      title,
      note:
        all.length > 0
          ? '只連結了外送 Webhook：那是給程式的，不會讓手機響。'
          : '還沒有連結任何通道，只看得到站內的通知。',
      mend: { do: 'open', href: SETTING, label: '連結通道' },
    }
  return {
    key: 'ways',
    state: 'bad',
    title,
    note: `${joined('已連結', channelNames(bound))}，但是都關著，或「訊號」那一欄沒有勾。`,
    mend: {
      do: 'setting',
      changes: { [`channels.${first}`]: true, [`kinds.signal.${first}`]: true },
      name: CHANNEL_WORDS[first],
      label: joined('用', CHANNEL_WORDS[first], '通知訊號'),
    },
  }
}
