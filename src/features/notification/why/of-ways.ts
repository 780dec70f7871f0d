// Where signals go, as steps of 為什麼沒收到: which channels, which of them waits for another, and which can send nothing now.
import type { ChannelId } from '#contract/channels.ts'
import type { NotificationChannel, NotificationSetting } from '#contract/notification.ts'
import type { Strategy } from '#contract/strategy.ts'
import { joined } from '#text/joined.ts'
import { CHANNEL_WORDS, channelNames } from '#text/notification.ts'
import { pathText } from '../setting/words.ts'
import type { Check } from './check.ts'
import { SETTING } from './links.ts'

/** What a person's signals go by. `strategy` the one that is asked about. */
export interface Ground {
  setting: NotificationSetting
  channels: readonly NotificationChannel[]
  strategy: Strategy | null
  now: string
}

/** Bound channels that ring somewhere: a program's address rings on nobody's phone. */
const boundOf = (channels: readonly NotificationChannel[]) =>
  channels.filter(({ channel, state }) => channel !== 'in_app' && channel !== 'webhook' && state === 'bound')
const idsOf = (channels: readonly NotificationChannel[]) => channels.map(({ channel }) => channel)

/** Bound and meant for signals, or for those of one strategy. */
export function readyOf(
  { setting, channels }: Pick<Ground, 'setting' | 'channels'>,
  strategy: Strategy | null = null,
): NotificationChannel[] {
  const chosen = strategy?.my_notify.channels
  return boundOf(channels).filter(
    ({ channel, config: { strategies } }) =>
      setting.channels[channel] &&
      setting.kinds.signal[channel] &&
      (!chosen || chosen.includes(channel)) &&
      (!strategy || !strategies || strategies.includes(strategy.id)),
  )
}

/** Every chat of it is told to be silent. Several chats stand in one name. */
const isSilent = ({ name, config: { muted = [] } }: NotificationChannel, now: string): boolean =>
  muted.filter(({ until }) => until > now).length >= (name ?? '').split('、').length

/** Of these, which send something now. */
const openOf = (ready: readonly NotificationChannel[], now: string) =>
  ready.filter((one) => one.config.left_this_month !== 0 && !isSilent(one, now))

/** Those that a signal of the strategy reaches now. */
export const reachOf = (ground: Ground) => openOf(readyOf(ground, ground.strategy), ground.now)

/** Besides pushes, those that ring at once: they come first in the order, or stand in none. */
export function besidePush(ground: Ground): ChannelId[] {
  const { order } = ground.setting.fallback
  const open = idsOf(reachOf(ground))
  const first = order.find((one) => open.includes(one))
  return open.filter((one) => one !== 'push' && (one === first || !order.includes(one)))
}

/** Channels of which one waits for the other. */
export function turns(ground: Ground): Check[] {
  const { order, after_s } = ground.setting.fallback
  const open = idsOf(reachOf(ground))
  const [first, ...rest] = order.filter((one) => open.includes(one))
  if (first === undefined || rest.length === 0) return []
  const later = joined(
    `，${after_s} 秒內沒有確認送到才輪到`,
    channelNames(rest),
    '；送到或打開過，後面就不響。',
  )
  return [
    {
      key: 'order',
      // it stops nothing: one of them rings
      state: 'ok',
      title: '依序通知',
      note: joined('先用', CHANNEL_WORDS[first], later),
      mend: {
        do: 'setting',
        changes: { 'fallback.order': [] },
        name: pathText('fallback.order'),
        label: '同時送出',
      },
    },
  ]
}

export function ways({ setting, channels, now }: Ground): Check {
  const title = '訊號送到哪裡'
  const bound = idsOf(boundOf(channels))
  const ready = readyOf({ setting, channels })
  const open = openOf(ready, now)
  if (open.length > 0) return { key: 'ways', state: 'ok', title, note: `${channelNames(idsOf(open))}。` }
  // what stops them is a step of its own
  if (ready.length > 0)
    return { key: 'ways', state: 'warn', title, note: `${channelNames(idsOf(ready))}，現在都送不出去。` }
  const [first] = bound
  if (first === undefined)
    return {
      key: 'ways',
      state: 'bad',
      title,
      note: channels.some(({ channel, state }) => channel === 'webhook' && state === 'bound')
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
