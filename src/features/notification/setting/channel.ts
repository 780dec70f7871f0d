// How a channel's state looks, and what it is for, in one line each.
import { type ChannelId, type ChannelState, forEachChannel, isAddressed } from '#contract/channels.ts'
import type { NotificationChannel } from '#contract/notification.ts'
import { number } from '#text/format.ts'
import { joined } from '#text/joined.ts'
import { CHANNEL_STATE_WORDS } from '#text/notification.ts'
import { serverNow } from '#text/now.ts'
import { mdHm } from '#text/time.ts'
import type { IconName } from '#ui/Icon.tsx'
import type { TagTone } from '#ui/Tag.tsx'

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

/** What people read there can be shortened; in_app is the app itself, a robot gets the record. */
export const HAS_PRIVACY = (channel: ChannelId): boolean => channel !== 'in_app' && channel !== 'webhook'
