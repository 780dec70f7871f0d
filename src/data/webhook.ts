// What is asked about webhooks and their deliveries.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { listDeliveries, listStrategyWebhooks, type Outcome } from '#contract/webhook.ts'
import { getData } from './current.ts'
import { ctxKey } from './query.ts'
import type { Ctx } from './session.ts'

export const webhookQueries = {
  all: (ctx: Ctx) => ctxKey(ctx, 'webhook'),
  ofStrategy: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: ctxKey(ctx, 'webhook', 'of-strategy', id),
      queryFn: ({ signal }) => getData().client.call(listStrategyWebhooks, { id }, { signal, ctx }),
    }),
  /** Newest first, page by page (useInfiniteQuery). */
  deliveries: (ctx: Ctx, webhook_id: string, outcome?: Outcome) =>
    infiniteQueryOptions({
      queryKey: ctxKey(ctx, 'webhook', 'deliveries', webhook_id, outcome ?? 'all'),
      queryFn: ({ signal, pageParam }) =>
        getData().client.call(
          listDeliveries,
          { id: webhook_id, ...(outcome && { outcome }), ...(pageParam !== null && { before: pageParam }) },
          { signal, ctx },
        ),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.next_before,
    }),
}
