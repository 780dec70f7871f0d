// The list and its filters: the filters stand in the address and are remembered, the answer is one page or, beyond 100, pages of the server.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import { STATUSES } from '#contract/kinds/setting.ts'
import type { Strategy } from '#contract/strategy.ts'
import { layStrategy, strategyQueries } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { prefs } from '#screen/device.ts'
import { useOutbox } from '#screen/outbox.ts'
import { useAlone, useBrought, useLaid } from '#screen/use-laid.ts'
import { preferences } from '#state/preferences.ts'
import { assetOf } from '#trading/kinds.ts'
import { ASSETS, type Asset } from '#trading/record.ts'
import { arrange, type Filters, SORTS, tagsOf } from './arrange.ts'
import { PAGE, usePages } from './use-pages.ts'

/** What is asked for where the list is not narrowed. */
export const LISTED = { page_size: PAGE } as const

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
    () => loaded.map((one) => layStrategy(brought?.get(one.id) ?? one, outbox, as_of)),
    [loaded, brought, outbox, as_of],
  )
  const items = useLaid(laid)
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
