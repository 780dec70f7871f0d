// TanStack Query as this house uses it: no retries of its own (the client has them), keys from keys.ts.
import { hashKey, QueryClient, type QueryKey, type QueryPersister } from '@tanstack/react-query'
import { CACHE_UNUSED_MS } from '#contract/limits.ts'

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
