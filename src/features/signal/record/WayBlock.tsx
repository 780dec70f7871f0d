/* 從觸發到…: when the signal fired, came, was stored and shown, as a line with points. */
import type { OutputOf } from '#contract/endpoint.ts'
import type { getSignal, SignalRecord } from '#contract/signal.ts'
import { latency } from '#text/format.ts'
import { Timeline } from '#ui/Timeline.tsx'
import { Block } from './Block.tsx'
import { wayOf, wayTitle } from './way.ts'

/** `timeline` of the server's answer, null until it is there; `unread` when it could not be had. */
export type WayBlockProps = {
  record: SignalRecord
  timeline: OutputOf<typeof getSignal>['timeline'] | null
  unread: boolean
}

export function WayBlock({ record, timeline, unread }: WayBlockProps) {
  const way = wayOf(record, timeline)
  return (
    <Block
      title={wayTitle(record, way)}
      aside={
        way.total === null ? (
          way.said && <span className="t13 ink3">{way.said}</span>
        ) : (
          <span className="num t16 w6">{latency(way.total)}</span>
        )
      }
    >
      <Timeline steps={way.steps} label="這筆訊號的時間軸" />
      {unread && <p className="t13 ink3">各通道的送達時間要連線才讀得到。</p>}
    </Block>
  )
}
