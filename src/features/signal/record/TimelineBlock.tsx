/* 從觸發到…: when the signal fired, came, was stored and shown, as a line with points. */
import type { OutputOf } from '#contract/endpoint.ts'
import type { getSignal, SignalRecord } from '#contract/signal.ts'
import { useGo } from '#screen/go.ts'
import { latency } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Timeline } from '#ui/Timeline.tsx'
import { Block } from './Block.tsx'
import { timelineOf, timelineTitle } from './timeline.ts'

/** `timeline` of the server's answer, null until it is there; `unread` when it could not be had. */
export type TimelineBlockProps = {
  record: SignalRecord
  timeline: OutputOf<typeof getSignal>['timeline'] | null
  deliveries: OutputOf<typeof getSignal>['deliveries_to_me']
  unread: boolean
}

export function TimelineBlock({ record, timeline, deliveries, unread }: TimelineBlockProps) {
  const { go } = useGo()
  const line = timelineOf(record, timeline, deliveries)
  const given_up = deliveries.some(({ state }) => state === 'dead')
  return (
    <Block
      title={timelineTitle(record, line)}
      aside={
        line.total === null ? (
          line.said && <span className="t13 ink3">{line.said}</span>
        ) : (
          <span className="num t16 w6">{latency(line.total)}</span>
        )
      }
    >
      <Timeline steps={line.steps} label="這筆訊號的時間軸" />
      {given_up && (
        <Button size="s" {...go('/signal-notification?tab=why&state=dead')}>
          到發送紀錄重送
        </Button>
      )}
      {unread && <p className="t13 ink3">各通道的送達時間要連線才讀得到。</p>}
    </Block>
  )
}
