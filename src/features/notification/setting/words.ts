// What a field of the setting is called, and its value in words: where it waits, and where another device covered it.
import { CHANNELS, type ChannelId, NOTIFICATION_KINDS, PRIVACY_LEVELS } from '#contract/channels.ts'
import { joined } from '#text/joined.ts'
import { CHANNEL_WORDS, channelNames, KIND_WORDS, PRIVACY_WORDS } from '#text/notification.ts'

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
