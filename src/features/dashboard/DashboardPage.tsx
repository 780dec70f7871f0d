/* /dashboard: the day at a glance. What was made, who holds what, what came in, what waits. */
import { useQuery } from '@tanstack/react-query'
import { useSnapshot } from 'valtio'
import { marketQueries } from '#data/nouns/market.ts'
import { Bell } from '#screen/Bell.tsx'
import { Connection } from '#screen/Connection.tsx'
import { failureSentence } from '#screen/failure.ts'
import { SILENT } from '#screen/lost.ts'
import { Pull } from '#screen/Pull.tsx'
import { useMay, useProfile } from '#screen/profile.ts'
import { switching } from '#screen/switch.ts'
import { useNow } from '#screen/use-now.ts'
import { useWide } from '#screen/use-wide.ts'
import { connection } from '#state/connection.ts'
import { preferences } from '#state/preferences.ts'
import { auth } from '#state/session.ts'
import { taipei, when } from '#text/time.ts'
import { StaleNote } from '#ui/Banner.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { cx } from '#ui/open.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Announced } from './Announced.tsx'
import { Checklist } from './Checklist.tsx'
import css from './DashboardPage.module.css'
import { greeting, marketLine } from './day.ts'
import { Latest } from './Latest.tsx'
import { Lead } from './Lead.tsx'
import { Mine } from './Mine.tsx'
import { OrganizationToday } from './OrganizationToday.tsx'
import { Todos } from './Todos.tsx'
import { todoLines } from './todo.ts'
import { useBoard } from './use-board.ts'

import { NothingShared, useOnlyMember, Whereabouts } from './Whereabouts.tsx'

export function DashboardPage() {
  const now = useNow()
  const { drawn } = useSnapshot(switching)
  const { board, day, held, answered_at, error, isFetching, refetch } = useBoard(now, drawn)
  const { shown_name } = useProfile()
  const { privacy } = useSnapshot(preferences)
  const { state: heard } = useSnapshot(connection)
  const wide = useWide()
  const may_create = useMay('strategy:create')
  const only_member = useOnlyMember(board, useSnapshot(auth).org_id)
  const { items, as_of } = held
  const nothing_shared = !may_create && board?.strategies.length === 0
  // zeros of strategies that somebody does not own say nothing
  const bare = (only_member || nothing_shared) && items.length === 0 && board?.latest.length === 0
  // small, kept for days, and only a line of words waits for it
  const calendar = useQuery({ ...marketQueries.calendar(), enabled: drawn })

  if (!board && !error)
    return (
      <div className="page">
        <Skeleton type="dashboard" />
      </div>
    )
  const { date, state, left, short } = marketLine(
    now,
    board?.today.trading_date ?? null,
    calendar.data?.closed_days ?? null,
  )
  // while the first steps stand on the page, verifying the address is one of them
  const todos = board?.todos.filter(({ kind }) => only_member || kind !== 'verify_email') ?? []
  const lines = todoLines(todos)
  // an organization that keeps its figures to itself keeps them on the whole page (ruling A11)
  const money = board?.today.realised_pnl !== null
  const announced = drawn && board && board.announcements.length > 0 && (
    <Announced heads={board.announcements} at={answered_at} now={now} />
  )
  return (
    <div className="page">
      <Pull />
      <div className={css.head}>
        <h1 tabIndex={-1}>
          {greeting(now)}
          {shown_name && `，${shown_name}`}
        </h1>
        <span className="sp" />
        {wide ? (
          <p className="ink2 num">
            {date} · {state}
            {left && `進行中，距收盤 ${left}`}
          </p>
        ) : (
          <>
            <Connection short />
            <Bell />
          </>
        )}
      </div>
      {board && day ? (
        <>
          {error && heard === 'online' && <StaleNote word={SILENT} time={as_of && when(as_of, now)} />}
          {only_member ? <Whereabouts /> : may_create && <Checklist board={board} />}
          {nothing_shared && <NothingShared />}
          {!bare && (
            <Lead
              board={board}
              day={day}
              date={taipei(now).day}
              masked={privacy}
              wide={wide}
              market={left ? `${state}，距收盤 ${short}` : state}
            />
          )}
          {bare ? <Todos lines={lines} phone={!wide} /> : !wide && <Todos lines={lines} phone />}
          {bare && announced}
          {drawn && !bare && (
            <div
              className={cx(
                css.two,
                (lines.length > 0 || board.strategies.length > 0 || board.organization || announced) &&
                  'grid2',
              )}
            >
              <Latest
                kept={board.latest}
                strategies={board.strategies}
                now={now}
                masked={privacy}
                money={money}
              />
              <div className="stack">
                {wide && <Todos lines={lines} />}
                {board.strategies.length > 0 && (
                  <Mine strategies={board.strategies} masked={privacy} money={money} />
                )}
                {board.organization && <OrganizationToday counts={board.organization} />}
                {announced}
              </div>
            </div>
          )}
        </>
      ) : (
        <>
          <FailState card title="讀不到首頁" busy={isFetching} onRetry={() => void refetch()}>
            {failureSentence(error)}
            {items.length > 0 && '已存下的訊號還在下面。'}
          </FailState>
          {items.length > 0 && (
            <div className={css.two}>
              <Latest kept={[]} strategies={[]} now={now} masked={privacy} money />
            </div>
          )}
        </>
      )}
    </div>
  )
}
