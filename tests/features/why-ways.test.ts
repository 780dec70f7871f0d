// 為什麼沒收到: what stops the last way is the reason, what leaves another one may be it, and the heading says the same.
import { describe, expect, test } from 'vitest'
import { CHANNELS, type ChannelId, NOTIFICATION_KINDS } from '#contract/channels.ts'
import type { NotificationChannel, NotificationSetting } from '#contract/notification.ts'
import type { Strategy } from '#contract/strategy.ts'
import { checks, conclusion, type DeviceKnown } from '#features/notification/why/checks.ts'

const NOW = '2026-11-23T02:00:00.000Z'
const NIGHT = '2026-11-23T16:00:00.000Z'
const LATER = '2026-11-23T14:00:00.000Z'
const every = Object.fromEntries(CHANNELS.map((one) => [one, true]))
const SETTING = {
  channels: every,
  kinds: Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, every])),
  fallback: { after_s: 120, order: [] },
  quiet_hours: { enabled: true, from: '23:00', to: '07:00', days: [1, 2, 3, 4, 5, 6, 7], exits_pass: true },
} as unknown as NotificationSetting
const bound = (channel: ChannelId, config = {}, name: string | null = null) =>
  ({ channel, state: 'bound', name, reason: null, config }) as unknown as NotificationChannel
const PUSH = bound('push')
const LINE_OUT = bound('line', { left_this_month: 0 })
const chats = (...names: string[]) => ({ muted: names.map((name) => ({ name, until: LATER })) })
const MUTED = bound('telegram', chats('甲'), '甲')
const HALF_MUTED = bound('telegram', chats('甲'), '甲、乙')
const ALL_MUTED = bound('telegram', chats('甲', '乙'), '甲、乙')
const MAIL = {
  ...bound('email'),
  state: 'none',
  reason: '這台伺服器沒有郵件伺服器',
} as NotificationChannel

const TELEGRAM = bound('telegram', {}, '甲')
const pushFirst = {
  ...SETTING,
  fallback: { after_s: 120, order: ['push', 'telegram'] },
} as NotificationSetting

const strategy = (bell: Partial<Strategy['my_notify']> = {}) =>
  ({
    ...{ id: 's1', name: '台指突破', status: 'active', access: null, warnings: [] },
    last_signal: { received_at: NOW },
    my_notify: { enabled: true, channels: null, actions: 'all', important: false, ...bell },
  }) as unknown as Strategy
const known = (channels: NotificationChannel[], more: Partial<DeviceKnown> = {}): DeviceKnown => ({
  ...{ now: NOW, connection: 'online', asking: false, push: 'on', setting: SETTING, deliveries: [] },
  ...{
    channels: [bound('in_app'), ...channels],
    strategy: strategy(),
    strategies: 1,
    silent: [],
    others: [],
    ...more,
  },
})
const off = (channel: ChannelId) =>
  ({ ...SETTING, channels: { ...SETTING.channels, [channel]: false } }) as NotificationSetting
const noMail = {
  ...SETTING,
  kinds: { ...SETTING.kinds, signal: { ...SETTING.kinds.signal, email: false } },
} as NotificationSetting
const exitsToo = {
  ...SETTING,
  quiet_hours: { ...SETTING.quiet_hours, exits_pass: false },
} as NotificationSetting

type Row = readonly [string, DeviceKnown, Record<string, string>, string]
const WELL = '每一步都檢查過，沒有東西擋住通知。'
const ROWS: Row[] = [
  ['a way and nothing in it', known([PUSH]), { ways: 'ok' }, WELL],
  ['LINE alone, used up', known([LINE_OUT]), { ways: 'warn', 'left line': 'bad' }, '找到 1 個原因。'],
  ['LINE used up beside push', known([LINE_OUT, PUSH]), { 'left line': 'warn' }, '找到 1 個可能的原因。'],
  [
    'LINE used up, push switched off',
    known([LINE_OUT, PUSH], { setting: off('push') }),
    { 'left line': 'bad' },
    '找到 1 個原因。',
  ],
  [
    'the strategy goes by LINE only',
    known([LINE_OUT, PUSH], { strategy: strategy({ channels: ['line'] }) }),
    { bell: 'ok', 'left line': 'bad' },
    '找到 1 個原因。',
  ],
  ['the only chat is silent', known([MUTED]), { ways: 'warn', 'mute telegram': 'bad' }, '找到 1 個原因。'],
  ['one of two chats is silent', known([HALF_MUTED]), { 'mute telegram': 'warn' }, '找到 1 個可能的原因。'],
  ['both chats are silent', known([ALL_MUTED]), { 'mute telegram': 'bad' }, '找到 1 個原因。'],
  [
    'a silent chat and LINE used up',
    known([MUTED, LINE_OUT]),
    { 'mute telegram': 'bad', 'left line': 'bad' },
    '找到 2 個原因。',
  ],
  ['quiet hours now', known([PUSH], { now: NIGHT }), { quiet: 'bad' }, '找到 1 個原因。'],
  [
    'quiet hours now, exits only and they pass',
    known([PUSH], { now: NIGHT, strategy: strategy({ actions: 'closing' }) }),
    { quiet: 'ok' },
    '找到 1 個可能的原因。',
  ],
  [
    'quiet hours now, exits only and they wait',
    known([PUSH], { now: NIGHT, setting: exitsToo, strategy: strategy({ actions: 'closing' }) }),
    { quiet: 'bad' },
    '找到 1 個原因。',
  ],
  [
    'quiet hours now, important',
    known([PUSH], { now: NIGHT, strategy: strategy({ important: true }) }),
    { quiet: 'ok' },
    WELL,
  ],
  [
    'the strategy goes by a channel that is switched off',
    known([PUSH, bound('line')], { setting: off('line'), strategy: strategy({ channels: ['line'] }) }),
    { bell: 'bad' },
    '找到 1 個原因。',
  ],
  ['mail without a mail server', known([MAIL]), { ways: 'bad', 'health email': 'bad' }, '找到 2 個原因。'],
  ['no pushes here, Telegram rings', known([TELEGRAM], { push: 'off' }), { push: 'aside', ways: 'ok' }, WELL],
  [
    'no pushes here, Telegram is silent',
    known([MUTED], { push: 'off' }),
    { push: 'warn' },
    '找到 1 個原因。',
  ],
  ['refused here, Telegram rings', known([TELEGRAM], { push: 'denied' }), { push: 'aside' }, WELL],
  ['refused here, LINE used up', known([LINE_OUT], { push: 'denied' }), { push: 'bad' }, '找到 2 個原因。'],
  [
    'lost here, Telegram rings',
    known([TELEGRAM], { push: 'lost' }),
    { push: 'warn' },
    '找到 1 個可能的原因。',
  ],
  [
    'no pushes here, another device takes them, Telegram waits behind',
    known([PUSH, TELEGRAM], { push: 'off', setting: pushFirst }),
    { push: 'warn', order: 'ok' },
    '找到 1 個可能的原因。',
  ],
  ['such mail, which nobody asked for', known([MAIL, PUSH], { setting: noMail }), { ways: 'ok' }, WELL],
]

describe('what stops a notification now', () => {
  test.each(ROWS)('%s', (_what, what, states, says) => {
    const steps = checks(what)
    const state = Object.fromEntries(steps.map((one) => [one.key, one.state]))
    expect(state).toMatchObject(states)
    expect(conclusion(steps, false)).toBe(says)
  })

  test.each(ROWS)('no other channel is promised: %s', (_what, what) => {
    for (const { note } of checks(what)) expect(note).not.toMatch(/其他通道|改用/)
  })

  test('nobody waits for a channel that sends nothing now', () => {
    const setting = { ...SETTING, fallback: { after_s: 120, order: ['line', 'push'] } } as NotificationSetting
    const keys = (channels: NotificationChannel[]) =>
      checks(known(channels, { setting })).map(({ key }) => key)
    expect(keys([LINE_OUT, PUSH])).not.toContain('order')
    expect(keys([bound('line'), PUSH])).toContain('order')
  })
})
