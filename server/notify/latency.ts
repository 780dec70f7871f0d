// How long the steps of a strategy's signals took: source to server, to disk, to each channel, to the screen.

import { CHANNELS } from '#contract/channels.ts'
import type { OutputOf } from '#contract/endpoint.ts'
import type { getLatency } from '#contract/notification.ts'
import { mayEdit, visibleSignals } from '../access/strategies.ts'
import type { Actor } from '../context.ts'
import type { Db } from '../db/schema.ts'
import type { NotificationDeliveryRow } from '../db/schema-notify.ts'

type Latency = OutputOf<typeof getLatency>
type Percentiles = { p50: number; p95: number; count: number }

/** The newest this many signals tell it, and about as many deliveries. */
const MOST = 2_000
/** Their deliveries are looked for in such parts. */
const SIGNALS_AT_ONCE = 50

/** p50 and p95 in milliseconds per step; who may edit sees it over everybody's deliveries, others over their own. */
export async function latencyOf(
  db: Db,
  actor: Actor,
  strategy_id: string,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Promise<Latency> {
  let query = visibleSignals(db, actor)
    .select([
      'signals.id',
      'signals.occurred_at',
      'signals.received_at',
      'signals.stored_at',
      'signals.flags',
    ])
    .where('signals.strategy_id', '=', strategy_id)
    .where('signals.source', '=', 'webhook')
  if (from !== undefined) query = query.where('signals.received_at', '>=', from)
  if (to !== undefined) query = query.where('signals.received_at', '<', to)
  const signals = await query.orderBy('signals.seq', 'desc').limit(MOST).execute()
  // Whole-second sources and clocks that run ahead say nothing about the way (product.md: never a negative delay), nor does a source
  // that wrote no time: its moment is that of the arrival.
  const fired = signals.filter(
    ({ occurred_at, received_at, flags }) =>
      occurred_at <= received_at && !/"(late|future|no_source_time)"/.test(flags),
  )
  const stored = new Map(signals.map(({ id, stored_at }) => [id, stored_at]))
  const rows = await handedOf(
    db,
    signals.map(({ id }) => id),
    mayEdit(actor) ? null : actor.uid,
  )
  const by_channel = Map.groupBy(rows, ({ channel }) => channel)
  return {
    fired_to_received: percentiles(fired.map((one) => between(one.occurred_at, one.received_at))),
    received_to_stored: percentiles(signals.map((one) => between(one.received_at, one.stored_at))),
    channels: CHANNELS.flatMap((channel) => {
      const own = by_channel.get(channel)
      if (!own) return []
      return [
        {
          channel,
          stored_to_handed: percentiles(
            own.map((row) =>
              between(handedFrom(row, stored.get(row.signal_id as string) as string), row.sent_at),
            ),
          ),
          handed_to_shown: percentiles(own.map((row) => between(shownFrom(row, stored), row.shown_at))),
          handed_to_opened: percentiles(own.map((row) => between(shownFrom(row, stored), row.opened_at))),
        },
      ]
    }),
  }
}

/** What the person wished to have later (quiet hours, merged, the next channel), or once more, has not been on its way until then. */
function handedFrom({ due_at, created_at }: Handed, stored_at: string): string {
  return due_at !== null && due_at > created_at ? due_at : stored_at
}

/** An open app has the record from the stream as soon as it is stored, and does not wait for the inbox. */
function shownFrom(
  { channel, sent_at, signal_id }: Handed,
  stored: ReadonlyMap<string, string>,
): string | null {
  return channel === 'in_app' ? (stored.get(signal_id as string) ?? null) : sent_at
}

type Handed = Pick<
  NotificationDeliveryRow,
  'channel' | 'sent_at' | 'shown_at' | 'opened_at' | 'due_at' | 'created_at'
> & {
  readonly signal_id: string | null
}

/** Deliveries of these signals, newest first, until enough are found: one signal may have gone to thousands. `uid` = only theirs. */
async function handedOf(db: Db, signal_ids: readonly string[], uid: string | null): Promise<Handed[]> {
  const found: Handed[] = []
  for (let from = 0; from < signal_ids.length && found.length < MOST; from += SIGNALS_AT_ONCE)
    found.push(
      ...(await db
        .selectFrom('notifications as told')
        .innerJoin('notification_deliveries as delivery', 'delivery.notification_id', 'told.id')
        .select(['told.signal_id', 'channel', 'sent_at', 'shown_at', 'opened_at', 'due_at'])
        .select('delivery.created_at')
        .where('told.signal_id', 'in', signal_ids.slice(from, from + SIGNALS_AT_ONCE))
        .where('delivery.sent_at', 'is not', null)
        // Asked for once more it tells nothing of the first way.
        .where('delivery.asked_at', 'is', null)
        .$if(uid !== null, (own) => own.where('told.uid', '=', uid as string))
        .limit(MOST)
        .execute()),
    )
  return found
}

function between(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : Math.max(0, Date.parse(to) - Date.parse(from))
}

/** Nearest rank; null when there is nothing to tell. */
function percentiles(values: readonly (number | null)[]): Percentiles | null {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number
  return sorted.length === 0 ? null : { p50: at(0.5), p95: at(0.95), count: sorted.length }
}
