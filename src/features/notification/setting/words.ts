// What a field of the setting is called, and its value in words: where it waits, and where another device covered it.
import {
  CHANNELS,
  type ChannelId,
  type ChannelState,
  FALLBACK,
  forEachChannel,
  isAddressed,
  kindDefault,
  NOTIFICATION_KINDS,
  PRIVACY_LEVELS,
  reachesPerson,
} from '#contract/channels.ts'
import type { NotificationChannel, NotificationSetting } from '#contract/notification.ts'
import type { SettingChanges } from '#data/nouns/notification-setting.ts'
import { joined, number } from '#text/format.ts'
import {
  CHANNEL_STATE_WORDS,
  CHANNEL_WORDS,
  channelNames,
  KIND_WORDS,
  PRIVACY_WORDS,
} from '#text/notification.ts'
import { serverNow } from '#text/now.ts'
import { mdHm } from '#text/time.ts'
import type { IconName } from '#ui/Icon.tsx'
import type { TagTone } from '#ui/Tag.tsx'

export const DAY_WORDS = ['一', '二', '三', '四', '五', '六', '日'] as const

/** 週一到週五, 每天, 週六、日. */
export function daysText(days: readonly number[]): string {
  const sorted = [...days].sort((a, b) => a - b).join('')
  if (sorted === '1234567') return '每天'
  if (sorted === '12345') return '週一到週五'
  if (sorted === '') return '沒有選日子'
  return `週${[...sorted].map((day) => DAY_WORDS[Number(day) - 1]).join('、')}`
}

export const mergeText = (seconds: number) => (seconds === 0 ? '不合併' : `${seconds} 秒`)

const QUIET: Record<string, string> = {
  enabled: '勿擾時段',
  from: '勿擾開始',
  to: '勿擾結束',
  days: '勿擾的日子',
  exits_pass: '出場穿過勿擾',
}
const nameOf = <T extends string>(all: readonly T[], words: Record<T, string>, id: string | undefined) => {
  const found = all.find((one) => one === id)
  return found ? words[found] : ''
}

/** The name of the field at a path. */
export function pathText(path: string): string {
  const [part, name, channel] = path.split('.')
  const of = (id: string | undefined) => nameOf(CHANNELS, CHANNEL_WORDS, id)
  if (part === 'channels') return of(name)
  if (part === 'privacy') return joined(of(name), '的內容')
  if (part === 'kinds') return joined(nameOf(NOTIFICATION_KINDS, KIND_WORDS, name), '送到', of(channel))
  if (part === 'quiet_hours') return QUIET[name ?? ''] ?? '勿擾時段'
  if (path === 'fallback.after_s') return '換下一個通道前等待'
  return part === 'fallback' ? '依序通知' : '合併通知'
}

/** The value at a path. */
export function valueText(path: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? '開' : '關'
  if (path.startsWith('privacy.')) return nameOf(PRIVACY_LEVELS, PRIVACY_WORDS, String(value))
  if (path === 'quiet_hours.days') return daysText(value as number[])
  if (path === 'fallback.order') return channelNames(value as ChannelId[]) || '不用備援'
  if (path === 'merge_seconds') return mergeText(Number(value))
  return path === 'fallback.after_s' ? `${String(value)} 秒` : String(value)
}

// How a channel's state looks, and what it is for, in one line each.

const STATE_LOOK: Record<ChannelState, { tone: TagTone; icon?: IconName }> = {
  off: { tone: 'line' },
  none: { tone: 'neutral', icon: 'minus' },
  pending: { tone: 'info', icon: 'clock' },
  bound: { tone: 'good', icon: 'check' },
  blocked: { tone: 'warn', icon: 'warning' },
  failing: { tone: 'warn', icon: 'warning' },
}

/** An address whose own side takes no more: the server has it still, and sends there again when it is asked to. */
export const isStopped = ({
  channel,
  state,
  reason,
}: Pick<NotificationChannel, 'channel' | 'state' | 'reason'>) =>
  isAddressed(channel) && state === 'off' && reason !== null

/** How a channel stands: sign and word. */
export function stateTag(one: Pick<NotificationChannel, 'channel' | 'state' | 'reason'>) {
  if (isStopped(one)) return { ...STATE_LOOK.failing, children: '已停送' }
  return { ...STATE_LOOK[one.state], children: CHANNEL_STATE_WORDS[one.state] }
}

export const CHANNEL_ICON = forEachChannel<IconName>(() => 'people', {
  in_app: 'bell',
  push: 'phone',
  telegram: 'send',
  email: 'mail',
  line: 'chat',
  webhook: 'code',
})

export const CHANNEL_ABOUT = forEachChannel(() => '貼到你指定的頻道', {
  in_app: '凌波裡的「訊號通知」，永遠都有',
  push: '鎖著螢幕也收得到，點開就是紀錄',
  telegram: '機器人傳到私訊或群組',
  email: '寄到你驗證過的信箱',
  line: '官方帳號傳給你，每月則數有限',
  webhook: '把紀錄送到你的程式，附簽章',
})

/** What connecting it is called in its row. */
export const CONNECT_WORDS = forEachChannel(() => '連結', { push: '打開', email: '驗證' })

/** 靜音到 11/23 22:00; where there are several chats, each by its name. Empty: none is told to be silent. */
export function muteText({ muted = [] }: NotificationChannel['config'], now_ms = serverNow()): string {
  const several = muted.length > 1
  return muted
    .filter(({ until }) => Date.parse(until) > now_ms)
    .map(({ name, until }) => `${joined(several && name ? name : '', '靜音到')} ${mdHm(until)}`)
    .join('、')
}

/** 本月還可送 12 則: to this person, where the server's account has a limit. That it has come to its end is a sign of its own. */
export const leftText = ({ left_this_month: left }: NotificationChannel['config']): string =>
  left ? `本月還可送 ${number(left)} 則` : ''

/** Where none is left: when there may be some again, as the server's refusal says it. */
export const usedUpText = ({ left_again }: NotificationChannel['config']): string =>
  left_again === 'month' ? '用完了，下個月恢復' : '用完了，之後每天可能再放出一些'

// The order of channels as a list: those that are connected, and those that may be put into it.

/** `rows` of the order; `left` may be put into it. What is not connected keeps its place, and is not shown. */
export function orderRows(
  order: readonly ChannelId[],
  channels: readonly NotificationChannel[],
): { rows: ChannelId[]; left: ChannelId[] } {
  const state = (id: ChannelId) => channels.find(({ channel }) => channel === id)?.state ?? 'off'
  return {
    rows: order.filter((id) => /^(bound|failing|blocked)$/.test(state(id))),
    // in_app always has it, a robot's address is no way to reach a person, and what the server does not have reaches nobody
    left: channels.flatMap(({ channel: id }) =>
      !reachesPerson(id) || state(id) === 'none' || order.includes(id) ? [] : [id],
    ),
  }
}

/** The order without `channel`, or with it before another: what is not shown between them stays where it is. */
export function without(order: readonly ChannelId[], channel: ChannelId, before?: ChannelId): ChannelId[] {
  const rest = order.filter((one) => one !== channel)
  return before === undefined ? rest : rest.toSpliced(rest.indexOf(before), 0, channel)
}

const kindPaths = NOTIFICATION_KINDS.flatMap((kind) =>
  CHANNELS.map((channel) => ({ path: `kinds.${kind}.${channel}` as const, kind, channel })),
)

/** What somebody who never chose has, for every field of 進階 that is another one here. */
export function suggested({ fallback, kinds, merge_seconds }: NotificationSetting): SettingChanges {
  const { after_s, order } = FALLBACK
  return {
    ...(fallback.order.join() !== order.join() && { 'fallback.order': [...order] }),
    ...(fallback.after_s !== after_s && { 'fallback.after_s': after_s }),
    ...(merge_seconds !== 0 && { merge_seconds: 0 }),
    ...Object.fromEntries(
      kindPaths.flatMap(({ path, kind, channel }) => {
        const usual = kindDefault(kind, channel)
        return kinds[kind][channel] === usual ? [] : [[path, usual]]
      }),
    ),
  }
}

/** The same in words: 同時送出、合併 30 秒. */
export function ownParts(setting: NotificationSetting): string[] {
  const changes = suggested(setting)
  const { order, after_s } = setting.fallback
  return [
    'fallback.order' in changes && (order.length === 0 ? '同時送出' : '通道順序'),
    'fallback.after_s' in changes && order.length > 0 && `等 ${after_s} 秒`,
    'merge_seconds' in changes && `合併 ${setting.merge_seconds} 秒`,
    Object.keys(changes).some((path) => path.startsWith('kinds.')) && '各通道收哪些',
  ].filter((part) => part !== false)
}
