/* Waits for the first message and shows it arrive, live. On phones the first card docks over the tabs: what arrives is seen wherever one reads. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import type { Delivery } from '#contract/webhook.ts'
import { webhookQueries } from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import { useGo } from '#screen/go.ts'
import { useRecords } from '#screen/records.ts'
import { rowOf } from '#text/row.ts'
import { hms, latency } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { SignalList } from '#ui/nouns/SignalList.tsx'
import { SignalRow } from '#ui/nouns/SignalRow.tsx'
import { Tag } from '#ui/Tag.tsx'
import { Refusals } from './Refusals.tsx'
import { SENDERS } from './senders.ts'
import { TestLine } from './TestLine.tsx'
import css from './WaitCard.module.css'

const SHOWN = 5
const NO_SIGNAL = new Set<Delivery['outcome']>(['rejected', 'ignored', 'held'])

/** Requests that made no signal, newest first; the tests of this page are told elsewhere. */
function refusedOf(deliveries: readonly Delivery[]): Delivery[] {
  return deliveries.filter(({ outcome, test }) => !test && NO_SIGNAL.has(outcome)).slice(0, SHOWN)
}

export function WaitCard({ strategy, webhook_id }: { strategy: Strategy; webhook_id: string }) {
  const ctx = useCtx()
  const { open } = useGo()
  const { items, state } = useRecords(strategy.id)
  const { data } = useInfiniteQuery(webhookQueries.deliveries(ctx, webhook_id))
  const deliveries = data?.pages.flatMap((page) => page.items) ?? []
  const record = items[0]
  // what was here before this page looked is not announced as new
  const [before, setBefore] = useState<string | null>(null)
  if (before === null && state !== 'loading') setBefore(record?.id ?? '')
  const fresh = record !== undefined && before !== null && record.id !== before
  const taken = record && deliveries.find(({ signal_id }) => signal_id === record.id)
  const refused = refusedOf(deliveries)
  // in sight stands what came last: the signal, and until there is one the newest refusal
  const seen = record ? 0 : 1
  const home = `/strategies/${strategy.id}`
  return (
    <div className={css.root}>
      <Card
        title={`${SENDERS[strategy.kind].bridge ? 4 : 3}　${record ? '收到了' : '等待第一則訊息'}`}
        className={css.wait}
        remark={
          record ? (
            <Tag tone="good" icon="check">
              已接上
            </Tag>
          ) : (
            <i className={css.dot} aria-hidden="true" />
          )
        }
      >
        <div role="status" className="vh">
          {record ? '第一則訊息到了' : '等待第一則訊息'}
        </div>
        {record && (
          <SignalList label="剛收到的訊號" framed>
            <SignalRow
              key={record.id}
              {...rowOf(record, null)}
              highlight={fresh}
              href={`${home}?tab=signals&signal=${record.id}`}
              onOpen={() => open(`${home}?tab=signals&signal=${record.id}`)}
            />
          </SignalList>
        )}
        <Refusals label="還沒收下的訊息" home={home} of={refused.slice(0, seen)} />
      </Card>
      <Card>
        {record ? (
          <p className={css.said} key={taken ? 'stored' : 'seen'}>
            {hms(record.received_at)} 收到{taken && `，${latency(taken.duration_ms)}內存好`}
            。之後每一筆都會像這樣出現在你的裝置上。
          </p>
        ) : (
          <div className={css.waiting}>
            <p>{SENDERS[strategy.kind].wait}</p>
            <TestLine webhook_id={webhook_id} />
          </div>
        )}
        <Refusals label="更早沒收下的訊息" home={home} of={refused.slice(seen)} />
        {/* below what was refused, which comes a moment later: drawn anew there */}
        <div className={css.on} key={refused.length}>
          <Button
            wide
            kind={record ? 'filled' : 'soft'}
            trailing="arrow-right"
            href={home}
            onClick={() => open(home)}
          >
            {record ? '前往策略' : '先到策略頁，稍後再接'}
          </Button>
        </div>
      </Card>
    </div>
  )
}
