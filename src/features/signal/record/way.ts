/* The way of a signal as points of a line: source, server, store, channels, screens. A delay is never shown as negative. */
import type { OutputOf } from '#contract/endpoint.ts'
import type { getSignal, SignalRecord } from '#contract/signal.ts'
import { hmsMs, latency, number } from '#text/format.ts'
import { SOURCE_WORDS } from '#text/signal.ts'
import type { TimelineStep } from '#ui/Timeline.tsx'

type Way = OutputOf<typeof getSignal>['timeline']

const CHANNEL_WORDS = { in_app: '站內', push: '推播', telegram: 'Telegram', email: '電子郵件' } as const

/** Points oldest first, and the whole time from firing to the last screen in ms (null while it is not known or the clocks disagree). */
export function wayOf(
  record: SignalRecord,
  way: Way | null,
): { steps: TimelineStep[]; total: number | null } {
  const fired = Date.parse(way?.fired_at ?? record.occurred_at)
  const received = Date.parse(way?.received_at ?? record.received_at)
  const ahead = way?.clock_ahead ?? fired > received
  const points: (TimelineStep & { at: number })[] = [
    {
      key: 'fired',
      at: fired,
      title: record.source === 'webhook' ? '來源觸發' : `${SOURCE_WORDS[record.source]}的時間`,
      ...(ahead ? { note: `來源的時鐘快了 ${latency(fired - received)}，間隔算不出來` } : {}),
      time: hmsMs(fired),
    },
    {
      key: 'received',
      at: received,
      title: '伺服器收到',
      time: hmsMs(received),
      ...(ahead ? {} : delta(received - fired)),
    },
  ]
  if (way) {
    const stored = Date.parse(way.stored_at)
    points.push({
      key: 'stored',
      at: stored,
      title: '存入紀錄',
      note: `第 ${number(record.chain_seq)} 筆，先存再通知`,
      time: hmsMs(stored),
      ...delta(stored - received),
    })
    for (const [i, step] of way.steps.entries()) points.push(...channel(step, i, stored))
  }
  const screens = way?.steps.flatMap((step) => (step.shown_at ? [Date.parse(step.shown_at)] : [])) ?? []
  const last = Math.max(received, ...screens)
  points.sort((a, b) => (a.key === 'fired' ? -1 : b.key === 'fired' ? 1 : a.at - b.at))
  const arrived = points.findLastIndex((point) => point.kind !== 'open')
  return {
    steps: points.map(({ at: _at, ...point }, i) => (i === arrived ? { ...point, kind: 'end' } : point)),
    total: ahead ? null : last - fired,
  }
}

function delta(ms: number): { delta?: string } {
  return ms >= 0 ? { delta: `+${latency(ms)}` } : {}
}

function channel(step: Way['steps'][number], i: number, stored: number): (TimelineStep & { at: number })[] {
  const name = CHANNEL_WORDS[step.channel]
  const device = step.device_label ?? name
  const handed = Date.parse(step.handed_at)
  const points: (TimelineStep & { at: number })[] = [
    {
      key: `${i} handed`,
      at: handed,
      title: `交給${name}`,
      ...(step.device_label ? { note: step.device_label } : {}),
      time: hmsMs(handed),
      ...delta(handed - stored),
    },
  ]
  if (step.shown_at) {
    const shown = Date.parse(step.shown_at)
    points.push({
      key: `${i} shown`,
      at: shown,
      title: `${device} 顯示`,
      time: hmsMs(shown),
      ...delta(shown - handed),
    })
  } else if (step.channel === 'push')
    points.push({
      key: `${i} open`,
      at: handed + 1,
      title: `${device} 未確認`,
      note: '裝置沒有回報顯示',
      time: '—',
      kind: 'open',
    })
  if (step.opened_at)
    points.push({
      key: `${i} opened`,
      at: Date.parse(step.opened_at),
      title: '打開',
      note: device,
      time: hmsMs(step.opened_at),
      kind: 'open',
    })
  return points
}
