/* 誰看得到: who could see what at a moment, by what, and the changes that made it so. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccessChange, Named, readAccessLog, SeenStrategy } from '#contract/access.ts'
import type { OutputOf } from '#contract/endpoint.ts'
import {
  type AccessQuestion,
  accessLogQueries,
  membershipQueries,
  organizationQueries,
} from '#data/nouns/organization.ts'
import { serverNow } from '#text/now.ts'
import { dayTitle, full, hms, taipei, ymd } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Icon } from '#ui/Icon.tsx'
import { DayHeader } from '#ui/nouns/DayHeader.tsx'
import { DateField, SearchSelect } from '#ui/SearchSelect.tsx'
import { TextField } from '#ui/TextField.tsx'
import {
  actorWords,
  CHANGE_ICONS,
  type Cover,
  changeWords,
  daysWords,
  groupWords,
  isBeginning,
  type Moment,
  momentOf,
  strategyWords,
  whoWords,
} from './access-words.ts'
import css from './OrganizationManagePage.module.css'
import { ListRow, ListState, SectionTitle, TwoLines, usePeople } from './Parts.tsx'
import { useOrganization, usePlace } from './TabList.tsx'
import { today } from './words.ts'

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
            <p className={`${css.AccessTabMore} ink3 t13`}>
              還有更多：選一個策略或一位成員，看得到完整的名單。
            </p>
          ))}
      </Card>
      <section aria-label="到那時為止的變更">
        <h2 className={css.AccessTabTitle}>到那時為止的變更</h2>
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
    <div className={css.AccessTabMore}>
      <Button busy={busy} onClick={onMore}>
        {label}
      </Button>
    </div>
  )
}

/* The moment, the strategy and the person that are asked about; all of it stands in the address. */

/** As many as one answer brings; the rest is reached from its own row. */
const MANY = 100

/** `user` and `strategy` as the answer names them: people who left are in no list any more. */
export type AccessFiltersProps = { error: Moment['error']; user: Named | null; strategy: Named | null }

export function AccessFilters({ error, user, strategy }: AccessFiltersProps) {
  const { id, ctx } = useOrganization()
  const { cover } = usePeople()
  const { search, change } = usePlace()
  const members = useQuery(membershipQueries.list(ctx, id, { page_size: MANY })).data
  const strategies = useQuery(organizationQueries.strategies(ctx, id, { page_size: MANY })).data
  const people = (members?.items ?? []).map((one) => ({ id: one.user_id, name: one.name }))
  const more = (total = 0, where: string) => (total > MANY ? `其他的請從「${where}」那一頁打開` : undefined)
  return (
    <div className={css.AccessFilters}>
      <DateField
        label="日期"
        value={search.on ?? today()}
        error={error?.on}
        onChange={(on) => change({ on: on === today() ? '' : on })}
      />
      <TextField
        label="時間"
        type="time"
        hint={search.time ? undefined : search.on ? '留空＝當天結束時' : '留空＝現在'}
        value={search.time ?? ''}
        error={error?.time}
        onChange={(time) => change({ time })}
      />
      <SearchSelect
        label="策略"
        value={search.strategy ?? ''}
        hint={more(strategies?.total, '組織策略')}
        onChange={(value) => change({ strategy: value })}
        options={[
          { value: '', label: '全部策略' },
          ...withChosen(strategies?.items ?? [], search.strategy, strategy, '已刪除的策略'),
        ]}
      />
      <SearchSelect
        label="成員"
        value={search.user ?? ''}
        hint={more(members?.total, '成員')}
        onChange={(value) => change({ user: value })}
        options={[
          { value: '', label: '全部成員' },
          ...withChosen(people, search.user, user, '不在組織裡的人', cover),
        ]}
      />
    </div>
  )
}

/** The choices, with the chosen one also where it is in no list any more. */
function withChosen(
  listed: readonly { id: string; name: string }[],
  id: string | undefined,
  named: Named | null,
  nobody: string,
  cover = (name: string) => name,
): { value: string; label: string }[] {
  const options = listed.map((one) => ({ value: one.id, label: cover(one.name) }))
  if (!id || listed.some((one) => one.id === id)) return options
  const name = named?.id === id ? named.name : null
  return [{ value: id, label: name ? cover(name) : nobody }, ...options]
}

/* Who could see what: people with the strategies they saw, each with what led there and its days. */

/** `by` what every row names: the person where a strategy was asked for, else the strategy. `titled` puts the rows under their people. */
export type SeenProps = { rows: readonly SeenStrategy[]; by: 'user' | 'strategy'; titled: boolean }

export function Seen({ rows, by, titled }: SeenProps) {
  const { cover } = usePeople()
  const sorted = inOrder(rows, cover)
  if (!titled)
    return (
      <ul>
        {sorted.map((row) => (
          <Row key={`${row.user.id} ${row.strategy.id}`} row={row} by={by} cover={cover} />
        ))}
      </ul>
    )
  return [...Map.groupBy(sorted, ({ user }) => user.id)].map(([id, own]) => (
    <section key={id}>
      <SectionTitle as="h3">{whoWords(own[0]?.user ?? null, cover)}</SectionTitle>
      <ul>
        {own[0]?.role === 'admin' ? (
          <Line name="全部策略" note="管理者" row={own[0]} />
        ) : (
          own.map((row) => <Row key={row.strategy.id} row={row} by={by} cover={cover} />)
        )}
      </ul>
    </section>
  ))
}

/** Admins first, then by name; the strategies of each by name. */
function inOrder(rows: readonly SeenStrategy[], cover: Cover): SeenStrategy[] {
  const key = ({ role, user, strategy }: SeenStrategy) =>
    [role, whoWords(user, cover), user.id, strategyWords(strategy)].join(' ')
  return [...rows].sort((a, b) => key(a).localeCompare(key(b), 'zh-Hant'))
}

/** What led there. */
const WHY = {
  admin: () => '管理者，看得到全部策略',
  member: ({ via_groups }) => `經由群組${via_groups.map(groupWords).join('、')}`,
} satisfies Record<SeenStrategy['role'], (row: SeenStrategy) => string>

function Row({ row, by, cover }: { row: SeenStrategy; by: SeenProps['by']; cover: Cover }) {
  const { user, strategy, role } = row
  const name = by === 'user' ? whoWords(user, cover) : (strategy.name ?? '已刪除的策略')
  return <Line name={name} note={WHY[role](row)} row={row} />
}

function Line({ name, note, row }: { name: string; note: string; row: SeenStrategy }) {
  const { visible_from, valid_until } = row
  return (
    <ListRow wraps>
      <TwoLines className="sp">
        <b className="el" title={name}>
          {name}
        </b>
        <small>{note}</small>
      </TwoLines>
      <span className={`${css.SeenDays} num t13 ink2`}>
        {visible_from === null ? '全部紀錄' : `${ymd(visible_from)} 起的紀錄`}
        <span className="ink3">{valid_until === null ? '沒有期限' : `到 ${ymd(valid_until)}`}</span>
      </span>
    </ListRow>
  )
}

/* The changes that made it so, newest first, by day: what, whose days, who made it. */

/** `at` the moment asked for, `since` when the log begins. */
export type ChangesProps = { items: readonly AccessChange[]; at: string; since: string | null }

export function Changes({ items, at, since }: ChangesProps) {
  return [...Map.groupBy(items, (one) => taipei(one.at).day)].map(([day, own]) => (
    <section key={day}>
      <DayHeader title={dayTitle(day, serverNow())} level={3} />
      <ul className={`card flush ${css.ChangesRows}`}>
        {own.map((change) => (
          <Change key={change.id} change={change} at={at} since={since} />
        ))}
      </ul>
    </section>
  ))
}

function Change({ change, at, since }: { change: AccessChange; at: string; since: string | null }) {
  const { cover } = usePeople()
  const days = daysWords(change, at)
  return (
    <li className={css.ChangesRow}>
      <time className="num t13 ink3" dateTime={change.at}>
        {hms(change.at)}
      </time>
      <span className={KIND_INK[change.kind]}>
        <Icon name={CHANGE_ICONS[change.kind]} size={16} />
      </span>
      <span className={css.ChangesWords}>
        <span>{changeWords(change, cover, since)}</span>
        {days && <small className="num">{days}</small>}
      </span>
      <span className={`${css.ChangesBy} el t13 ink3`}>
        {isBeginning(change, since) ? '開始記錄時' : actorWords(change, cover)}
      </span>
    </li>
  )
}

const KIND_INK: Record<AccessChange['kind'], string | undefined> = {
  granted: css.ChangesGranted,
  changed: css.ChangesChanged,
  viewed: css.ChangesViewed,
  ended: css.ChangesEnded,
}
