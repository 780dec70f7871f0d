// The timeline of a signal: without negative delays, without a delay nobody could measure, and never to a screen before its receipt.
import { describe, expect, it } from 'vitest'
import type { NotificationDelivery } from '#contract/notification.ts'
import type { SignalRecord } from '#contract/signal.ts'
import { timelineOf, timelineTitle } from '#features/signal/record/timeline.ts'
import { SAMPLE_RECORDS } from '#features/signal/sample/records.ts'

const record = (change: Partial<SignalRecord> = {}): SignalRecord => ({
  ...(SAMPLE_RECORDS[0] as SignalRecord),
  source: 'webhook',
  flags: [],
  occurred_at: '2026-11-20T02:24:00.000Z',
  received_at: '2026-11-20T02:24:00.412Z',
  ...change,
})

describe('the timeline of a signal', () => {
  it('a source clock that runs ahead is said, never shown as a negative delay', () => {
    const ahead = timelineOf(record({ occurred_at: '2026-11-20T02:24:30.000Z' }), null)
    expect(ahead.total).toBeNull()
    expect(ahead.steps[0]?.note).toContain('來源的時鐘快了')
    expect(JSON.stringify(ahead.steps)).not.toContain('−')
    expect(timelineOf(record(), null)).toMatchObject({
      total: 412,
      steps: [{ key: 'fired' }, { key: 'received', delta: '+412 毫秒', kind: 'end' }],
    })
  })
  const stored = (change: object = {}) => ({
    fired_at: '2026-11-20T02:24:00.000Z',
    received_at: '2026-11-20T02:24:00.412Z',
    stored_at: '2026-11-20T02:24:00.415Z',
    clock_ahead: false,
    steps: [],
    ...change,
  })
  it('the line ends at the server until a receipt says that it reached a screen', () => {
    const server = timelineOf(record(), stored())
    expect([timelineTitle(record(), server), server.screen, server.total]).toEqual([
      '從觸發到伺服器',
      false,
      412,
    ])
    expect(server.steps.at(-1)).toMatchObject({ key: 'stored', kind: 'end', time: '10:24:00.415' })
    const step = {
      channel: 'in_app',
      device_label: null,
      handed_at: '2026-11-20T02:24:00.500Z',
      state: 'sent',
    }
    const handed = stored({ steps: [{ ...step, shown_at: null, opened_at: null }] }) as Parameters<
      typeof timelineOf
    >[1]
    expect(timelineOf(record(), handed)).toMatchObject({ screen: false, total: 412 })
    const seen = { ...step, shown_at: '2026-11-20T02:24:01.000Z', opened_at: null }
    const screen = timelineOf(record(), stored({ steps: [seen] }) as Parameters<typeof timelineOf>[1])
    expect([timelineTitle(record(), screen), screen.total]).toEqual(['從觸發到螢幕', 1000])
  })
  it('what was given up stands at the end with why and what to do; what is in the inbox anyway does not', () => {
    const delivery = (change: object) =>
      ({ id: 'd', sent_at: null, device_label: null, reason: null, ...change }) as NotificationDelivery
    const { steps, screen } = timelineOf(record(), stored() as Parameters<typeof timelineOf>[1], [
      delivery({ id: 'd1', channel: 'telegram', state: 'dead', reason: '找不到這個 Telegram 聊天' }),
      delivery({
        id: 'd2',
        channel: 'push',
        device_label: '手機',
        state: 'failed',
        reason: '推播服務沒有回應',
      }),
      delivery({ id: 'd3', channel: 'in_app', state: 'planned' }),
      delivery({ id: 'd4', channel: 'email', state: 'confirmed', sent_at: '2026-11-20T02:24:00.500Z' }),
    ])
    expect(screen).toBe(false)
    expect(steps.find(({ kind }) => kind === 'end')?.key).toBe('stored')
    expect(steps.slice(-2)).toMatchObject([
      { key: 'left d1', title: 'Telegram 沒有送到', time: '—', kind: 'open' },
      { key: 'left d2', title: '推播（手機）稍後再試', kind: 'open' },
    ])
    expect(steps.at(-2)?.note).toBe(
      '找不到這個 Telegram 聊天。到設定對 Telegram 傳送測試，沒過就重新綁定，然後重送。',
    )
  })
  it('a source that wrote no time is said to have written none: no 0 毫秒, no delay', () => {
    const at = '2026-11-20T02:24:00.412Z'
    const untold = record({ occurred_at: at, flags: ['no_source_time'] })
    const timeline = timelineOf(untold, stored({ fired_at: at }))
    expect([timeline.total, timeline.said]).toEqual([null, '來源沒有寫時間'])
    expect(timeline.steps[0]).toMatchObject({ note: '來源沒有寫時間', time: '—', kind: 'open' })
    expect(timeline.steps[1]).not.toHaveProperty('delta')
    expect(JSON.stringify(timeline.steps)).not.toContain('0 毫秒')
  })
  it('what was read again later says when it came and when it was stored, with the days', () => {
    const timeline = timelineOf(record({ chain_seq: 7 }), stored({ stored_at: '2026-11-22T03:30:00.000Z' }))
    expect(timeline.total).toBe(412)
    expect(timeline.steps.map(({ time, note, delta }) => [time, note, delta])).toEqual([
      ['11/20 10:24:00.000', undefined, undefined],
      ['11/20 10:24:00.412', undefined, '+412 毫秒'],
      ['11/22 11:30:00.000', '第 7 筆，重新解析後才存入', '+2 天 1 小時'],
    ])
  })
  it('what no source sent has no delay: an expiry is told by its day, what was asked here by its moment', () => {
    const settled = record({ source: 'system', occurred_at: '2026-11-18T05:30:00.000Z' })
    const timeline = timelineOf(settled, stored({ fired_at: '2026-11-18T05:30:00.000Z' }))
    expect([timelineTitle(settled, timeline), timeline.total, timeline.said]).toEqual([
      '這筆紀錄的時間',
      null,
      null,
    ])
    expect(timeline.steps[0]).toMatchObject({ title: '契約到期', time: '11/18 13:30:00.000' })
    expect(timeline.steps[1]).not.toHaveProperty('delta')
    expect(timelineOf(record({ source: 'void' }), stored()).total).toBeNull()
  })
})
