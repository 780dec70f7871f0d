/* The timeline of a signal as points of a line: source, server, store, channels, screens. A delay is never shown as negative,
   and nothing is said to have reached a screen before its receipt says so. */
import { connectedBy, isInside } from '#contract/channels.ts'
import type { OutputOf } from '#contract/endpoint.ts'
import type { NotificationDelivery } from '#contract/notification.ts'
import type { getSignal, SignalRecord } from '#contract/signal.ts'
import { whyText } from '#text/delivery.ts'
import { hmsMs, joined, latency, md, number } from '#text/format.ts'
import { CHANNEL_WORDS, DELIVERY_STATE_WORDS } from '#text/notification.ts'
import { SOURCE_WORDS } from '#text/signal.ts'
import type { TimelineStep } from '#ui/Figures.tsx'

type Known = OutputOf<typeof getSignal>['timeline']

/** `screen` whether a receipt says it reached one; `total` null when it cannot be told, `said` then the words in its place. */
export type SignalTimeline = {
  steps: TimelineStep[]
  total: number | null
  said: string | null
  screen: boolean
}
type Point = TimelineStep & { at: number }

/** What took longer than this to store was refused at first and read again. */
const AT_ONCE_MS = 60_000
const NO_TIME = '來源沒有寫時間'

/** What did not come so far as to be handed over, with why and what to do. */
function left(delivery: NotificationDelivery, at: number): Point[] {
  const { id, channel, device_label, state, sent_at } = delivery
  if (sent_at !== null || isInside(channel)) return []
  const name = device_label ? `${CHANNEL_WORDS[channel]}（${device_label}）` : CHANNEL_WORDS[channel]
  const note = whyText(delivery)
  const title = joined(name, DELIVERY_STATE_WORDS[state])
  return [{ key: `left ${id}`, at, title, time: '—', kind: 'open', ...(note !== '' && { note }) }]
}

/** Points oldest first, what did not get through after them, and the whole time in ms from firing to the last screen, to the server while no screen has answered. */
export function timelineOf(
  record: SignalRecord,
  known: Known | null,
  deliveries: readonly NotificationDelivery[] = [],
): SignalTimeline {
  const fired = Date.parse(known?.fired_at ?? record.occurred_at)
  const received = Date.parse(known?.received_at ?? record.received_at)
  const ahead = known?.clock_ahead ?? fired > received
  const sent = record.source === 'webhook'
  const untold = sent && record.flags.includes('no_source_time')
  const timed = sent && !untold && !ahead
  const points: Point[] = [
    untold
      ? { key: 'fired', at: received, title: '來源觸發', note: NO_TIME, time: '—', kind: 'open' }
      : {
          key: 'fired',
          at: fired,
          title: FIRED_WORDS[record.source] ?? `${SOURCE_WORDS[record.source]}的時間`,
          ...(ahead ? { note: `來源的時鐘快了 ${latency(fired - received)}，間隔算不出來` } : {}),
          time: '',
        },
    {
      key: 'received',
      at: received,
      title: '伺服器收到',
      time: '',
      ...(timed ? delta(received - fired) : {}),
    },
  ]
  if (known) {
    const stored = Date.parse(known.stored_at)
    const again = sent && stored - received > AT_ONCE_MS
    points.push({
      key: 'stored',
      at: stored,
      title: '存入紀錄',
      note: `第 ${number(record.chain_seq)} 筆，${again ? '重新解析後才存入' : '先存好才出現在畫面上'}`,
      time: '',
      ...delta(stored - received),
    })
    for (const [i, step] of known.steps.entries()) points.push(...channel(step, i, stored))
  }
  const screens = known?.steps.flatMap((step) => (step.shown_at ? [Date.parse(step.shown_at)] : [])) ?? []
  const last = Math.max(received, ...screens)
  points.sort((a, b) => (a.key === 'fired' ? -1 : b.key === 'fired' ? 1 : a.at - b.at))
  const end = points.at(-1)?.at ?? received
  for (const delivery of deliveries) points.push(...left(delivery, end))
  return {
    steps: shown(points),
    total: timed ? last - fired : null,
    said: untold ? NO_TIME : null,
    screen: screens.length > 0,
  }
}

/** What the line leads from and to, as far as it is known. */
export function timelineTitle({ source }: Pick<SignalRecord, 'source'>, { screen }: SignalTimeline): string {
  if (source !== 'webhook') return '這筆紀錄的時間'
  return screen ? '從觸發到螢幕' : '從觸發到伺服器'
}

/** What happened first, where the source's own word does not say it. */
const FIRED_WORDS: Partial<Record<SignalRecord['source'], string>> = {
  webhook: '來源觸發',
  system: '契約到期',
}

/** With their times written, the day before them where they are not all of one, and the last one that was reached filled. */
function shown(points: readonly Point[]): TimelineStep[] {
  const days = new Set(points.map(({ at }) => md(at)))
  const arrived = points.findLastIndex((point) => point.kind !== 'open')
  return points.map(({ at, ...point }, i) => ({
    ...point,
    time: point.time || (days.size > 1 ? `${md(at)} ${hmsMs(at)}` : hmsMs(at)),
    ...(i === arrived && { kind: 'end' as const }),
  }))
}

function delta(ms: number): { delta?: string } {
  return ms >= 0 ? { delta: `+${latency(ms)}` } : {}
}

function channel(step: Known['steps'][number], i: number, stored: number): Point[] {
  const name = CHANNEL_WORDS[step.channel]
  const device = step.device_label ?? name
  const handed = Date.parse(step.handed_at)
  const inside = isInside(step.channel)
  const points: Point[] = [
    {
      key: `${i} handed`,
      at: handed,
      title: inside ? '放進站內通知' : joined('交給', name),
      ...(step.device_label ? { note: step.device_label } : {}),
      time: '',
      ...delta(handed - stored),
    },
  ]
  if (step.shown_at) {
    const shown = Date.parse(step.shown_at)
    points.push({
      key: `${i} shown`,
      at: shown,
      title: inside ? '站內畫面顯示' : joined(device, '顯示'),
      time: '',
      // the open app has it from the stream, whatever the inbox takes
      ...delta(shown - (inside ? stored : handed)),
    })
  } else if (connectedBy(step.channel) === 'device')
    points.push({
      key: `${i} open`,
      at: handed + 1,
      title: joined(device, '未確認'),
      note: '裝置沒有回報顯示',
      time: '—',
      kind: 'open',
    })
  if (step.opened_at)
    points.push({
      key: `${i} opened`,
      at: Date.parse(step.opened_at),
      title: inside ? '在站內打開' : '打開',
      ...(inside ? {} : { note: device }),
      time: '',
      kind: 'open',
    })
  return points
}
