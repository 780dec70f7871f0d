// The list and its filters: the filters stand in the address and are remembered, the answer is one page or, beyond 100, pages of the server.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Strategy } from '#contract/strategy.ts'
import { STATUSES } from '#contract/strategy.ts'
import { layStrategy, strategyQueries } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { prefs } from '#screen/device.ts'
import { useOutbox } from '#screen/outbox.ts'
import { useAlone, useBrought } from '#screen/use-brought.ts'
import { useLaid } from '#screen/use-laid.ts'
import { preferences } from '#state/preferences.ts'
import { assetOf } from '#trading/kinds.ts'
import { ASSETS, type Asset } from '#trading/record.ts'
import { arrange, type Filters, SORTS, tagsOf } from './arrange.ts'

const PAGE = 100
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
  const page = Math.max(1, Number.parseInt(textOf('page'), 10) || 1)
  const change = (changes: Partial<Filters> & { page?: number }) => {
    if (changes.direction !== undefined) setDirection(changes.direction)
    if (changes.kind) prefs.set_strategy_list({ type: changes.kind })
    if (changes.sort) prefs.set_strategy_list({ sort: changes.sort })
    const { direction: _local, page: to, ...rest } = changes
    const next = { ...search, ...rest, page: to && to > 1 ? String(to) : '' }
    const kept = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== ''))
    // typing must not fill the history: Back leaves the page
    void navigate({ to: '/strategies', search: kept, replace: true })
  }
  return { filters, page, change }
}

/** `all` is everything on the device when it fits one page: counts and tags come from it. */
export function useList(filters: Filters, page: number) {
  const ctx = useCtx()
  const typed = useDeferredValue(filters.search)
  const archived = filters.status === 'archived'
  const first = useQuery(
    strategyQueries.list(ctx, { ...LISTED, ...(archived ? { status: 'archived' } : {}) }),
  )
  const paged = first.data !== undefined && first.data.total > PAGE
  const rest = useQuery({
    ...strategyQueries.list(ctx, {
      kind: filters.kind,
      sort: filters.sort,
      page,
      page_size: PAGE,
      ...(filters.status ? { status: filters.status } : {}),
      ...(filters.tag ? { tag: filters.tag } : {}),
      ...(typed.trim() ? { search: typed.trim() } : {}),
    }),
    enabled: paged,
  })
  const all = first.data?.items
  const local = useMemo(() => arrange(all ?? [], { ...filters, search: typed }), [all, filters, typed])
  const query = paged ? rest : first
  const kept: readonly Strategy[] = paged ? (rest.data?.items ?? []) : local
  const outbox = useOutbox()
  const brought = useBrought(kept, useAlone(query.error))
  const laid = useMemo(
    () => kept.map((one) => layStrategy(brought?.get(one.id) ?? one, outbox, query.dataUpdatedAt)),
    [kept, brought, outbox, query.dataUpdatedAt],
  )
  const items = useLaid(laid)
  return {
    items,
    /** Whatever the filters: those a manual signal can be for. */
    all: all ?? items,
    paged,
    page_size: PAGE,
    total: paged ? (rest.data?.total ?? 0) : local.length,
    none: first.data?.total === 0 && !archived,
    tags: useMemo(() => tagsOf(all ?? []), [all]),
    counts: paged || archived || !all ? null : countsOf(all),
    ready: query.data !== undefined,
    error: query.error,
    busy: query.isFetching,
    as_of: query.dataUpdatedAt,
    retry: () => void query.refetch(),
  }
}

function countsOf(all: readonly Strategy[]): Record<Asset, number> {
  const counts = { futures: 0, stock: 0 }
  for (const strategy of all) counts[assetOf(strategy)] += 1
  return counts
}
