// 發送紀錄: how a delivery reads, which stand together, what is said where one did not arrive.
import { expect, test } from 'vitest'
import { CHANNELS } from '#contract/channels.ts'
import type { NotificationDelivery } from '#contract/notification.ts'
import { canResend, progressText, tellings } from '#features/notification/why/deliveries.ts'
import { USED_UP } from '#server/notify/channels/line.ts'
import { whyText } from '#text/delivery.ts'

test('a delivery says how far it came, and never a negative time', () => {
  const delivery = {
    channel: 'push',
    state: 'confirmed',
    sent_at: '2026-11-23T00:46:02.000Z',
    shown_at: '2026-11-23T00:46:02.412Z',
    opened_at: null,
    next_at: null,
    attempts: 3,
  } as NotificationDelivery
  expect(progressText(delivery)).toBe('08:46:02 送出 · 412 毫秒後顯示 · 試了 3 次')
  expect(progressText({ ...delivery, shown_at: '2026-11-23T00:46:01.000Z' })).toContain('已顯示')
  expect(CHANNELS.filter((channel) => canResend({ channel, state: 'dead' }))).toEqual(
    CHANNELS.filter((channel) => channel !== 'in_app'),
  )
  expect(canResend({ channel: 'push', state: 'confirmed' })).toBe(false)
})

test('what waits says when it goes; again is said of what was tried', () => {
  const waits = {
    channel: 'push',
    state: 'planned',
    sent_at: null,
    shown_at: null,
    opened_at: null,
    next_at: '2026-11-23T23:30:00.000Z',
    attempts: 0,
  } as NotificationDelivery
  const night = Date.parse('2026-11-23T15:00:00.000Z')
  // held back by quiet hours until the next morning
  expect(progressText(waits, night)).toBe('11/24 07:30 才送')
  expect(progressText(waits, Date.parse('2026-11-23T23:00:00.000Z'))).toBe('07:30:00 才送')
  // due: it goes at this moment
  expect(progressText(waits, Date.parse('2026-11-23T23:30:01.000Z'))).toBe('')
  expect(progressText({ ...waits, state: 'failed', attempts: 2 }, night)).toBe('試了 2 次 · 11/24 07:30 再試')
  expect(progressText({ ...waits, attempts: 1 }, night)).toBe('11/24 07:30 再試')
})

test('deliveries of one notification stand together; a last one that may go on waits for its rest', () => {
  const items = ['a', 'a', 'b', 'c'].map(
    (notification_id) =>
      ({ notification_id, created_at: '2026-11-23T00:46:02.000Z' }) as NotificationDelivery,
  )
  const seen = (more: boolean) => tellings(items, more).map(({ id, deliveries }) => [id, deliveries.length])
  expect(seen(false)).toEqual([
    ['a', 2],
    ['b', 1],
    ['c', 1],
  ])
  expect(seen(true)).toEqual([
    ['a', 2],
    ['b', 1],
  ])
  // alone it is better than nothing
  expect(tellings(items.slice(0, 2), true)).toHaveLength(1)
})

test('what did not arrive says why, and what to do where the reason does not', () => {
  const dead = (channel: 'push' | 'webhook' | 'in_app', reason: string | null) =>
    whyText({ channel, state: 'dead', reason })
  expect(dead('webhook', '對方太久沒有回應')).toBe(
    '對方太久沒有回應。檢查你的程式連得到、會回成功，然後重送。',
  )
  expect(dead('push', '這台裝置的推播訂閱已失效，請在那台裝置上重新開啟推播')).toBe(
    '這台裝置的推播訂閱已失效，請在那台裝置上重新開啟推播。',
  )
  // binding anew brings no free messages
  expect(whyText({ channel: 'line', state: 'dead', reason: USED_UP })).toBe(`${USED_UP}。`)
  expect(whyText({ channel: 'push', state: 'skipped', reason: '已經讀過了' })).toBe('已經讀過了。')
  expect(whyText({ channel: 'push', state: 'confirmed', reason: null })).toBe('')
  for (const channel of CHANNELS)
    if (channel !== 'in_app') expect(whyText({ channel, state: 'dead', reason: null })).toContain('重送')
})
