/* 最近接收紀錄: every request that reached the webhook, each with its verdict; none is silent. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Delivery, OUTCOMES, type Outcome, type Webhook } from '#contract/webhook.ts'
import { webhookQueries } from '#data/webhook.ts'
import { useCtx } from '#features/shell/data.tsx'
import { failureSentence } from '#features/shell/failure.ts'
import { number } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { FailState } from '#ui/FailState.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { DeliveryRow } from './DeliveryRow.tsx'

/** `extra` gives the opened request further keys (用這則建立對應); null for requests they do not fit. */
export type DeliveriesCardProps = { webhook: Webhook; extra?: (delivery: Delivery) => ReactNode }

export function DeliveriesCard({ webhook, extra }: DeliveriesCardProps) {
  const ctx = useCtx()
  const navigate = useNavigate()
  const address: Record<string, unknown> = useSearch({ strict: false })
  const outcome: Outcome | undefined = OUTCOMES.find((one) => one === address['outcome'])
  const opened = typeof address['delivery'] === 'string' ? address['delivery'] : null
  const list = useInfiniteQuery(webhookQueries.deliveries(ctx, webhook.id, outcome))
  const go = (patch: Record<string, string | undefined>) =>
    void navigate({
      to: '.',
      search: (old: Record<string, unknown>) => ({ ...old, ...patch }),
      replace: true,
      resetScroll: false,
    } as Parameters<typeof navigate>[0])
  const { counts_24h: day } = webhook
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Card
      title="最近接收紀錄"
      flush
      className="wh-log"
      action={
        <Segments
          label="顯示"
          value={outcome === 'rejected' ? 'rejected' : 'all'}
          onChange={(value) => go({ outcome: value === 'all' ? undefined : value, delivery: undefined })}
          options={[
            { value: 'all', label: '全部' },
            { value: 'rejected', label: '沒收下的', ...(day.rejected > 0 && { count: day.rejected }) },
          ]}
        />
      }
    >
      <dl className="wh-counts num">
        <Count
          label="24 小時收到"
          value={day.accepted + day.late + day.duplicate + day.ignored + day.rejected}
        />
        <Count label="已收下" value={day.accepted + day.late} />
        <Count label="重複" value={day.duplicate} />
        <Count label="忽略" value={day.ignored} />
        <Count label="沒收下" value={day.rejected} bad />
        <Count label="其中商品不符" value={day.mismatch} bad />
      </dl>
      {list.error && items.length === 0 ? (
        <FailState title="讀不到接收紀錄" onRetry={() => void list.refetch()} busy={list.isFetching}>
          {failureSentence(list.error, '紀錄都在伺服器上，')}
        </FailState>
      ) : !list.data ? (
        <Skeleton label="接收紀錄載入中" />
      ) : items.length === 0 ? (
        <EmptyState title={outcome ? '沒有被擋下的訊息' : '還沒有收到任何訊息'}>
          {outcome
            ? '收到的每一則都讀懂了。'
            : '每一則送到網址的請求都會列在這裡，連看不懂的也會，並說明原因。'}
        </EmptyState>
      ) : (
        <ul className="wh-list">
          {items.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              webhook={webhook}
              {...(extra && { extra })}
              open={delivery.id === opened}
              onToggle={(open) => go({ delivery: open ? delivery.id : undefined })}
            />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <div className="wh-more">
          <Button kind="ghost" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            更早的紀錄
          </Button>
        </div>
      )}
      {list.data && <p className="wh-kept t13 ink3">每一則保留 30 天。</p>}
    </Card>
  )
}

function Count({ label, value, bad = false }: { label: string; value: number; bad?: boolean }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={bad && value > 0 ? 'danger-ink' : undefined}>{number(value)}</dd>
    </div>
  )
}
