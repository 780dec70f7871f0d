/* Waits for the first message and shows it arrive, live. On phones the first card docks over the tabs: what arrives is seen wherever one reads. */

import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import type { Delivery, HookAnswer } from '#contract/webhook.ts'
import { webhookMutations, webhookQueries } from '#data/nouns/webhook.ts'
import { useCtx, useRecords } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { rowOf } from '#text/row.ts'
import { hms, latency } from '#text/time.ts'
import { readAs } from '#text/webhook.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Icon } from '#ui/Icon.tsx'
import { SignalList, SignalRow } from '#ui/nouns/SignalRow.tsx'
import { Tag } from '#ui/Tag.tsx'
import { asksShort, ShortQuestion } from '../ShortQuestion.tsx'
import css from './ConnectStep.module.css'
import type { Sender } from './senders.ts'

const SHOWN = 5
const NO_SIGNAL = new Set<Delivery['outcome']>(['rejected', 'ignored', 'held'])

/** Requests that made no signal, newest first; the tests of this page are told elsewhere. */
function refusedOf(deliveries: readonly Delivery[]): Delivery[] {
  return deliveries.filter(({ outcome, test }) => !test && NO_SIGNAL.has(outcome)).slice(0, SHOWN)
}

export function WaitCard({
  strategy,
  webhook_id,
  sender,
}: {
  strategy: Strategy
  webhook_id: string
  sender: Sender
}) {
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
    <div className={css.waiting}>
      <Card
        title={`${sender.bridge ? 4 : 3}　${record ? '收到了' : '等待第一則訊息'}`}
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
        {asksShort(strategy) && <ShortQuestion strategy={strategy} />}
        <Refusals label="還沒收下的訊息" home={home} of={refused.slice(0, seen)} />
      </Card>
      <Card>
        {record ? (
          <p className={css.said} key={taken ? 'stored' : 'seen'}>
            {hms(record.received_at)} 收到{taken && `，${latency(taken.duration_ms)}內存好`}
            。之後每一筆都會像這樣出現在你的裝置上。
          </p>
        ) : (
          <div className={css.quiet}>
            <p>{sender.wait}</p>
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

/* 送出測試: a sample through the real reading, on the spot; it never becomes a signal. */

function understood({ normal }: Delivery): string {
  const read = readAs(normal)
  return read ? `讀懂了：${read}` : '讀懂了'
}

function verdict({ delivery, answer }: { delivery: Delivery; answer: HookAnswer }) {
  if (answer.status === 'held')
    return { good: true, text: '收得到。這種寫法第一次會先問你，確認過就直接收下（測試，不計入紀錄）' }
  return answer.status === 'rejected'
    ? { good: false, text: answer.reason ?? delivery.reason ?? '這則訊息讀不懂' }
    : { good: true, text: `${understood(delivery)}（測試，不計入紀錄）` }
}

export function TestLine({ webhook_id }: { webhook_id: string }) {
  const test = useMutation(webhookMutations.test(useCtx()))
  const said = test.error
    ? { good: false, text: failureSentence(test.error, '') }
    : test.data && verdict(test.data)
  return (
    <div className={css.test}>
      <Button
        size="s"
        kind="soft"
        raised
        icon="send"
        busy={test.isPending}
        onClick={() => test.mutate({ id: webhook_id })}
      >
        送出測試
      </Button>
      <p role="status" className={said?.good ? 'good-ink' : said ? 'danger-ink' : 'ink3'}>
        {said && <Icon name={said.good ? 'check' : 'warning'} size={16} className={css.testIcon} />}
        <span>{said ? said.text : '用一則範例訊息試試伺服器讀不讀得懂。'}</span>
      </p>
    </div>
  )
}

/* Requests that made no signal, each with its reason and the field that is to blame; what waits leads to where it is confirmed. */

/** `home` the strategy's page. */
export type RefusalsProps = { of: readonly Delivery[]; label: string; home: string }

export function Refusals({ of, label, home }: RefusalsProps) {
  const { go } = useGo()
  if (of.length === 0) return null
  return (
    <ul className={css.refusals} aria-label={label}>
      {of.map(({ id, received_at, outcome, reason, field, format_id }) => (
        <li key={id}>
          <time className="num ink3">{hms(received_at)}</time>
          <div className="sp">
            {outcome === 'rejected' ? (
              <Tag tone="danger" icon="close">
                沒收下
              </Tag>
            ) : outcome === 'held' ? (
              <Tag tone="warn" icon="clock">
                等你確認
              </Tag>
            ) : (
              <Tag icon="minus">忽略</Tag>
            )}
            <p>{reason ?? '沒有說明'}</p>
            {outcome === 'held' && format_id && (
              <Button
                size="s"
                kind="tint"
                className={css.key}
                {...go(`${home}?tab=settings&format=${format_id}`)}
              >
                看會怎麼讀
              </Button>
            )}
            {field && outcome !== 'held' && (
              <p className="ink3 t13">
                欄位 <code className="mono">{field}</code>
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
