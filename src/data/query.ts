// TanStack Query as this house uses it: no retries of its own (the client has them), keys from keys.ts.
import {
  hashKey,
  type InfiniteData,
  QueryClient,
  type QueryKey,
  type QueryPersister,
} from '@tanstack/react-query'
import { CACHE_UNUSED_MS } from '#contract/limits.ts'
import { isUnder, keys } from './keys.ts'

/** Within this time a screen that opens again does not ask again; events invalidate earlier. */
const FRESH_MS = 15_000

const hashes = new WeakMap<QueryKey, string>()

/** The library's own hash, made once per key: a key that is a constant is asked for by a dozen components in every render. */
function hashOf(key: QueryKey): string {
  const known = hashes.get(key)
  if (known !== undefined) return known
  const hash = hashKey(key)
  hashes.set(key, hash)
  return hash
}

export function createQuery(persister?: QueryPersister): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        queryKeyHashFn: hashOf,
        gcTime: CACHE_UNUSED_MS,
        staleTime: FRESH_MS,
        retry: false,
        networkMode: 'offlineFirst',
        ...(persister && { persister }),
      },
      // 'online' would pause them offline and turn the cache into a second outbox (pwa.md §0, rule 5).
      mutations: { retry: 0, networkMode: 'always' },
    },
  })
}

// What was told to me of an organization or a strategy goes with my access to it; the rest of the inbox stays.

interface Told {
  organization_id?: string | null
  strategy_id?: string | null
  announcement_id?: string | null
}
type Pages = InfiniteData<{ items: readonly Told[] }>
/** Which of it goes. */
export type Gone = (told: Told) => boolean

/** Deliveries do not name what they were about: they are asked for again. */
const withoutTold = (data: Pages, gone: Gone): Pages => ({
  ...data,
  pages: data.pages.map((page) => ({
    ...page,
    items: page.items.filter((one) => one.organization_id !== undefined && !gone(one)),
  })),
})

/** In memory. */
export function forgetTold(query: QueryClient, gone: Gone): void {
  query.setQueriesData<Pages>(
    { queryKey: keys.person.notifications },
    (data) => data && withoutTold(data, gone),
  )
}

/** Of kept answers: true when `row` was one of these, whose `data` is changed then. */
export function sweepTold(row: { key: string; data: unknown }, gone: Gone): boolean {
  if (!isUnder(JSON.parse(row.key), keys.person.notifications)) return false
  row.data = withoutTold(row.data as Pages, gone)
  return true
}
