// Webhooks and their deliveries: what is asked about them, and what is changed.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { InputOf } from '#contract/endpoint.ts'
import { impactOfMapping, learnMapping, previewMapping } from '#contract/mapping.ts'
import { replayDeliveries } from '#contract/replay.ts'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listStrategyWebhooks,
  rotateWebhook,
  setWebhookStatus,
  testWebhook,
  updateWebhook,
  type Webhook,
} from '#contract/webhook.ts'
import { getBridge } from '#contract/webhook-bridge.ts'
import type { Ctx } from '../context.ts'
import { getData } from '../current.ts'
import { keys } from '../keys.ts'
import { askAgain, write } from './write.ts'

/** One message: a body, or a delivery of the webhook. */
export type GivenMessage = Pick<InputOf<typeof learnMapping>, 'body' | 'delivery_id'>

type Settings = Pick<InputOf<typeof previewMapping>, 'format' | 'mapping'>

/** By what became of them and when they came. */
export type DeliveryFilter = Pick<InputOf<typeof listDeliveries>, 'outcome' | 'reason_code' | 'from' | 'to'>

export const webhookQueries = {
  ofStrategy: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: keys.webhook.ofStrategy(ctx, id),
      queryFn: ({ signal }) => getData().client.call(listStrategyWebhooks, { id }, { signal, ctx }),
    }),
  /** Newest first, page by page (useInfiniteQuery). */
  deliveries: (ctx: Ctx, webhook_id: string, filter: DeliveryFilter = {}) =>
    infiniteQueryOptions({
      queryKey: keys.webhook.deliveries(ctx, webhook_id, filter),
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
      queryKey: keys.webhook.replayable(ctx, webhook_id, filter),
      queryFn: async ({ signal }) => {
        const input = { id: webhook_id, dry_run: true, limit: 1, ...filter }
        return (await getData().client.call(replayDeliveries, input, { signal, ctx })).total ?? 0
      },
      meta: { keep: false },
    }),
  /** What is proposed for a message. Pasted texts are nobody's to keep. */
  learn: (ctx: Ctx, webhook_id: string, message: GivenMessage) =>
    queryOptions({
      queryKey: keys.mapping.learn(ctx, webhook_id, message),
      queryFn: ({ signal }) =>
        getData().client.call(learnMapping, { webhook_id, ...message }, { signal, ctx }),
      meta: { keep: false },
      staleTime: 'static',
      gcTime: 0,
    }),
  /** How a message reads under `settings` (format and mapping as JSON); while one answer is on its way the one before stands. */
  preview: (ctx: Ctx, webhook_id: string, message: GivenMessage, settings: string) =>
    queryOptions({
      queryKey: keys.mapping.preview(ctx, webhook_id, message, settings),
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

/** What may be asked of a webhook. */
export type WebhookChange =
  | { kind: 'update'; input: Omit<InputOf<typeof updateWebhook>, 'id'> }
  | { kind: 'enable'; enabled: boolean }
  | { kind: 'rotate'; grace: 'now' | '1h' | '24h' }

/** The list of the strategy's as the answer leaves it; the strategy counts them. */
function put(ctx: Ctx, strategy_id: string, next: (known: Webhook[]) => Webhook[], empty?: Webhook[]): void {
  const { queryKey } = webhookQueries.ofStrategy(ctx, strategy_id)
  getData().query.setQueryData(queryKey, (old = empty) => old && next(old))
  void askAgain(keys.strategy.one(ctx, strategy_id))
}

export const webhookMutations = {
  change: (ctx: Ctx, { id, strategy_id }: Webhook) =>
    write(
      (change: WebhookChange): Promise<Webhook> => {
        const { client } = getData()
        if (change.kind === 'enable')
          return client.call(setWebhookStatus, { id, enabled: change.enabled }, { ctx })
        if (change.kind === 'rotate') return client.call(rotateWebhook, { id, grace: change.grace }, { ctx })
        return client.call(updateWebhook, { id, ...change.input }, { ctx })
      },
      (changed) => put(ctx, strategy_id, (old) => old.map((one) => (one.id === changed.id ? changed : one))),
    ),
  create: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof createWebhook>) => getData().client.call(createWebhook, input, { ctx }),
      (made, { strategy_id }) => put(ctx, strategy_id, (old) => [...old, made], []),
    ),
  remove: (ctx: Ctx, { id, strategy_id }: Webhook) =>
    write(
      () => getData().client.call(deleteWebhook, { id }, { ctx }),
      () => put(ctx, strategy_id, (old) => old.filter((one) => one.id !== id)),
    ),
  /** Read on the spot, and listed among the deliveries; never a signal. */
  test: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof testWebhook>) => getData().client.call(testWebhook, input, { ctx }),
      () => void askAgain(keys.webhook.all(ctx)),
    ),
  /** The program that hands a file's lines on, with the address in it. */
  bridge: (ctx: Ctx) =>
    write((input: InputOf<typeof getBridge>) => getData().client.download(getBridge, input, { ctx })),
  /** What a mapping would change; changes nothing. */
  impact: (ctx: Ctx, id: string) =>
    write((settings: Settings) => getData().client.call(impactOfMapping, { id, ...settings }, { ctx })),
}
