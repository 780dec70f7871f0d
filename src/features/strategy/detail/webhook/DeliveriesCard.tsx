/* 最近接收紀錄: every request that reached the webhook, each with its verdict; none is silent. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Webhook } from '#contract/webhook.ts'
import { type ReplayPick, webhookQueries } from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useHeld } from '#screen/use-list.ts'
import { mdHm, number } from '#text/format.ts'
import { OUTCOME_WORDS, waitingText } from '#text/webhook.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState, FailState } from '#ui/EmptyState.tsx'
import { Icon } from '#ui/Icon.tsx'
import { NewPill } from '#ui/nouns/DayHeader.tsx'
import { cx } from '#ui/open.ts'
import { ChipSelect } from '#ui/Segments.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import {
  KINDS,
  kindWords,
  noteLeft,
  type ReplayLeft,
  readLeft,
  SPAN_WORDS,
  SPANS,
  useBroughtUp,
  useLog,
} from './log.ts'
import { RequestRow } from './RequestRow.tsx'
import css from './Webhook.module.css'

const ReplaySheet = lazy(() =>
  import('./ReplaySheet.tsx').then(({ ReplaySheet }) => ({ default: ReplaySheet })),
)

/** `asked` a link led to it; `onFormat` opens the format of a message. */
export type DeliveriesCardProps = { webhook: Webhook; asked?: boolean; onFormat: (id: string) => void }

export function DeliveriesCard({ webhook, asked = false, onFormat }: DeliveriesCardProps) {
  const ctx = useCtx()
  const log = useLog()
  const list = useInfiniteQuery(webhookQueries.deliveries(ctx, webhook.id, log.filter))
  const place = useBroughtUp(asked, list.data !== undefined)
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null)
  const [replayed, setReplayed] = useState<ReplayPick | null>(null)
  const [left, setLeft] = useState(() => readLeft(webhook.id))
  const formats = useQuery(webhookQueries.formats(ctx, webhook.id)).data?.items
  const waits = new Map(formats?.map((format) => [format.id, waitingText(format)]))
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
      <dl ref={place} className={cx(css.DeliveriesCardCounts, 'num')}>
        <Count
          label="24 小時收到"
          value={day.accepted + day.late + day.duplicate + day.ignored + day.held + day.rejected}
        />
        <Count label="已收下" value={day.accepted + day.late} />
        <Count label="重複" value={day.duplicate} />
        <Count label="忽略" value={day.ignored} />
        {day.held > 0 && <Count label={OUTCOME_WORDS.held} value={day.held} ink="warn-ink" />}
        <Count label="沒收下" value={day.rejected} ink="danger-ink" />
        {day.mismatch > 0 && <Count label="其中商品不符" value={day.mismatch} ink="danger-ink" />}
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
            : '每一則送到網址的請求都會列在這裡，沒收下的也會，並說明原因。'}
        </EmptyState>
      ) : (
        <ul className={css.DeliveriesCardList}>
          {held.shown.map((delivery) => (
            <RequestRow
              key={delivery.id}
              delivery={delivery}
              webhook={webhook}
              open={delivery.id === log.opened}
              onToggle={(open) => log.go({ delivery: open ? delivery.id : undefined })}
              proposal={waits.get(delivery.format_id ?? '')}
              onFormat={onFormat}
              onReplay={(id) => setReplayed({ delivery_ids: [id] })}
              chosen={chosen?.has(delivery.id)}
              onChoose={(on) => choose(delivery.id, on)}
            />
          ))}
        </ul>
      )}
      <NewPill count={held.waiting} onClick={held.letIn} noun="訊息" />
      {list.hasNextPage && (
        <div className={css.DeliveriesCardMore}>
          <Button kind="ghost" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            更早的紀錄
          </Button>
        </div>
      )}
      {list.data && <p className={cx(css.DeliveriesCardKept, 't13 ink3')}>每一則保留 30 天。</p>}
      {replayed && (
        <Suspense>
          <ReplaySheet webhook={webhook} pick={replayed} onClose={close} />
        </Suspense>
      )}
    </Card>
  )
}

function Count({ label, value, ink }: { label: string; value: number; ink?: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={value > 0 ? ink : undefined}>{number(value)}</dd>
    </div>
  )
}

type LeftNoteProps = { left: ReplayLeft; onGoOn: () => void; onForget: () => void }

/** A replay of many that a reload or a closed page broke off: where it stood, and going on with it. */
function LeftNote({ left, onGoOn, onForget }: LeftNoteProps) {
  return (
    <div className={css.DeliveriesCardLeft}>
      <Icon name="info" className="ink3" />
      <p>
        上次的重新解析停在 <b className="num">{`${number(left.done)} / ${number(left.total)}`}</b>（
        {mdHm(left.at)}）。做完的不會重做。
      </p>
      <Button size="s" onClick={onGoOn}>
        接著做
      </Button>
      <Button size="s" kind="ghost" onClick={onForget}>
        不用了
      </Button>
    </div>
  )
}

/* Above the log: which requests are shown, and reading them again: those chosen, or all that are shown. */

/** `chosen` null while nothing is being chosen. */
export type LogToolsProps = {
  webhook: Webhook
  log: ReturnType<typeof useLog>
  chosen: ReadonlySet<string> | null
  onChoosing: (choosing: boolean) => void
  onReplay: (pick: ReplayPick) => void
}

export function LogTools({ webhook, log, chosen, onChoosing, onReplay }: LogToolsProps) {
  const ctx = useCtx()
  const { kind, span, filter, go } = log
  // What waits is confirmed, not read again.
  const filtered = (kind !== '' || span !== '') && kind !== 'held'
  const all = useQuery({
    ...webhookQueries.replayable(ctx, webhook.id, filter),
    enabled: filtered || chosen !== null,
  }).data
  const some = chosen !== null && chosen.size > 0
  const many = some ? chosen.size : all
  return (
    <div className={css.DeliveriesCardTools}>
      <ChipSelect
        label="結果"
        value={kind}
        onChange={(outcome) => go({ outcome, delivery: undefined })}
        options={KINDS.map((value) => ({ value, label: kindWords(value, webhook) }))}
      />
      <ChipSelect
        label="時間"
        value={span}
        onChange={(since) => go({ since, delivery: undefined })}
        options={SPANS.map((value) => ({ value, label: SPAN_WORDS[value] }))}
      />
      <span className="sp" />
      <Button size="s" kind="ghost" onClick={() => onChoosing(chosen === null)}>
        {chosen === null ? '選取' : '取消選取'}
      </Button>
      {(filtered || chosen !== null) && many !== undefined && many > 0 && (
        <Button
          size="s"
          icon="refresh"
          onClick={() => onReplay(some ? { delivery_ids: [...chosen].sort() } : filter)}
        >
          {chosen !== null && !some ? '重新解析全部' : '重新解析'} {number(many)} 則
        </Button>
      )}
    </div>
  )
}
