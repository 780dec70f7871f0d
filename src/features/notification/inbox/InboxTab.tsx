/* 通知: what I was told, unread first, by day; read by opening it, one by one, or all at once. */
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { layInbox, notificationMutations, notificationQueries } from '#data/nouns/notification.ts'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { QUEUED_WORDS, useOutbox } from '#screen/outbox.ts'
import { Stale } from '#screen/Stale.tsx'
import { toast } from '#screen/toast.ts'
import { toTop, useAway, useHeld } from '#screen/use-held.ts'
import { number } from '#text/format.ts'
import { taipei } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { FailState } from '#ui/FailState.tsx'
import { NewPill } from '#ui/nouns/NewPill.tsx'
import { More } from '../More.tsx'
import { Waiting } from '../Waiting.tsx'
import css from './InboxTab.module.css'
import { Part } from './Part.tsx'

export function InboxTab() {
  const asked = useInfiniteQuery(notificationQueries.inbox())
  const { data, dataUpdatedAt, error, isFetching, refetch } = asked
  const outbox = useOutbox()
  const { go } = useGo()
  const inbox = useMemo(() => data && layInbox(data, outbox, dataUpdatedAt), [data, outbox, dataUpdatedAt])
  // what was unread when it came to this screen stays where it is when it is read: nothing jumps under the finger
  const fresh = useRef(new Set<string>())
  for (const { id, read_at } of inbox?.items ?? []) if (read_at === null) fresh.current.add(id)
  // what comes while it is open is shown to have come; what comes while one reads further down waits
  const opened = useRef<number | null>(null)
  if (inbox) opened.current ??= Math.max(-1, ...inbox.items.map(({ seq }) => seq))
  const { head, away } = useAway()
  const held = useHeld(inbox?.items ?? [], away)
  const read = useMutation({
    ...notificationMutations.read(),
    onSuccess: ({ queued }) => queued && toast({ title: QUEUED_WORDS, icon: 'offline' }),
    onError: (failure) =>
      toast({
        title: '沒有標為已讀',
        description: failureSentence(failure, '通知維持原樣，'),
        variant: 'destructive',
      }),
  })
  if (!inbox)
    return error ? (
      <FailState card title="讀不到通知" busy={isFetching} onRetry={() => void refetch()}>
        {failureSentence(error, '訊號都在「全部訊號」，')}
      </FailState>
    ) : (
      <Waiting label="通知載入中" head day />
    )
  const { items, unread_count } = inbox
  if (items.length === 0)
    return (
      <EmptyState
        card
        title="還沒有通知"
        action={<Button {...go('/signal-notification?tab=setting')}>設定通知</Button>}
      >
        訊號、警示和組織的變動會出現在這裡。打開推播或綁定 Telegram，鎖著螢幕也收得到。
      </EmptyState>
    )
  const [top, rest] = [true, false].map((wanted) =>
    held.shown.filter(({ id }) => fresh.current.has(id) === wanted),
  )
  const newest = Math.max(...items.map(({ seq }) => seq))
  const last = items.at(-1)
  const unfinished = asked.hasNextPage && last ? taipei(last.created_at).day : null
  const mark = (ids: string[]) => read.mutate({ ids, label: `把 ${ids.length} 則通知標為已讀` })
  return (
    <>
      {error && <Stale at={dataUpdatedAt} />}
      <div className={css.head} ref={head}>
        <p className="sp ink3" role="status">
          {unread_count > 0 ? `${number(unread_count)} 則未讀` : '全部都讀過了'}
        </p>
        {unread_count > 0 && (
          <Button
            size="s"
            icon="check"
            onClick={() => read.mutate({ up_to: newest, label: '把所有通知標為已讀' })}
          >
            全部標為已讀
          </Button>
        )}
      </div>
      {top && top.length > 0 && (
        <Part label="未讀" items={top} unfinished={unfinished} since={opened.current} onRead={mark} />
      )}
      {rest && rest.length > 0 && (
        <Part
          label="已讀"
          titled={(top?.length ?? 0) > 0}
          items={rest}
          unfinished={unfinished}
          since={opened.current}
          onRead={mark}
        />
      )}
      <NewPill
        count={held.waiting}
        unit="則"
        noun="通知"
        onClick={() => {
          held.letIn()
          toTop()
        }}
      />
      <More asked={asked}>顯示更早的通知</More>
    </>
  )
}
