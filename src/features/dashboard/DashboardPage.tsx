/* /dashboard: the day at a glance, and under it the feed: what was made, who holds what, what waits, and every signal for as long as one scrolls. */

import { useQuery } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { useSnapshot } from 'valtio'
import type { Dashboard } from '#contract/dashboard.ts'
import type { Strategy } from '#contract/strategy.ts'
import { getData } from '#data/current.ts'
import { boardOnDevice, dashboardQueries, openCount, strategyStandingQuery } from '#data/nouns/board.ts'
import { marketQueries } from '#data/nouns/market.ts'
import { useNow, useWide } from '#screen/browser.ts'
import { Connection, SILENT } from '#screen/Connection.tsx'
import { useCtx, useRecords, useTables } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { manualHref, useManual } from '#screen/keys.ts'
import { OrganizationsCard } from '#screen/OrganizationsCard.tsx'
import { Pull } from '#screen/Pull.tsx'
import { useMay, useProfile } from '#screen/profile.ts'
import { switchIdentity, switching } from '#screen/switch.ts'
import { Bell } from '#screen/Top.tsx'
import { useWithPending } from '#screen/use-with-pending.ts'
import { connection } from '#state/app.ts'
import { preferences } from '#state/preferences.ts'
import { auth } from '#state/session.ts'
import { taipei, when } from '#text/time.ts'
import type { StrategyKind } from '#trading/record.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState, FailState, StaleNote } from '#ui/EmptyState.tsx'
import { StateWord } from '#ui/nouns/Delta.tsx'
import { cx, opens } from '#ui/open.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { StepMark } from '#ui/Tag.tsx'
import css from './DashboardPage.module.css'
import { greeting, marketLine } from './day.ts'
import { Lead } from './Lead.tsx'
import { Announced, Mine, OrganizationToday, Todos } from './Side.tsx'
import { todoLines } from './todo.ts'

/** The feed itself, which is the list of /signals: `known` strategies whose names need not be asked for, `latest` stands there until the device has records, `money` false leaves the P&L out. */
export type FeedProps = {
  known: readonly Strategy[]
  latest: readonly Dashboard['latest'][number][]
  money: boolean
  head: (news: number) => ReactNode
  empty: ReactNode
}

const NONE: readonly never[] = []

export function DashboardPage({ Feed }: { Feed: ComponentType<FeedProps> }) {
  const now = useNow()
  const { drawn } = useSnapshot(switching)
  const asked = useBoard(now, drawn)
  const { board, day, held, answered_at, error, refetch } = asked
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
  const heads = drawn && board ? board.announcements : []
  const announced = <Announced heads={heads} at={answered_at} now={now} phone={!wide} />
  const feed = (
    <Feed
      known={board?.strategies ?? NONE}
      latest={board?.latest ?? NONE}
      money={!board || money}
      head={(news) => <FeedHead news={news} sends={(board?.strategies.length ?? 0) > 0} />}
      empty={
        <EmptyState card title="還沒有訊號">
          策略送來的每一筆，會在一秒內出現在這裡。
        </EmptyState>
      }
    />
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
          {(bare || !wide) && (
            <>
              <Todos lines={lines} phone={!wide} />
              {announced}
              {!bare && !wide && board.organization && (
                <OrganizationToday counts={board.organization} phone />
              )}
            </>
          )}
          {drawn && !bare && (
            <div className={cx(css.two, wide && 'grid2')}>
              <div>{feed}</div>
              {wide && (
                <Side>
                  <Todos lines={lines} />
                  {announced}
                  {board.organization && <OrganizationToday counts={board.organization} />}
                  <Mine strategies={board.strategies} masked={privacy} money={money} />
                </Side>
              )}
            </div>
          )}
        </>
      ) : (
        <>
          <FailState card title="讀不到首頁" busy={asked.busy} onRetry={() => void refetch()}>
            {failureSentence(error)}
            {items.length > 0 && '已存下的訊號還在下面。'}
          </FailState>
          {items.length > 0 && <div className={css.two}>{feed}</div>}
        </>
      )}
    </div>
  )
}

/** What the feed is called, how much of it is new, and the ways from it. */
function FeedHead({ news, sends }: { news: number; sends: boolean }) {
  const { open } = useGo()
  const manual = useManual()
  const may_send = useMay('strategy:edit')
  const { state } = useSnapshot(connection)
  return (
    <div className={css.feedHead}>
      <h2>最新訊號</h2>
      {news > 0 ? (
        <span className={cx(css.news, 't13 num')} role="status">
          {news > 99 ? '99+' : news} 筆新訊號
        </span>
      ) : (
        state === 'online' && !getData().viewed && <StateWord text="即時" icon="check" />
      )}
      <span className={css.ways}>
        {may_send && sends && (
          <a className="link t13" href={manualHref()} onClick={opens(() => manual.open())}>
            手動訊號
          </a>
        )}
        <a className="link t13" href="/signals" onClick={opens(() => open('/signals'))}>
          全部訊號
        </a>
      </span>
    </div>
  )
}

/** Under the shell's bar. */
const SIDE_TOP_PX = 92
const SIDE_AIR_PX = 20

/** Beside a feed without an end: where it is longer than the window it scrolls until its own end is in sight, and stays there. */
function Side({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const node = box.current
    if (!node) return
    const place = () => {
      node.style.top = `${Math.min(SIDE_TOP_PX, innerHeight - node.offsetHeight - SIDE_AIR_PX)}px`
    }
    const looks = new ResizeObserver(place)
    looks.observe(node)
    addEventListener('resize', place)
    return () => {
      looks.disconnect()
      removeEventListener('resize', place)
    }
  }, [])
  return (
    <aside ref={box} className={cx('stack', css.side)} aria-label="待辦、公告與策略">
      {children}
    </aside>
  )
}

// The first screen's figures: the server's answer, with everything the device's own records know better.

const NO_DAYS: readonly string[] = []
const NO_STRATEGIES: readonly Strategy[] = []
/** So long a newer answer may be on its way; behind for longer, it is asked for. */
const BEHIND_MS = 2_000

/** `drawn` the page stands: until then nothing more is asked. */
export function useBoard(now: string, drawn: boolean) {
  const ctx = useCtx()
  const asked = useQuery(dashboardQueries.mine(ctx))
  const { data: answer, dataUpdatedAt, error, refetch } = asked
  const calendar = useQuery({ ...marketQueries.calendar(), enabled: drawn })
  const held = useRecords()
  const { state } = useSnapshot(connection)
  const closed_days = calendar.data?.closed_days ?? NO_DAYS
  const standing = strategyStandingQuery(ctx, answer?.strategies ?? NO_STRATEGIES, closed_days, useTables())
  const alone = error !== null || state !== 'online'
  const { data: brought } = useQuery({ ...standing, enabled: alone && standing.enabled === true })
  // a record that came by catching up brought no event that asks again
  const behind = standing.enabled === true && !alone ? JSON.stringify(standing.queryKey) : null
  useEffect(() => {
    if (behind === null) return
    const timer = setTimeout(() => void refetch(), BEHIND_MS)
    return () => clearTimeout(timer)
  }, [behind, refetch])
  const known = useMemo(
    () => answer && boardOnDevice(answer, held, new Set(closed_days), now),
    [answer, held, closed_days, now],
  )
  const board = useMemo(() => {
    if (!known || !brought || !alone) return known?.board
    const strategies = known.board.strategies.map((strategy) => brought.get(strategy.id) ?? strategy)
    return { ...known.board, strategies, open_strategy_count: openCount(known.board, strategies) }
  }, [known, brought, alone])
  const strategies = useWithPending(board?.strategies ?? NO_STRATEGIES)
  const laid = useMemo(
    () =>
      board && strategies !== board.strategies
        ? { ...board, strategies: [...strategies], open_strategy_count: openCount(board, strategies) }
        : board,
    [board, strategies],
  )
  return {
    ...{ board: laid, day: known?.day, held, answered_at: dataUpdatedAt, error, refetch },
    /** Asked only where it is said: whoever asks is drawn anew twice with every signal. */
    get busy() {
      return asked.isFetching
    },
  }
}

/* The home of somebody who owns no strategy: where the strategies are, one press away, and what is missing when there are none. */

/** True when this person has organizations and nothing of the own: first steps of an author would teach the wrong thing. */
export function useOnlyMember(board: Dashboard | undefined, org_id: string | null): boolean {
  const { profile } = useProfile()
  return org_id === null && board?.strategies.length === 0 && (profile?.organizations.length ?? 0) > 0
}

export function Whereabouts() {
  const { go } = useGo()
  return (
    <div className={css.places}>
      <OrganizationsCard title="你的策略在組織裡" onEnter={switchIdentity} />
      <Card title="自己的策略" pad>
        <p className="ink2">這裡是你的個人身份，還沒有自己的策略。要記錄自己的訊號，從建立一個策略開始。</p>
        <Button size="s" className={css.placeVerb} {...go('/strategies/create')}>
          建立自己的策略
        </Button>
      </Card>
    </div>
  )
}

/** In an organization whose strategies this person is not shown yet: what is missing, and whose turn it is. */
export function NothingShared() {
  const { go } = useGo()
  return (
    <Card title="還沒有分享給你的策略" className={css.nothingShared} pad>
      <p className="ink2">管理者把你和策略放進同一個群組後，訊號會出現在這裡。</p>
      <a className="link" {...go('/organizations/info')}>
        看組織詳情
      </a>
    </Card>
  )
}

/* The first steps of somebody new: what is done, and the next one as the page's main action. */

type Step = {
  key: 'email' | 'strategy' | 'webhook' | 'channel' | 'first_signal'
  title: string
  note: string
  verb: string
  href: string
}

type Source = { title: string; note: string; fires: string }

const TRADINGVIEW: Source = {
  title: '接上 TradingView',
  note: '把網址和訊息貼到快訊',
  fires: '觸發一次快訊，看它出現',
}
const SOURCES: Record<StrategyKind, Source> = {
  futures: TRADINGVIEW,
  stock: TRADINGVIEW,
  'xq-stock': {
    title: '接上 XQ',
    note: '把網址填進橋接程式，把腳本貼到 XQ',
    fires: '讓腳本觸發一次，看它出現',
  },
}

/** The steps in order. `strategy` the newest one: where connecting goes on, and from what. */
function steps(strategy: Strategy | undefined): Step[] {
  const connect = strategy
    ? `/strategies/create/${strategy.kind}?connect=${strategy.id}`
    : '/strategies/create'
  const source = strategy ? SOURCES[strategy.kind] : TRADINGVIEW
  return [
    {
      key: 'email',
      title: '驗證電子郵件',
      note: '信裡有六位數的驗證碼',
      verb: '前往驗證',
      href: '/profile?returnTo=/strategies/create&verify=1',
    },
    {
      key: 'strategy',
      title: '建立策略',
      note: '取名字、選商品、填初始資金',
      verb: '建立策略',
      href: '/strategies/create',
    },
    {
      key: 'webhook',
      title: source.title,
      note: source.note,
      verb: '看網址',
      href: connect,
    },
    {
      key: 'channel',
      title: '打開通知',
      note: '鎖著螢幕也收得到',
      verb: '打開通知',
      href: '/signal-notification?tab=setting&channel=push',
    },
    {
      key: 'first_signal',
      title: '收到第一筆訊號',
      note: source.fires,
      verb: '去等訊號',
      href: connect,
    },
  ]
}

/** Nothing once signals come: who does without notifications then is not asked for them for ever. */
export function Checklist({ board }: { board: Dashboard }) {
  const { go } = useGo()
  const all = steps(board.strategies[0])
  const done = all.filter(({ key }) => board.checklist[key]).length
  const next = all.find(({ key }) => !board.checklist[key])
  if (!next || all.every(({ key }) => key === 'channel' || board.checklist[key])) return null
  return (
    <Card
      title="開始使用"
      remark={
        <span className="ink3 num t13">
          {done}／{all.length}
        </span>
      }
      className={css.steps}
    >
      <ol>
        {all.map((step, at) => {
          const ready = board.checklist[step.key]
          return (
            <li
              key={step.key}
              className={cx(step === next && css.next)}
              aria-current={step === next ? 'step' : undefined}
            >
              <StepMark number={at + 1} state={ready ? 'done' : step === next ? 'next' : 'open'} />
              <span className={cx(css.stepWords, 'sp')}>
                <b>{step.title}</b>
                {!ready && <small>{step.note}</small>}
              </span>
              {step === next && (
                <Button size="s" kind="filled" className={css.stepVerb} {...go(step.href)}>
                  {step.verb}
                </Button>
              )}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}
