// What is asked about webhooks and their deliveries.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { InputOf } from '#contract/endpoint.ts'
import { learnMapping, previewMapping } from '#contract/mapping.ts'
import { replayDeliveries } from '#contract/replay.ts'
import { listDeliveries, listStrategyWebhooks } from '#contract/webhook.ts'
import type { Ctx } from '../context.ts'
import { getData } from '../current.ts'
import { ctxKey } from '../query.ts'

/** One message: a body, or a delivery of the webhook. */
export type Message = Pick<InputOf<typeof learnMapping>, 'body' | 'delivery_id'>

/** By what became of them and when they came. */
export type DeliveryFilter = Pick<InputOf<typeof listDeliveries>, 'outcome' | 'reason_code' | 'from' | 'to'>

export const webhookQueries = {
  all: (ctx: Ctx) => ctxKey(ctx, 'webhook'),
  ofStrategy: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: ctxKey(ctx, 'webhook', 'of-strategy', id),
      queryFn: ({ signal }) => getData().client.call(listStrategyWebhooks, { id }, { signal, ctx }),
    }),
  /** Newest first, page by page (useInfiniteQuery). */
  deliveries: (ctx: Ctx, webhook_id: string, filter: DeliveryFilter = {}) =>
    infiniteQueryOptions({
      queryKey: ctxKey(ctx, 'webhook', 'deliveries', webhook_id, filter),
      queryFn: ({ signal, pageParam }) =>
        getData().client.call(
          listDeliveries,
          { id: webhook_id, ...filter, ...(pageParam !== null && { before: pageParam }) },
          { signal, ctx },
        ),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.next_before,
    }),
  /** How many of them can be read again; counted by asking about the first. */
  replayable: (ctx: Ctx, webhook_id: string, filter: DeliveryFilter) =>
    queryOptions({
      queryKey: ctxKey(ctx, 'webhook', 'replayable', webhook_id, filter),
      queryFn: async ({ signal }) => {
        const input = { id: webhook_id, dry_run: true, limit: 1, ...filter }
        return (await getData().client.call(replayDeliveries, input, { signal, ctx })).total ?? 0
      },
      meta: { keep: false },
    }),
  /** What is proposed for a message. Pasted texts are nobody's to keep. */
  learn: (ctx: Ctx, webhook_id: string, message: Message) =>
    queryOptions({
      queryKey: ctxKey(ctx, 'mapping', 'learn', webhook_id, message),
      queryFn: ({ signal }) =>
        getData().client.call(learnMapping, { webhook_id, ...message }, { signal, ctx }),
      meta: { keep: false },
      staleTime: 'static',
      gcTime: 0,
    }),
  /** How a message reads under `settings` (format and mapping as JSON); while one answer is on its way the one before stands. */
  preview: (ctx: Ctx, webhook_id: string, message: Message, settings: string) =>
    queryOptions({
      queryKey: ctxKey(ctx, 'mapping', 'preview', webhook_id, message, settings),
      queryFn: ({ signal }) =>
        getData().client.call(
          previewMapping,
          { webhook_id, ...message, ...(JSON.parse(settings) as Settings) },
          { signal, ctx },
        ),
      meta: { keep: false },
      placeholderData: keepPreviousData,
      gcTime: 0,
    }),
}

type Settings = Pick<InputOf<typeof previewMapping>, 'format' | 'mapping'>
