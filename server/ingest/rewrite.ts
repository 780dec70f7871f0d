// Deliveries that became something else than they were: their rows, the counts of their webhook, and who hears of it.
import type { Delivery, Outcome } from '#contract/webhook.ts'
import type { Tx } from '../context.ts'
import { bulkUpdate } from '../db/bulk.ts'
import type { DeliveryRow } from '../db/schema.ts'
import type { UnitOfWork } from '../record/unit-of-work.ts'
import { clearMessages, inOrder, messageBytes } from '../usage/messages.ts'
import { MESSAGES, tellDeliveries } from './deliveries.ts'
import { isMismatch } from './request.ts'

/** A row as it is, and as it will be; `normal` of what it is read as now. */
export interface Rewritten {
  delivery: DeliveryRow
  next: DeliveryRow
  normal: Delivery['normal']
}

const REREAD = bulkUpdate(
  'messages',
  {
    id: 'text',
    outcome: 'text',
    http_status: 'integer',
    reason_code: 'text',
    reason: 'text',
    field: 'text',
    dedupe_key: 'text',
    normal: 'text',
    duplicate_of: 'text',
    signal_id: 'text',
    format_id: 'text',
    replayed_at: 'text',
    ruled_quantity: 'integer',
  },
  { id: 'id', key: 'id' },
)

/** Writes them, all of one webhook. */
export async function rewriteDeliveries(
  tx: Tx,
  uow: UnitOfWork,
  { webhook_id, scope }: { webhook_id: string; scope: string },
  rewritten: readonly Rewritten[],
): Promise<void> {
  const ids = rewritten.map(({ next }) => next.id)
  const apart = await tx.db.selectFrom('messages').select('id').where('id', 'in', ids).execute()
  const has_row = new Set(apart.map(({ id }) => id))
  const [rows, others] = [true, false].map((has) =>
    rewritten.flatMap(({ next }) => (has_row.has(next.id) === has ? next : [])),
  ) as [DeliveryRow[], DeliveryRow[]]
  await uow.write(REREAD, rows)
  // What stood with its record gets a row of its own: a record's says only what it came with.
  await uow.write(MESSAGES, others)
  await uow.flush()
  await clearMessages(
    tx.db,
    webhook_id,
    others.map(({ id }) => id),
  )
  await recount(tx, webhook_id, rewritten)
  await tellDeliveries(
    uow,
    rewritten.map(({ next, normal }) => ({ row: next, normal, scope })),
  )
}

/** The webhook's counters follow its deliveries' outcomes, and so does what it says of the last ones. */
async function recount(tx: Tx, webhook_id: string, rewritten: readonly Rewritten[]): Promise<void> {
  const moved = {
    accepted: 0,
    late: 0,
    duplicate: 0,
    ignored: 0,
    held: 0,
    rejected: 0,
    mismatch: 0,
    refused_bytes: 0,
    signal_bytes: 0,
  }
  for (const { delivery, next } of rewritten) {
    moved[delivery.outcome as Outcome]--
    moved[next.outcome as Outcome]++
    moved.mismatch += Number(isMismatch(next)) - Number(isMismatch(delivery))
    const [now, before] = [messageBytes(next), messageBytes(delivery)]
    moved.refused_bytes += now.refused_bytes - before.refused_bytes
    moved.signal_bytes += now.signal_bytes - before.signal_bytes
  }
  const newest = async (outcomes: readonly Outcome[]) => {
    const read = (place: 'deliveries') =>
      tx.db
        .selectFrom(place)
        .select(['id', 'received_at'])
        .where('webhook_id', '=', webhook_id)
        .where('test', '=', 0)
        .where('outcome', 'in', outcomes)
        .orderBy('id', 'desc')
        .limit(1)
        .execute()
    return (await inOrder('desc', 1, read, outcomes))[0]
  }
  const [rejected, accepted] = [await newest(['rejected']), await newest(['accepted', 'late'])]
  await tx.db
    .updateTable('webhooks')
    .set((eb) => ({
      ...Object.fromEntries(
        (Object.keys(moved) as (keyof typeof moved)[]).map((key) => [key, eb(key, '+', moved[key])]),
      ),
      last_rejected_at: rejected?.received_at ?? null,
      // What was taken longer ago than deliveries are kept is still known.
      ...(accepted && { last_accepted_at: accepted.received_at }),
    }))
    .where('id', '=', webhook_id)
    .execute()
}
