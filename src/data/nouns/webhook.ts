// Webhooks and their deliveries: what is asked about them, and what is changed.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { InputOf, OutputOf } from '#contract/endpoint.ts'
import { REPLAY_MOST } from '#contract/limits.ts'
import {
  createWebhook,
  deleteWebhook,
  getBridge,
  listDeliveries,
  listStrategyWebhooks,
  type Mapping,
  rotateWebhook,
  setWebhookStatus,
  testWebhook,
  updateWebhook,
  type Webhook,
} from '#contract/webhook.ts'
import {
  confirmFormat,
  deleteFormat,
  learnMapping,
  listFormats,
  previewMapping,
  replayDeliveries,
  updateFormat,
} from '#contract/webhook-format.ts'
import type { Ctx } from '../context.ts'
import { askAgain, fetchUntold, getData, write } from '../current.ts'
import { keys } from '../keys.ts'

/** A delivery, and the mapping that it is read by, as JSON. */
type Tried = { delivery_id: string; mapping: string }

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
  /** Those that wait to be confirmed, each with what it would be, and those that are. */
  formats: (ctx: Ctx, webhook_id: string) =>
    queryOptions({
      queryKey: keys.webhook.formats(ctx, webhook_id),
      queryFn: ({ signal }) => getData().client.call(listFormats, { id: webhook_id }, { signal, ctx }),
    }),
  /** The text of a message, its parts, and the words in it that nobody knows. */
  learn: (ctx: Ctx, webhook_id: string, delivery_id: string) =>
    queryOptions({
      queryKey: keys.mapping.learn(ctx, webhook_id, delivery_id),
      queryFn: ({ signal }) =>
        getData().client.call(learnMapping, { webhook_id, delivery_id }, { signal, ctx }),
      meta: { keep: false },
      staleTime: 'static',
    }),
  /** How a message reads under a mapping (as JSON); while one answer is on its way the one before stands. */
  preview: (ctx: Ctx, { id: webhook_id, format }: Pick<Webhook, 'id' | 'format'>, of: Tried) =>
    queryOptions({
      queryKey: keys.mapping.preview(ctx, webhook_id, of),
      queryFn: ({ signal }) =>
        getData().client.call(
          previewMapping,
          { webhook_id, format, delivery_id: of.delivery_id, mapping: JSON.parse(of.mapping) as Mapping },
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

/** Signals may have come of it, which the strategy, its card and the first screen count. */
function formatChanged(ctx: Ctx): void {
  fetchUntold()
  void askAgain(keys.webhook.all(ctx), keys.strategy.all(ctx), keys.dashboard(ctx))
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
  /** Such messages are read from now on; what waited is taken or left. */
  confirm: (ctx: Ctx, id: string) =>
    write(
      (input: Omit<InputOf<typeof confirmFormat>, 'id'>) =>
        getData().client.call(confirmFormat, { id, ...input }, { ctx }),
      () => formatChanged(ctx),
    ),
  updateFormat: (ctx: Ctx, id: string) =>
    write(
      (input: Omit<InputOf<typeof updateFormat>, 'id'>) =>
        getData().client.call(updateFormat, { id, ...input }, { ctx }),
      () => formatChanged(ctx),
    ),
  deleteFormat: (ctx: Ctx, id: string) =>
    write(
      (format_id: string) => getData().client.call(deleteFormat, { id, format_id }, { ctx }),
      () => formatChanged(ctx),
    ),
}

// Deliveries read again, batch by batch: at most 200 a call, so progress and stopping are this side's own (ruling C41).

type Input = InputOf<typeof replayDeliveries>
/** Rows by their ids, however many, or all that fit. */
export type ReplayPick = Pick<Input, 'from' | 'to' | 'outcome' | 'reason_code' | 'delivery_ids'>
export type ReplayPage = OutputOf<typeof replayDeliveries>

export interface ReplayWish {
  ctx: Ctx
  webhook_id: string
  signal: AbortSignal
}

/** What reading them again would change, page by page; `total` of all of them comes with every page. */
export async function* tryReplay(
  { ctx, webhook_id, signal }: ReplayWish,
  { delivery_ids, ...filter }: ReplayPick,
): AsyncGenerator<ReplayPage & { total: number }> {
  const call = (more: Partial<Input>) =>
    getData().client.call(
      replayDeliveries,
      { id: webhook_id, dry_run: true, ...filter, ...more },
      { ctx, signal },
    )
  if (delivery_ids) {
    for (const ids of batches(delivery_ids))
      yield { ...(await call({ delivery_ids: ids })), total: delivery_ids.length }
    return
  }
  let total = 0
  for (let after: string | null | undefined; after !== null; ) {
    const page: ReplayPage = await call(after === undefined ? {} : { after })
    total = page.total ?? total
    yield { ...page, total }
    after = page.next_after
  }
}

/** Makes what the dry run said, one transaction a batch; broken off between two, what is done stays done. */
export async function* makeReplay(
  { ctx, webhook_id }: ReplayWish,
  delivery_ids: readonly string[],
  notify: boolean,
): AsyncGenerator<ReplayPage> {
  try {
    for (const ids of batches(delivery_ids)) {
      const input = { id: webhook_id, dry_run: false, notify, delivery_ids: ids }
      yield await getData().client.call(replayDeliveries, input, { ctx })
    }
  } finally {
    void askAgain(keys.webhook.all(ctx))
  }
}

function* batches(ids: readonly string[]): Generator<string[]> {
  for (let i = 0; i < ids.length; i += REPLAY_MOST) yield ids.slice(i, i + REPLAY_MOST)
}
