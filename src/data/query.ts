// TanStack Query as this house uses it: no retries of its own (the client has them), keys that start with the context.
import { hashKey, QueryClient, type QueryKey, type QueryPersister } from '@tanstack/react-query'
import { CACHE_UNUSED_MS } from '#contract/limits.ts'
import type { Ctx, KeyScope } from './context.ts'

/** Within this time a screen that opens again does not ask again; events invalidate earlier. */
const FRESH_MS = 15_000

/** Every key starts with its context, so that one identity's answers cannot be reached from another. */
export function ctxKey(scope: KeyScope, ...rest: readonly unknown[]): readonly [KeyScope, ...unknown[]] {
  return [scope, ...rest]
}

/** The context a kept answer belongs to; what is the person's own is filed under personal (wire.md §1). */
export function keyCtx(key: QueryKey): Ctx {
  const scope = String(key[0])
  return scope.startsWith('org:') ? (scope as Ctx) : 'personal'
}

/** The person's own answers that a switch makes doubtful, too (spec §4); everything of the new context is anyway. */
const DOUBTFUL = new Set<unknown>(['strategy', 'group', 'member', 'organization', 'announcement'])

/** True for answers that are asked for again after a switch to `ctx`. */
export function switchInvalidates(key: QueryKey, ctx: Ctx): boolean {
  return key[0] === ctx || (key[0] === 'person' && DOUBTFUL.has(key[1]))
}

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
