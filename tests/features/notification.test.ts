// Notifications on the screen: the inbox by day, what is covered, and why a notification did not come.
import { expect, test } from 'vitest'
import { CHANNELS, NOTIFICATION_KINDS } from '#contract/channels.ts'
import type {
  NotificationChannel,
  NotificationDelivery,
  NotificationSetting,
  SignalNotification,
} from '#contract/notification.ts'
import type { Strategy } from '#contract/strategy.ts'
import { byDay, covered } from '#features/notification/inbox.ts'
import {
  daysText,
  leftText,
  muteText,
  pathText,
  usedUpText,
  valueText,
} from '#features/notification/setting/words.ts'
import { checks, conclusion, type DeviceKnown } from '#features/notification/why/checks.ts'
import { joined } from '#text/format.ts'
import { CHANNEL_WORDS } from '#text/notification.ts'

const one = (id: number, strategy_id: string, at: string) =>
  ({ id: `n${id}`, kind: 'alarm', strategy_id, created_at: at }) as SignalNotification

test('a night belongs to the day of Taipei', () => {
  const items = [
    one(9, 'a', '2026-11-22T16:30:00.000Z'),
    one(8, 'b', '2026-11-22T15:00:00.000Z'),
    one(4, 'a', '2026-11-22T11:00:00.000Z'),
  ]
  expect(byDay(items).map(({ day, items: own }) => [day, own.length])).toEqual([
    ['2026-11-23', 1],
    ['2026-11-22', 2],
  ])
})

test('privacy mode covers what was won or lost, not what happened', () => {
  expect(covered('小台 2 口 @ 46,512\n本筆損益 +12,300 元')).toBe('小台 2 口 @ 46,512\n本筆損益 •••• 元')
  expect(covered('累計：−1,000')).toBe('累計：••••')
  // an upgrade tells before and after
  expect(covered('淨損益 +12,300 元 → −800 元、交易 3 筆 → 4 筆、最大回撤額 — 元 → 5,000 元')).toBe(
    '淨損益 •••• 元 → •••• 元、交易 3 筆 → 4 筆、最大回撤額 — 元 → •••• 元',
  )
})

test('free messages that are left are told, and a channel without a limit tells none', () => {
  expect(leftText({ left_this_month: 1_200 })).toBe('本月還可送 1,200 則')
  expect([leftText({ left_this_month: 0 }), leftText({})]).toEqual(['', ''])
})

test('where none is left, what is said of it is what the refusal says: the month is over, or a share of it is', () => {
  const said = (left_again: 'day' | 'month') => usedUpText({ left_this_month: 0, left_again })
  expect(said('month')).toBe('用完了，下個月恢復')
  expect(said('day')).toBe('用完了，之後每天可能再放出一些')
})

test('a silent chat says until when, each by its name where there are several, and no longer than that', () => {
  const until = '2026-11-23T14:00:00.000Z'
  const now = Date.parse('2026-11-23T13:00:00.000Z')
  const one = { muted: [{ name: '@lin', until }] }
  expect(muteText(one, now)).toBe('靜音到 11/23 22:00')
  expect(muteText({ muted: [...one.muted, { name: '群組「早盤」', until }] }, now)).toBe(
    '@lin 靜音到 11/23 22:00、群組「早盤」靜音到 11/23 22:00',
  )
  expect([muteText(one, Date.parse(until)), muteText({})]).toEqual(['', ''])
  const silent = { ...channel('telegram', 'bound'), config: one }
  expect(of({ channels: [silent], now: '2026-11-23T13:00:00.000Z' }, 'mute telegram')).toMatchObject({
    state: 'bad',
    title: 'Telegram 的靜音',
    note: '靜音到 11/23 22:00。',
  })
})

test('fields and values have names', () => {
  expect(pathText('kinds.signal.push')).toBe('訊號送到推播')
  expect(pathText('quiet_hours.from')).toBe('勿擾開始')
  expect(valueText('fallback.order', ['push', 'email'])).toBe('推播、電子郵件')
  expect(valueText('privacy.push', 'symbol_only')).toBe('只有商品')
  expect([daysText([1, 2, 3, 4, 5]), daysText([7, 6]), daysText([])]).toEqual([
    '週一到週五',
    '週六、日',
    '沒有選日子',
  ])
})

const every = <T>(value: T) => Object.fromEntries(CHANNELS.map((id) => [id, value]))
const SETTING = {
  channels: every(true),
  kinds: Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, every(true)])),
  fallback: { after_s: 120, order: [] },
  quiet_hours: { enabled: true, from: '23:00', to: '07:00', days: [1, 2, 3, 4, 5, 6, 7], exits_pass: true },
} as unknown as NotificationSetting
const channel = (id: string, state: string, reason: string | null = null) =>
  ({ channel: id, state, reason, config: {} }) as NotificationChannel
const STRATEGY = {
  id: 's1',
  name: '台指突破',
  status: 'active',
  access: null,
  last_signal: { received_at: '2026-11-23T01:00:00.000Z' },
  warnings: [],
  my_notify: { enabled: true, channels: null, actions: 'all', important: false },
} as unknown as Strategy
const WELL: DeviceKnown = {
  now: '2026-11-23T02:00:00.000Z',
  connection: 'online',
  asking: false,
  push: 'on',
  setting: SETTING,
  channels: [channel('in_app', 'bound'), channel('push', 'bound')],
  deliveries: [
    { channel: 'push', state: 'confirmed', created_at: '2026-11-23T01:00:00.000Z' } as NotificationDelivery,
  ],
  strategy: STRATEGY,
  strategies: 1,
  silent: [],
  others: [],
}
const of = (change: Partial<DeviceKnown>, key: string) =>
  checks({ ...WELL, ...change }).find((check) => check.key === key)
const strategy = (my_notify: Partial<Strategy['my_notify']>, rest: Partial<Strategy> = {}) => ({
  strategy: { ...STRATEGY, ...rest, my_notify: { ...STRATEGY.my_notify, ...my_notify } } as Strategy,
})

test('nothing is wrong where nothing is wrong', () => {
  expect(checks(WELL).map(({ key, state }) => [key, state])).toEqual([
    ['server', 'ok'],
    ['signal', 'ok'],
    ['bell', 'ok'],
    ['ways', 'ok'],
    ['quiet', 'ok'],
    ['push', 'ok'],
    ['last', 'ok'],
  ])
})

test('each step that stops a notification is found, and mended where it can be', () => {
  expect(of(strategy({ enabled: false }), 'bell')?.mend).toMatchObject({
    do: 'strategy',
    changes: { enabled: true },
  })
  expect(of(strategy({ actions: 'closing' }), 'bell')).toMatchObject({
    state: 'warn',
    mend: { changes: { actions: 'all' } },
  })
  expect(of(strategy({ channels: ['email'] }), 'bell')).toMatchObject({
    state: 'bad',
    mend: { changes: { channels: null } },
  })
  expect(of(strategy({}, { status: 'paused' }), 'status')?.state).toBe('bad')
  expect(of(strategy({}, { last_signal: null }), 'signal')?.state).toBe('bad')
  expect(of(strategy({}, { warnings: ['silent'] }), 'signal')).toMatchObject({
    state: 'warn',
    mend: { do: 'open' },
  })
  const ended = { visible_from: '2026-01-01', valid_until: '2026-11-22' }
  expect(of(strategy({}, { access: ended }), 'access')?.state).toBe('bad')
  expect(of(strategy({}, { access: { ...ended, valid_until: '2026-11-23' } }), 'access')?.state).toBe('ok')
  expect(of({ strategy: null, silent: ['甲'] }, 'bells')?.note).toContain('甲')
  expect(of({ push: 'denied' }, 'push')).toMatchObject({ state: 'bad', mend: { do: 'open' } })
  expect(of({ push: 'default' }, 'push')?.mend).toEqual({ do: 'push', label: '打開推播' })
  expect(of({ push: 'lost' }, 'push')).toMatchObject({ state: 'bad', mend: { do: 'push' } })
  expect(of({ channels: [channel('in_app', 'bound')] }, 'ways')?.state).toBe('bad')
  // what goes to a program rings on nobody's phone
  expect(of({ channels: [channel('webhook', 'bound')] }, 'ways')).toMatchObject({
    state: 'bad',
    note: '只連結了外送 Webhook：那是給程式的，不會讓手機響。',
  })
  const off = { ...SETTING, channels: { ...SETTING.channels, push: false } }
  expect(of({ setting: off }, 'ways')?.mend).toMatchObject({
    changes: { 'channels.push': true, 'kinds.signal.push': true },
  })
  const telegram = channel('telegram', 'blocked', '機器人被封鎖')
  expect(of({ channels: [...(WELL.channels ?? []), telegram] }, 'health telegram')).toMatchObject({
    state: 'bad',
    note: '機器人被封鎖。',
  })
  expect(of({ connection: 'offline' }, 'server')?.state).toBe('warn')
  expect(of({ setting: undefined, deliveries: undefined }, 'last')?.state).toBe('unknown')
})

test('who waits for another channel is named, with how long and the key that ends it', () => {
  const order = (all: string[]) =>
    ({ ...SETTING, fallback: { after_s: 120, order: all } }) as unknown as NotificationSetting
  const channels = [...(WELL.channels ?? []), channel('telegram', 'bound'), channel('email', 'off')]
  expect(of({ channels, setting: order(['telegram', 'email', 'push']) }, 'order')).toEqual({
    key: 'order',
    state: 'ok',
    title: '依序通知',
    note: '先用 Telegram，120 秒內沒有確認送到才輪到推播；送到或打開過，後面就不響。',
    mend: { do: 'setting', changes: { 'fallback.order': [] }, name: '依序通知', label: '同時送出' },
  })
  // Behind what is not bound nobody waits, nor beside what stands in no order.
  expect(of({ channels, setting: order(['email', 'push']) }, 'order')).toBeUndefined()
  expect(of({ channels }, 'order')).toBeUndefined()
})

test('quiet hours over midnight: now or not, and what is important passes', () => {
  const night = '2026-11-23T16:00:00.000Z'
  expect(of({ now: night }, 'quiet')).toMatchObject({
    state: 'bad',
    mend: { changes: { 'quiet_hours.enabled': false } },
  })
  expect(of({ now: night }, 'quiet')?.note).toContain('11/24 07:00')
  expect(of({ now: night, ...strategy({ important: true }) }, 'quiet')?.state).toBe('ok')
})

test('what is under way or cannot be read is never said to be well', () => {
  const none = {
    setting: undefined,
    channels: undefined,
    deliveries: undefined,
    strategy: null,
    strategies: undefined,
    silent: undefined,
  }
  const seen = (change: Partial<DeviceKnown>) => checks({ ...WELL, ...none, ...change })
  const asking = seen({ asking: true, connection: 'reconnecting' })
  expect(asking.filter(({ state }) => state === 'ok').map(({ key }) => key)).toEqual(['push'])
  expect(conclusion(asking, true)).toBe('正在一步一步看…')
  const lost = seen({})
  expect(lost.filter(({ unread }) => unread).map(({ key }) => key)).toEqual([
    'bells',
    'ways',
    'quiet',
    'last',
  ])
  expect(conclusion(lost, false)).toBe('有 4 步讀不到，其他的沒有擋住通知。')
  expect(conclusion(seen({ push: 'denied' }), false)).toBe('找到 1 個可能的原因。另有 4 步讀不到。')
  expect(seen({ connection: 'offline' }).find(({ key }) => key === 'quiet')?.note).toContain('連線後')
  expect(conclusion(checks(WELL), false)).toContain('沒有東西擋住通知')
  expect(of({ deliveries: [] }, 'last')).toEqual({
    key: 'last',
    state: 'unknown',
    title: '最近的發送',
    note: '還沒有發送過。',
  })
  expect(of({ strategy: null, strategies: 0 }, 'bells')).toMatchObject({ state: 'warn' })
  // whose strategies are an organization's has them elsewhere, and that is no reason
  expect(
    of({ strategy: null, strategies: 0, others: [{ id: 'o1', name: '海風投顧' }] }, 'bells'),
  ).toMatchObject({
    state: 'aside',
    mend: { href: '/signal-notification?tab=why&org=o1', label: '看海風投顧' },
  })
  expect(of({ push: 'unsupported' }, 'push')?.mend).toMatchObject({ label: '看其他通道' })
})

test('a space stands between a CJK word and a Latin one or a figure, and nowhere else', () => {
  expect(joined('已連結', '電子郵件', '，但是')).toBe('已連結電子郵件，但是')
  expect(joined('用', 'Telegram', '通知我')).toBe('用 Telegram 通知我')
  expect(joined('已移除', '外送 Webhook', '的網址')).toBe('已移除外送 Webhook 的網址')
  expect(joined('結束', 'Chrome (Windows)', '的登入')).toBe('結束 Chrome (Windows) 的登入')
  expect([joined('', '推播'), joined('已連結', '@lin'), joined('等', '12', '個')]).toEqual([
    '推播',
    '已連結 @lin',
    '等 12 個',
  ])
})

const HAN = '[\\p{Script=Han}「」『』（）、，。：；？！]'
const WRONG = new RegExp(`${HAN} ${HAN}|\\p{Script=Han}[A-Za-z0-9@]|[A-Za-z0-9]\\p{Script=Han}`, 'u')
test.each(CHANNELS)('every sentence with the name of %s is spaced as one writes', (id) => {
  const dead = {
    channel: id,
    state: 'dead',
    reason: '對方沒有回應',
    created_at: WELL.now,
  } as NotificationDelivery
  const muted = { muted: [{ name: null, until: '2026-11-23T14:00:00.000Z' }] }
  const off = { ...SETTING, channels: every(false) } as unknown as NotificationSetting
  const failing = { ...channel(id, 'failing'), config: muted }
  const sentences = [
    ...checks({ ...WELL, deliveries: [dead], channels: [failing] }),
    ...checks({ ...WELL, setting: off, channels: [channel('in_app', 'bound'), channel(id, 'bound')] }),
    ...checks({ ...WELL, ...strategy({ channels: [id] }), channels: [] }),
    ...checks({ ...WELL, ...strategy({ channels: [] }) }),
    ...checks({
      ...WELL,
      deliveries: [{ ...dead, state: 'unconfirmed' }],
      strategy: null,
      silent: ['甲', '乙'],
    }),
  ].flatMap(({ title, note, mend }) => [title, note, mend?.label ?? ''])
  sentences.push(...[`privacy.${id}`, `kinds.signal.${id}`, `channels.${id}`].map(pathText))
  expect(sentences.join('')).toContain(CHANNEL_WORDS[id])
  expect(sentences.filter((text) => WRONG.test(text))).toEqual([])
})
