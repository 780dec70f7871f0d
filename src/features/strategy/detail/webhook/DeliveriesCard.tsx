/* 最近接收紀錄: every request that reached the webhook, each with its verdict; none is silent. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Delivery, Webhook } from '#contract/webhook.ts'
import type { ReplayPick } from '#data/nouns/replay.ts'
import { type GivenMessage, webhookQueries } from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useHeld } from '#screen/use-held.ts'
import { number } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { FailState } from '#ui/FailState.tsx'
import { NewPill } from '#ui/nouns/NewPill.tsx'
import { cx } from '#ui/open.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import css from './DeliveriesCard.module.css'
import { LeftNote } from './LeftNote.tsx'
import { LogTools } from './LogTools.tsx'
import { useBroughtUp, useLog } from './log.ts'
import { RequestRow } from './RequestRow.tsx'
import { noteLeft, readLeft } from './replay/left.ts'

const ReplaySheet = lazy(() =>
  import('./replay/ReplaySheet.tsx').then(({ ReplaySheet }) => ({ default: ReplaySheet })),
)

/** `asked` a link led to it; `extra` gives the opened request further keys (用這則建立對應); null for requests they do not fit. */
export type DeliveriesCardProps = {
  webhook: Webhook
  asked?: boolean
  extra?: (delivery: Delivery) => ReactNode
  /** Opens the mapping of a message. */
  onMap?: (message: GivenMessage) => void
}

export function DeliveriesCard({ webhook, asked = false, extra, onMap }: DeliveriesCardProps) {
  const ctx = useCtx()
  const log = useLog()
  const list = useInfiniteQuery(webhookQueries.deliveries(ctx, webhook.id, log.filter))
  const place = useBroughtUp(asked, list.data !== undefined)
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null)
  const [replayed, setReplayed] = useState<ReplayPick | null>(null)
  const [left, setLeft] = useState(() => readLeft(webhook.id))
  const { counts_24h: day } = webhook
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const held = useHeld(items, log.opened !== null)
  const filtered = log.kind !== '' || log.span !== ''
  const choose = (id: string, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  const close = () => {
    setReplayed(null)
    setChosen(null)
    setLeft(readLeft(webhook.id))
  }
  return (
    <Card title="最近接收紀錄" flush wraps>
      <dl ref={place} className={cx(css.counts, 'num')}>
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
      <LogTools
        webhook={webhook}
        log={log}
        chosen={chosen}
        onChoosing={(choosing) => setChosen(choosing ? new Set() : null)}
        onReplay={setReplayed}
      />
      {left && !replayed && (
        <LeftNote
          left={left}
          onGoOn={() => setReplayed(left.pick)}
          onForget={() => {
            noteLeft(webhook.id, null)
            setLeft(null)
          }}
        />
      )}
      {list.error && items.length === 0 ? (
        <FailState title="讀不到接收紀錄" onRetry={() => void list.refetch()} busy={list.isFetching}>
          {failureSentence(list.error, '紀錄都在伺服器上，')}
        </FailState>
      ) : !list.data ? (
        <Skeleton inside label="接收紀錄載入中" />
      ) : items.length === 0 ? (
        <EmptyState title={filtered ? '沒有這樣的訊息' : '還沒有收到任何訊息'}>
          {filtered
            ? '換一個結果或時間看看。'
            : '每一則送到網址的請求都會列在這裡，連看不懂的也會，並說明原因。'}
        </EmptyState>
      ) : (
        <ul className={css.list}>
          {held.shown.map((delivery) => (
            <RequestRow
              key={delivery.id}
              delivery={delivery}
              webhook={webhook}
              open={delivery.id === log.opened}
              onToggle={(open) => log.go({ delivery: open ? delivery.id : undefined })}
              {...(extra && { extra })}
              onReplay={(id) => setReplayed({ delivery_ids: [id] })}
              chosen={chosen?.has(delivery.id)}
              onChoose={(on) => choose(delivery.id, on)}
            />
          ))}
        </ul>
      )}
      <NewPill count={held.waiting} onClick={held.letIn} noun="訊息" />
      {list.hasNextPage && (
        <div className={css.more}>
          <Button kind="ghost" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            更早的紀錄
          </Button>
        </div>
      )}
      {list.data && <p className={cx(css.kept, 't13 ink3')}>每一則保留 30 天。</p>}
      {replayed && (
        <Suspense>
          <ReplaySheet webhook={webhook} pick={replayed} onClose={close} {...(onMap && { onMap })} />
        </Suspense>
      )}
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
