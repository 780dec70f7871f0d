/* 誰看得到: who could see what at a moment, by what, and the changes that made it so. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { readAccessLog } from '#contract/access.ts'
import type { OutputOf } from '#contract/endpoint.ts'
import { type AccessQuestion, accessLogQueries } from '#data/nouns/organization.ts'
import { serverNow } from '#text/now.ts'
import { full, taipei } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { ListState } from '../../parts/ListState.tsx'
import { useOrganization, usePlace } from '../use-place.ts'
import { AccessFilters } from './AccessFilters.tsx'
import css from './AccessTab.module.css'
import { Changes } from './Changes.tsx'
import { momentOf } from './moment.ts'
import { Seen } from './Seen.tsx'

export function AccessTab() {
  const { id, ctx } = useOrganization()
  const { search } = usePlace()
  const { at, error } = momentOf(search.on, search.time, serverNow())
  const question: AccessQuestion = {
    ...(at && { at }),
    ...(search.user && { user_id: search.user }),
    ...(search.strategy && { strategy_id: search.strategy }),
  }
  const first = useQuery({ ...accessLogQueries.first(ctx, id, question), enabled: !error })
  const { data } = first
  return (
    <>
      <AccessFilters error={error} user={data?.user ?? null} strategy={data?.strategy ?? null} />
      {!error && (
        <ListState query={first} title="讀不到誰看得到什麼">
          {(log) =>
            log.recorded_since === null || log.at < log.recorded_since ? (
              <NotRecorded since={log.recorded_since} />
            ) : (
              <Log key={JSON.stringify(question)} log={log} question={question} />
            )
          }
        </ListState>
      )}
    </>
  )
}

function NotRecorded({ since }: { since: string | null }) {
  const { change } = usePlace()
  return (
    <EmptyState
      card
      title="這一天以前未記錄"
      action={
        since && (
          <Button size="s" onClick={() => change({ on: taipei(since).day, time: '' })}>
            看開始記錄的那一天
          </Button>
        )
      }
    >
      {since ? `這個組織從 ${full(since)} 起，記下誰看得到什麼。` : '還沒有記下任何變更。'}
    </EmptyState>
  )
}

type LogProps = {
  log: OutputOf<typeof readAccessLog>
  question: AccessQuestion
}

function Log({ log, question }: LogProps) {
  const asked = { ...question, at: log.at }
  const rows = useRest(asked, 'after', log.next_after)
  const items = useRest(asked, 'before', log.next_before)
  const seen = [...log.rows, ...rows.pages.flatMap((page) => page.rows)]
  const changes = [...log.items, ...items.pages.flatMap((page) => page.items)]
  const { user_id, strategy_id } = question
  return (
    <div className="stack">
      <Card
        title={`${question.at ? `${full(log.at)} ` : '現在'}${user_id && !strategy_id ? '看得到什麼' : '誰看得到'}`}
        label="那時誰看得到"
        flush
      >
        {seen.length === 0 ? (
          <EmptyState title={nobody(question)}>變更紀錄在下面。</EmptyState>
        ) : (
          <Seen rows={seen} by={strategy_id ? 'user' : 'strategy'} titled={!user_id && !strategy_id} />
        )}
        {rows.more &&
          (user_id || strategy_id ? (
            <More busy={rows.busy} onMore={rows.onMore} label="顯示更多" />
          ) : (
            <p className={`${css.more} ink3 t13`}>還有更多：選一個策略或一位成員，看得到完整的名單。</p>
          ))}
      </Card>
      <section aria-label="到那時為止的變更">
        <h2 className={css.title}>到那時為止的變更</h2>
        {changes.length === 0 ? (
          <EmptyState card title="沒有相關的變更" />
        ) : (
          <Changes items={changes} at={log.at} since={log.recorded_since} />
        )}
        {items.more && <More busy={items.busy} onMore={items.onMore} label="顯示更早的變更" />}
      </section>
    </div>
  )
}

function nobody({ user_id, strategy_id }: AccessQuestion): string {
  if (user_id && strategy_id) return '這位成員看不到這個策略'
  if (user_id) return '這位成員什麼都看不到'
  return strategy_id ? '沒有人看得到這個策略' : '沒有人看得到策略'
}

/** The pages behind the first, asked for when somebody wants them. */
function useRest(question: AccessQuestion, list: 'after' | 'before', cursor: string | null) {
  const { id, ctx } = useOrganization()
  const [wanted, setWanted] = useState(false)
  const query = useInfiniteQuery({
    ...accessLogQueries.rest(ctx, id, question, list, cursor),
    enabled: wanted && cursor !== null,
  })
  return {
    pages: query.data?.pages ?? [],
    more: cursor !== null && (!query.data || query.hasNextPage),
    busy: query.isFetching,
    onMore: () => {
      if (wanted) void (query.data ? query.fetchNextPage() : query.refetch())
      else setWanted(true)
    },
  }
}

function More({ busy, onMore, label }: { busy: boolean; onMore: () => void; label: string }) {
  return (
    <div className={css.more}>
      <Button busy={busy} onClick={onMore}>
        {label}
      </Button>
    </div>
  )
}
