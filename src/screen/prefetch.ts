// The first data is asked for while a page's own code still loads: on a slow line each thing asked for afterwards costs a round trip.
import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query'
import { type Ctx, ctxOf } from '#data/context.ts'
import { getData } from '#data/current.ts'
import { auth } from '#state/session.ts'
import { isSignedIn } from './guard.ts'

/** Younger answers are not asked for again just because somebody moves between pages. */
const FRESH_MS = 10_000

/** Starts the queries of the current identity and waits for none of them; a failure is the page's to show. */
export function prefetch<T, K extends QueryKey>(
  queries: (ctx: Ctx) => FetchQueryOptions<T, Error, T, K>,
): void {
  if (isSignedIn())
    void getData().query.prefetchQuery({ ...queries(ctxOf(auth.org_id)), staleTime: FRESH_MS })
}

/**
 * The same for a page whose questions come with its code, so that the first visit does not carry the shapes of their answers
 * (docs/decisions/first-visit.md); the first page's are asked before any code (src/early.ts).
 */
export function prefetchWith<T, K extends QueryKey>(
  load: () => Promise<(ctx: Ctx) => FetchQueryOptions<T, Error, T, K>>,
): void {
  // Code that does not come fails the page, too, which says so.
  load().then(prefetch, () => undefined)
}
