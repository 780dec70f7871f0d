// Deliveries read again, batch by batch: at most 200 a call, so progress and stopping are this side's own (ruling C41).
import type { InputOf, OutputOf } from '#contract/endpoint.ts'
import { REPLAY_MOST } from '#contract/limits.ts'
import { replayDeliveries } from '#contract/webhook-format.ts'
import type { Ctx } from '../context.ts'
import { askAgain, getData } from '../current.ts'
import { keys } from '../keys.ts'

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
