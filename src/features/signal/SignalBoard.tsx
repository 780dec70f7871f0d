/* Filters, list and opened record together, with every state that is not a list: waiting, empty, nothing found, failed. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import {
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { RECORDS_ON_DEVICE } from '#contract/limits.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { Strategy } from '#contract/strategy.ts'
import { newestOf } from '#data/device/signals.ts'
import { notificationQueries, unreadSignals } from '#data/nouns/notification.ts'
import { strategyNames, strategyQueries } from '#data/nouns/strategy.ts'
import { useDrawn } from '#screen/after-paint.ts'
import { useCtx, useData, useRecords } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { taken } from '#screen/keys.ts'
import { useOutbox, useUnsentSignals } from '#screen/outbox.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { useMay } from '#screen/profile.ts'
import { number } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState, FailState } from '#ui/EmptyState.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { cx } from '#ui/open.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { FilterBar } from './FilterBar.tsx'
import css from './SignalBoard.module.css'
import type { SignalDrawerProps } from './SignalDrawer.tsx'
import { letter, type Reach, type Reading, SignalWindow } from './SignalWindow.tsx'
import {
  filterKey,
  matcher,
  NO_FILTERS,
  parseSignalSearch,
  type SearchPatch,
  type SignalSearch,
  tidy,
} from './search.ts'

const CorrectDialog = lazy(() =>
  import('./record/CorrectDialog.tsx').then(({ CorrectDialog }) => ({ default: CorrectDialog })),
)

/**
 * `feed` on the first page: its head over the list, the `latest` records until the list is here, the two filters and 「篩選」 kept on the page, no search and no address but the
 * opened record's. `strategy_id` only one strategy's; `names` of all strategies, null when rows leave the strategy out; `webhooks` by id, when one may choose among them; `empty` what to say and do when nothing came yet.
 */
export type SignalBoardProps = {
  feed?: { money: boolean; head: (news: number) => ReactNode; latest: readonly SignalRecord[] }
  strategy_id?: string
  names: ReadonlyMap<string, string> | null
  webhooks?: ReadonlyMap<string, string> | undefined
  empty: ReactNode
  Drawer: ComponentType<SignalDrawerProps>
}

const WaitingSignals = lazy(() =>
  import('#screen/WaitingSignals.tsx').then(({ WaitingSignals }) => ({ default: WaitingSignals })),
)

const NO_NAMES: ReadonlyMap<string, string> = new Map()

export function SignalBoard({ feed, strategy_id, names, webhooks, empty, Drawer }: SignalBoardProps) {
  const data = useData()
  const ctx = useCtx()
  const { items: stored, complete, state, error, total_known } = useRecords(strategy_id)
  // a fresh device: the newest that the page's first answer brought, until its own list is here
  const latest = useMemo(() => {
    const first = newestOf(ctx)
    return strategy_id === undefined ? first : first.filter((one) => one.strategy_id === strategy_id)
  }, [ctx, strategy_id])
  const items = stored.length === 0 && state === 'loading' ? (feed?.latest ?? latest) : stored
  const address = useAddress()
  const { open, move, close, hrefOf } = address
  const [own, setOwn] = useState<SignalSearch>({})
  const filterHere = useCallback((patch: SearchPatch) => setOwn((old) => tidy({ ...old, ...patch })), [])
  const filter = feed ? filterHere : address.filter
  const search = feed
    ? { ...own, ...(address.search.signal && { signal: address.search.signal }) }
    : address.search
  const { on: masked } = usePrivacy()
  const [trying, setTrying] = useState(false)
  const waits = useUnsentSignals(ctx, strategy_id)
  const may_edit = useMay('strategy:edit')
  const drawn = useDrawn()
  const [led] = useState(search.signal !== undefined)
  const [fixing, setFixing] = useState<string | null>(null)
  const unpriced = fixing === null ? undefined : data.signals.get(fixing)
  const filters = filterKey(search)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `filters` is the part of `search` that matters; the opened record is not
  const match = useMemo(() => matcher(search, names ?? NO_NAMES), [filters, names])
  const found = useMemo(() => (match ? items.some(match) : items.length > 0), [items, match])

  const reading = useReading(items)
  const reach = useRef<Reach | null>(null)
  /** The record that keys led to: when it closes, its row has the focus, not the first one's. */
  const moved = useRef<string | null>(null)
  useSteps(
    search.signal,
    () => (match ? items.filter(match) : items).map(({ id }) => id),
    (id) => {
      moved.current = id
      move(id)
    },
  )
  useEffect(() => {
    if (search.signal !== undefined || moved.current === null) return
    reach.current?.(moved.current)
    moved.current = null
  }, [search.signal])

  const retry = () => {
    setTrying(true)
    void data.refresh().finally(() => setTrying(false))
  }
  // one strategy's records may still be on their way from the device's store into memory
  const looking = state === 'loading' || data.signals.getSnapshot().items.length < total_known
  const list = (
    <>
      <FilterBar
        search={search}
        onChange={filter}
        strategies={names}
        {...(webhooks && { webhooks })}
        find={!feed}
        aside={strategy_id !== undefined && <VerifyKey strategy_id={strategy_id} onOpen={open} />}
      />
      {found ? (
        <SignalWindow
          key={ctx}
          all={items}
          match={match}
          filters={filters}
          loaded={state === 'ready'}
          names={names}
          masked={masked}
          hrefOf={hrefOf}
          onOpen={open}
          onFix={may_edit ? setFixing : undefined}
          reach={reach}
          reading={reading}
          money={feed?.money ?? true}
        />
      ) : (
        <EmptyState
          title="沒有符合條件的訊號"
          action={<Button onClick={() => filter(NO_FILTERS)}>清除條件</Button>}
        >
          {complete ? '換個條件試試。' : '較早的訊號還在讀取，稍候會自動出現。'}
        </EmptyState>
      )}
      {found && total_known >= RECORDS_ON_DEVICE && (
        <p className={cx(css.more, 't13 ink3')}>這支裝置保留最新的 {number(RECORDS_ON_DEVICE)} 筆訊號。</p>
      )}
      {unpriced && (
        <Suspense fallback={null}>
          <CorrectDialog record={unpriced} onClose={() => setFixing(null)} />
        </Suspense>
      )}
    </>
  )
  return (
    <>
      {feed?.head(reading.news)}
      {waits && (
        <Suspense fallback={null}>
          <WaitingSignals {...(strategy_id !== undefined && { strategy_id })} names={names} />
        </Suspense>
      )}
      {items.length > 0 ? (
        // whoever comes for a record sees it first, and the list a frame later
        (drawn || !led) && list
      ) : error && state !== 'ready' ? (
        <FailState title="讀不到訊號" onRetry={retry} busy={trying} card>
          這支裝置還沒有存下訊號。{failureSentence(error)}
        </FailState>
      ) : looking ? (
        <Skeleton type="list" label="訊號載入中" />
      ) : (
        empty
      )}
      {/* the same one when the first records come: opened from a link, it slides in once */}
      {search.signal && (
        <Suspense fallback={null}>
          <Drawer id={search.signal} names={names} onClose={close} onOpen={open} />
        </Suspense>
      )}
    </>
  )
}

/* Names of the strategies whose signals one may see, by id; archived ones too, their records stay on the list. */

const PAGE = 100

/** So many strategies the first page brings along at most: with fewer, they are all. */
const FIRST = 6

/** `known` those whose names are here already: the others are only asked for where there are more, or where one of `ids` has none. `names` empty until the first answer or the stored copy is there. Those with the newest signals come first, of many the others after them. `none` it is known that there is none, also no archived one. */
export function useStrategyNames(
  known?: readonly Pick<Strategy, 'id' | 'name'>[],
  ids: readonly string[] = [],
): { names: ReadonlyMap<string, string>; none: boolean } {
  const ctx = useCtx()
  const without = (...held: readonly (readonly { id: string }[] | undefined)[]) =>
    ids.some((id) => !held.some((some) => some?.some((one) => one.id === id)))
  const list = useQuery({
    ...strategyQueries.list(ctx, { page_size: PAGE }),
    enabled: !known || known.length >= FIRST || without(known),
  })
  const current = list.data
  const archived = useQuery({
    ...strategyQueries.list(ctx, { page_size: PAGE, status: 'archived' }),
    enabled: !known || (!list.isLoading && without(known, current?.items)),
  }).data
  const more = Math.max(current?.total ?? 0, archived?.total ?? 0) > PAGE
  const others = useQuery({ ...strategyNames(ctx), enabled: more }).data
  const names = useMemo(
    () =>
      new Map([
        ...(others ?? []),
        ...[...(archived?.items ?? []), ...(current?.items ?? []), ...(known ?? [])].map(
          ({ id, name }) => [id, name] as const,
        ),
      ]),
    [current, archived, others, known],
  )
  return { names, none: current?.total === 0 && archived?.total === 0 }
}

/* The list's state in the address: filters replace the entry, opening a record adds one so that Back closes it. */

/** What the address says and how to change it. `hrefOf` is the record's own address on this page. */
export function useAddress() {
  const raw: Record<string, unknown> = useSearch({ strict: false })
  const { pathname } = useLocation()
  const router = useRouter()
  const navigate = useNavigate()
  const search = useMemo(() => parseSignalSearch(raw), [raw])
  /** Whether this page put the open record into the history: only then may closing go back. */
  const pushed = useRef(false)

  const go = useCallback(
    (patch: SearchPatch, replace: boolean) =>
      navigate({
        to: pathname,
        search: (old: Record<string, unknown>) => tidy({ ...old, ...patch } as SearchPatch),
        replace,
        resetScroll: false,
      } as Parameters<typeof navigate>[0]),
    [navigate, pathname],
  )
  const open = useCallback(
    (signal: string) => {
      pushed.current = true
      void go({ signal }, false)
    },
    [go],
  )
  /** From one opened record to another, in its place: Back still closes. */
  const move = useCallback((signal: string) => void go({ signal }, true), [go])
  const close = useCallback(() => {
    if (pushed.current) router.history.back()
    else void go({ signal: undefined }, true)
    pushed.current = false
  }, [go, router])
  const filters = useMemo(() => new URLSearchParams(keep(raw)).toString(), [raw])
  // of the filters alone: it stays the same while a record opens and closes, and so do the rows that hold it
  const hrefOf = useCallback(
    (signal: string) => `${pathname}?${filters && `${filters}&`}signal=${encodeURIComponent(signal)}`,
    [pathname, filters],
  )
  const filter = useCallback((patch: SearchPatch) => void go(patch, true), [go])
  return { search, open, move, close, hrefOf, filter }
}

/** What the address says beside the open record. */
function keep(raw: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(raw)
      .filter(([name, value]) => name !== 'signal' && value !== undefined && value !== null && value !== '')
      .map(([key, value]) => [key, String(value)]),
  )
}

// The opened record's way to its neighbours in the list: j and k, and the arrows.

const ARROWS: Record<string, 1 | -1> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

/** `ids` as listed, newest first; nothing happens at their ends, nor for a record that is not among them. */
export function useSteps(id: string | undefined, ids: () => readonly string[], onMove: (id: string) => void) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const by = letter(event) ?? arrow(event)
    if (id === undefined || !by || taken(event, 1)) return
    event.preventDefault()
    const listed = ids()
    const at = listed.indexOf(id)
    const next = at < 0 ? undefined : listed[at + by]
    if (next !== undefined) onMove(next)
  })
  useLayoutEffect(() => {
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/** Up and down belong to the text while the focus is within it: they scroll. */
function arrow({ key, target, shiftKey }: KeyboardEvent): 1 | -1 | undefined {
  const inside = target instanceof Element && target.closest('[data-sheet-part]')
  return shiftKey || inside ? undefined : ARROWS[key]
}

// What of a list of signals was read: which rows are unread, where one left off, and what stands in view for a second.

/** Who comes back after so long comes anew: what was read before is above the line no more. */
const AWAY_MS = 5 * 60_000
/** What came while nobody was here is here by then: records and what was told of them come apart. */
const SETTLES_MS = 3_000
/** Pages of what was told that are asked for, to find where somebody left off. */
const MOST_PAGES = 5

const NOTHING: ReadonlyMap<string, boolean> = new Map()

/** `records` newest first, all of them. Nothing of it while one looks at the application as somebody else. */
export function useReading(records: readonly SignalRecord[]): Reading {
  const { viewed } = useData()
  const outbox = useOutbox()
  // not whether it is being asked: the list would be drawn anew twice with every signal
  const { data, dataUpdatedAt, error, hasNextPage, fetchNextPage } = useInfiniteQuery({
    ...notificationQueries.signals(),
    enabled: !viewed,
  })
  const told = useMemo(
    () => (data && !viewed ? unreadSignals(data, outbox, dataUpdatedAt) : NOTHING),
    [data, outbox, dataUpdatedAt, viewed],
  )
  const last = useMemo(() => records.find(({ id }) => told.get(id) === false)?.id ?? null, [records, told])
  const more = last === null && told.size > 0 && hasNextPage && (data?.pages.length ?? 0) < MOST_PAGES
  // while it is being asked for anew nothing more is: the answer looks here again
  // biome-ignore lint/correctness/useExhaustiveDependencies: every answer looks whether more is wanted
  useEffect(() => {
    if (more && !error) void fetchNextPage({ cancelRefetch: false })
  }, [more, error, dataUpdatedAt, fetchNextPage])

  const [visit, setVisit] = useState(0)
  useEffect(() => {
    let since = 0
    const change = () => {
      if (document.visibilityState === 'hidden') since = performance.now()
      else if (since > 0 && performance.now() - since > AWAY_MS) setVisit((n) => n + 1)
    }
    document.addEventListener('visibilitychange', change)
    return () => document.removeEventListener('visibilitychange', change)
  }, [])
  // where one left off is what it was when one came: looking at what is new, which is told five seconds later, does not move it
  const frozen = useRef<{ visit: number; last: string | null; top: boolean; until: number } | null>(null)
  const here = frozen.current?.visit === visit ? frozen.current : null
  const now = performance.now()
  if (here === null || now < here.until) {
    const known = told.size > 0 && records.length > 0 && !more
    const until =
      here && here.until < Number.POSITIVE_INFINITY
        ? here.until
        : known
          ? now + SETTLES_MS
          : Number.POSITIVE_INFINITY
    frozen.current = { visit, last, top: records[0]?.id === last, until }
  }
  const { last: from, top } = frozen.current ?? { last: null, top: true }
  const since = useMemo(() => {
    const ids = new Set<string>()
    for (const { id } of records) {
      if (id === from) break
      if (told.get(id)) ids.add(id)
    }
    return ids
  }, [records, told, from])
  // what comes while one watches the top is no place where one left off, unless it is missed
  const left = top && since.size === 0 ? null : from
  return useMemo(() => ({ unread: (id) => since.has(id), left, news: since.size }), [since, left])
}

/* The feed of the first page: the list of /signals, without its search and its address. */

// the first page stands before a record is opened on it
const SignalDrawer = lazy(() => import('./SignalDrawer.tsx').then((it) => ({ default: it.SignalDrawer })))

/** Strategies of the newest ones have their names at once; what is further down is asked for with the list of strategies. */
const NEWEST = 50

export function SignalFeed({
  known,
  latest,
  money,
  head,
  empty,
}: {
  known: readonly Strategy[]
  latest: readonly SignalRecord[]
  money: boolean
  head: (news: number) => ReactNode
  empty: ReactNode
}) {
  const { items } = useRecords()
  const listed = items.length > 0 ? items : latest
  const ids = useMemo(
    () => [...new Set(listed.slice(0, NEWEST).map(({ strategy_id }) => strategy_id))],
    [listed],
  )
  const { names } = useStrategyNames(known, ids)
  return <SignalBoard feed={{ money, head, latest }} names={names} empty={empty} Drawer={SignalDrawer} />
}

/* The key that opens the check of one strategy's record: a word on wide screens, a sign on phones. */

const VerifySheet = lazy(() =>
  import('./verify/VerifySheet.tsx').then(({ VerifySheet }) => ({ default: VerifySheet })),
)

export type VerifyKeyProps = { strategy_id: string; onOpen: (id: string) => void }

export function VerifyKey({ strategy_id, onOpen }: VerifyKeyProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <span className="desk">
        <Button size="s" icon="verified" onClick={() => setOpen(true)}>
          驗證與匯出
        </Button>
      </span>
      <span className="mob">
        <IconButton icon="verified" large label="驗證與匯出" onClick={() => setOpen(true)} />
      </span>
      {open && (
        <Suspense fallback={null}>
          <VerifySheet
            strategy_id={strategy_id}
            onClose={() => setOpen(false)}
            onOpen={(id) => {
              setOpen(false)
              onOpen(id)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
