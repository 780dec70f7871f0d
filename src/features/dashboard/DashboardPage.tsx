/* /dashboard: the day at a glance. What was made, who holds what, what came in, what waits. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { dashboardQueries } from '#data/dashboard.ts'
import { marketQueries } from '#data/market.ts'
import { Connection } from '#features/shell/Connection.tsx'
import { useCtx } from '#features/shell/data.tsx'
import { failureSentence } from '#features/shell/failure.ts'
import { useProfile } from '#features/shell/profile.ts'
import { useRecords } from '#features/shell/records.ts'
import { switching } from '#features/shell/switch.ts'
import { useWide } from '#features/shell/use-wide.ts'
import { preferences } from '#state/preferences.ts'
import { auth } from '#state/session.ts'
import { hm } from '#text/time.ts'
import { FailState } from '#ui/FailState.tsx'
import { cx } from '#ui/open.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { StaleNote } from '#ui/StaleNote.tsx'
import { Checklist } from './Checklist.tsx'
import { dayOf, greeting, marketLine } from './day.ts'
import { Latest } from './Latest.tsx'
import { Lead } from './Lead.tsx'
import { Mine } from './Mine.tsx'
import { Todos } from './Todos.tsx'
import { todoLines } from './todo.ts'
import { useNow } from './use-now.ts'
import { useOnlyMember, Whereabouts } from './Whereabouts.tsx'
import './dashboard.css'

export function DashboardPage() {
  const ctx = useCtx()
  const now = useNow()
  const { data: board, error, isFetching, refetch, dataUpdatedAt } = useQuery(dashboardQueries.mine(ctx))
  const { items } = useRecords()
  const { shown_name } = useProfile()
  const { privacy } = useSnapshot(preferences)
  const { drawn } = useSnapshot(switching)
  const wide = useWide()
  const only_member = useOnlyMember(board, useSnapshot(auth).org_id)
  const trading_date = board?.today.trading_date ?? null
  // small, kept for days, and only a line of words waits for it
  const calendar = useQuery({ ...marketQueries.calendar(), enabled: drawn })
  const day = useMemo(() => dayOf(items, trading_date ?? ''), [items, trading_date])

  if (!board && !error)
    return (
      <div className="page dash">
        <Skeleton type="dashboard" />
      </div>
    )
  const { date, state, left, short } = marketLine(now, trading_date, calendar.data?.closed_days ?? null)
  // while the first steps stand on the page, verifying the address is one of them
  const lines = board ? todoLines(board.todos.filter(({ kind }) => kind !== 'verify_email')) : []
  return (
    <div className="page dash">
      <div className="hi">
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
          <Connection short />
        )}
      </div>
      {board ? (
        <>
          {error && <StaleNote offline={false} time={hm(dataUpdatedAt)} />}
          {only_member ? <Whereabouts /> : <Checklist board={board} />}
          <Lead
            board={board}
            day={day}
            masked={privacy}
            wide={wide}
            market={left ? `${state}，距收盤 ${short}` : state}
          />
          {!wide && <Todos lines={lines} phone />}
          {drawn && (
            <div className={cx('dash-two', (lines.length > 0 || board.strategies.length > 0) && 'grid2')}>
              <Latest kept={board.latest} strategies={board.strategies} now={now} masked={privacy} />
              <div className="stack">
                {wide && <Todos lines={lines} />}
                {board.strategies.length > 0 && <Mine strategies={board.strategies} masked={privacy} />}
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
            <div className="dash-two">
              <Latest kept={[]} strategies={[]} now={now} masked={privacy} />
            </div>
          )}
        </>
      )}
    </div>
  )
}
