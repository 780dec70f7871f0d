// A list longer than one page: of the server's pages those in sight, each asked for when the list comes near it.
import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type FocusEvent,
  type RefObject,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import { useSnapshot } from 'valtio'
import { STATUSES } from '#contract/kinds/setting.ts'
import type { Strategy } from '#contract/strategy.ts'
import { LISTED, type StrategyFilters, strategyQueries, strategyWithPending } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { prefs } from '#screen/device.ts'
import { useOutbox } from '#screen/outbox.ts'
import { useAlone, useBrought, useWithPending } from '#screen/use-with-pending.ts'
import { preferences } from '#state/preferences.ts'
import { assetOf } from '#trading/kinds.ts'
import { ASSETS, type Asset } from '#trading/record.ts'
import { arrange, type Filters, SORTS, type StrategiesLine, tagsOf } from './arrange.ts'

export const PAGE = LISTED.page_size
/** So many lines before a page comes into sight it is asked for. */
const AHEAD = 30

/** `held` is the page of what must stay, wherever it is. */
const AT_FIRST: { first: number; last: number; held: number | null } = { first: 1, last: 1, held: null }

interface Page {
  /** Place of its first one in the whole list. */
  from: number
  items: readonly Strategy[]
  at: number
}

/** `question` what is listed, in the server's order; nothing is asked while `on` is false. */
export function usePages(question: StrategyFilters, on: boolean) {
  const ctx = useCtx()
  const asked = JSON.stringify([ctx, question])
  const [sight, setSight] = useState({ asked, ...AT_FIRST })
  const { first, last, held } = sight.asked === asked ? sight : AT_FIRST
  const numbers = on ? Array.from({ length: last - first + 1 }, (_, at) => first + at) : []
  if (on && held !== null && !numbers.includes(held)) numbers.push(held)
  const found = useQueries({
    queries: numbers.map((page) => {
      const { placeholderData: _another, ...query } = strategyQueries.list(ctx, {
        ...question,
        page,
        page_size: PAGE,
      })
      return query
    }),
  })
  const [lead] = found
  const pages = found.flatMap(({ data, dataUpdatedAt }, at): Page | [] =>
    data ? { from: ((numbers[at] ?? 1) - 1) * PAGE, items: data.items, at: dataUpdatedAt } : [],
  )
  return {
    pages,
    /** The groups of the whole list, where it is asked for under them. */
    sections: found.find(({ data }) => data)?.data?.sections ?? null,
    /** Known once one of them has answered. */
    total: found.find(({ data }) => data)?.data?.total ?? null,
    error: found.find(({ error }) => error)?.error ?? null,
    busy: found.some(({ isFetching }) => isFetching),
    as_of: lead?.dataUpdatedAt ?? 0,
    retry: () => {
      for (const { refetch } of found) void refetch()
    },
    /** These places are in sight; `kept` is shown, too. */
    reach(from: number, to: number, kept: number | null) {
      const next = {
        asked,
        first: Math.max(1, Math.floor((from - AHEAD) / PAGE) + 1),
        last: Math.floor((to + AHEAD) / PAGE) + 1,
        held: kept === null ? null : Math.floor(kept / PAGE) + 1,
      }
      if (next.first !== first || next.last !== last || next.held !== held) setSight(next)
    },
  }
}

// The list and its filters: the filters stand in the address and are remembered, the answer is one page or, beyond 100, pages of the server.

const one = <T extends string>(value: unknown, allowed: readonly T[]): T | undefined =>
  allowed.find((item) => item === value)

/** The filters of the address, completed by what was chosen last time. */
export function useFilters() {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const { type, sort } = useSnapshot(preferences).strategy_list
  const [direction, setDirection] = useState<Filters['direction']>('')
  const textOf = (key: string) => (typeof search[key] === 'string' ? search[key] : '')
  const filters: Filters = {
    kind: one<Asset>(search['kind'], ASSETS) ?? type,
    status: one(search['status'], STATUSES) ?? '',
    tag: textOf('tag'),
    direction,
    search: textOf('search'),
    sort: one(search['sort'], SORTS) ?? one(sort, SORTS) ?? 'last_signal',
  }
  const change = (changes: Partial<Filters>) => {
    if (changes.direction !== undefined) setDirection(changes.direction)
    if (changes.kind) prefs.set_strategy_list({ type: changes.kind })
    if (changes.sort) prefs.set_strategy_list({ sort: changes.sort })
    const { direction: _local, ...rest } = changes
    const next = { ...search, ...rest }
    const kept = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== ''))
    // typing must not fill the history: Back leaves the page
    void navigate({ to: '/strategies', search: kept, replace: true })
  }
  return { filters, change }
}

/** `all` is everything on the device when it fits one page: counts and tags come from it. Beyond, the server filters and sorts, and only what is in sight is here. */
export function useList(filters: Filters) {
  const ctx = useCtx()
  const typed = useDeferredValue(filters.search)
  const archived = filters.status === 'archived'
  const first = useQuery(
    strategyQueries.list(ctx, { ...LISTED, ...(archived ? { status: 'archived' } : {}) }),
  )
  const long = first.data !== undefined && first.data.total > PAGE
  const { status, tag, direction } = filters
  const rest = usePages(
    {
      kind: filters.kind,
      sort: filters.sort,
      ...(status ? { status } : {}),
      ...(tag ? { tag } : {}),
      ...(direction ? { direction } : {}),
      ...(typed.trim() ? { search: typed.trim() } : {}),
      // a member's stand under their groups
      ...(first.data?.items.some(({ access }) => access !== null) && { grouped: 'true' }),
    },
    long,
  )
  const all = first.data?.items
  const local = useMemo(() => arrange(all ?? [], { ...filters, search: typed }), [all, filters, typed])
  const loaded = long ? rest.pages.flatMap(({ items }) => items) : local
  const error = long ? rest.error : first.error
  const as_of = long ? rest.as_of : first.dataUpdatedAt
  const outbox = useOutbox()
  const brought = useBrought(loaded, useAlone(error))
  const laid = useMemo(
    () => loaded.map((one) => strategyWithPending(brought?.get(one.id) ?? one, outbox, as_of)),
    [loaded, brought, outbox, as_of],
  )
  const items = useWithPending(laid)
  const places = long ? rest.pages.flatMap((page) => page.items.map((_, at) => page.from + at)) : null
  const placed = places && new Map(places.map((place, at) => [place, items[at]]))
  return {
    items,
    /** Whatever the filters: those a manual signal can be for. */
    all: all ?? items,
    /** How to show a list of which only a part is here; null where all of it is. */
    long: placed && {
      total: rest.total ?? 0,
      sections: rest.sections,
      at: (place: number) => placed.get(place),
      reach: rest.reach,
    },
    none: first.data?.total === 0 && !archived,
    tags: useMemo(() => tagsOf(all ?? []), [all]),
    counts: long || archived || !all ? null : countsOf(all),
    ready: long ? rest.total !== null : first.data !== undefined,
    error,
    busy: long ? rest.busy : first.isFetching,
    as_of,
    retry: long ? rest.retry : () => void first.refetch(),
  }
}

function countsOf(all: readonly Strategy[]): Record<Asset, number> {
  const counts = { futures: 0, stock: 0 }
  for (const strategy of all) counts[assetOf(strategy)] += 1
  return counts
}

// The lines of a long list that are in sight, and the one that has the focus wherever it is; the page itself scrolls.

export interface Long {
  /** Of a line as long as it has not been measured, and of the head of a group. */
  height: number
  head: number
  gap: number
  overscan: number
}

/** `box` takes `focus`: what is scrolled out of sight with the focus in it stays, else the focus would fall back to the page. */
export function useLong(
  box: RefObject<HTMLElement | null>,
  lines: readonly StrategiesLine[],
  { height, head, gap, overscan }: Long,
  reach: (from: number, to: number, held: number | null) => void,
) {
  const [top, setTop] = useState(0)
  const [held, setHeld] = useState<number | null>(null)
  useLayoutEffect(() => {
    const node = box.current
    if (!node) return
    const measure = () => setTop(Math.round(node.getBoundingClientRect().top + scrollY))
    measure()
    const observer = new ResizeObserver(measure)
    // a banner that appears above moves the list without resizing it
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [box])
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => (lines[index]?.head ? head : height),
    gap,
    overscan,
    scrollMargin: top,
    rangeExtractor: (range) => withHeld(range, held),
  })
  const shown = virtual.getVirtualItems()
  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {}
  const [first, last] = [startIndex - overscan, endIndex + overscan]
  const from = lines[Math.max(0, first)]?.from ?? 0
  const end = lines[Math.min(lines.length - 1, last)]
  const to = end ? end.from + Math.max(0, end.count - 1) : 0
  const stays = held === null ? null : (lines[held]?.from ?? null)
  useEffect(() => reach(from, to, stays), [from, to, stays, reach])
  return {
    virtual,
    top,
    /** Those in sight, one after the other. */
    shown: shown.filter(({ index }) => index >= first && index <= last),
    /** The one with the focus, out of sight. */
    away: shown.find(({ index }) => index < first || index > last) ?? null,
    focus: {
      onFocus: ({ target }: FocusEvent) => {
        const line = target.closest<HTMLElement>('[data-index]')
        setHeld(line ? Number(line.dataset['index']) : null)
      },
      onBlur: ({ relatedTarget }: FocusEvent) => {
        // another window in front takes the focus away without giving it to anything here
        if (relatedTarget !== null || document.hasFocus()) setHeld(null)
      },
    },
  }
}

function withHeld(range: Range, held: number | null): number[] {
  const shown = defaultRangeExtractor(range)
  if (held === null || held >= range.count || shown.includes(held)) return shown
  return [...shown, held].sort((a, b) => a - b)
}
