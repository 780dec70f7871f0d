// What devices say they did with notifications: shown, opened. The first word of each counts.
import { sql } from 'kysely'
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { sendReceipts } from '#contract/notification.ts'
import type { Tx } from '../context.ts'
import type { NotificationDeliveryRow } from '../db/schema-notify.ts'

type Receipt = ParsedInputOf<typeof sendReceipts>['items'][number]

/** Notes them on the person's own deliveries; what is nobody's, or somebody else's, is passed over. */
export async function noteReceipts(tx: Tx, uid: string, receipts: readonly Receipt[]): Promise<void> {
  for (const { signal_id, channel, delivery_id, shown_at, opened_at } of receipts) {
    // About several at once, or about no signal: then the delivery is named.
    if (signal_id === undefined && delivery_id === undefined) continue
    let query = tx.db
      .selectFrom('notification_deliveries as delivery')
      .innerJoin('notifications as told', 'told.id', 'delivery.notification_id')
      .select(['delivery.id', 'delivery.state', 'delivery.shown_at', 'delivery.opened_at'])
      .select(['delivery.receiver_id', 'delivery.sent_at'])
      .where('delivery.uid', '=', uid)
      .where('delivery.channel', '=', channel)
    if (signal_id !== undefined) query = query.where('told.signal_id', '=', signal_id)
    if (delivery_id !== undefined) query = query.where('delivery.id', '=', delivery_id)
    for (const row of await query.execute())
      for (const one of await together(tx, channel, row)) await note(tx, one, { shown_at, opened_at })
  }
}

type Noted = Pick<
  NotificationDeliveryRow,
  'id' | 'state' | 'shown_at' | 'opened_at' | 'receiver_id' | 'sent_at'
>

/** What went to the receiver in the same message. In the inbox each stands by itself, whenever it was put there. */
async function together(tx: Tx, channel: Receipt['channel'], row: Noted): Promise<Noted[]> {
  if (row.sent_at === null || channel === 'in_app') return [row]
  return (
    tx.db
      .selectFrom('notification_deliveries')
      .select(['id', 'state', 'shown_at', 'opened_at', 'receiver_id', 'sent_at'])
      .where('receiver_id', '=', row.receiver_id)
      .where('sent_at', '=', row.sent_at)
      // In these words the index is found by.
      .where(sql<boolean>`sent_at is not null and channel <> 'in_app'`)
      .execute()
  )
}

async function note(
  tx: Tx,
  row: Noted,
  { shown_at, opened_at }: Pick<Receipt, 'shown_at' | 'opened_at'>,
): Promise<void> {
  const confirms = row.state === 'sent' || row.state === 'unconfirmed'
  await tx.db
    .updateTable('notification_deliveries')
    .set({
      // A clock that runs ahead must not put a showing into the future.
      shown_at: row.shown_at ?? within(shown_at ?? opened_at, tx.at),
      opened_at: row.opened_at ?? within(opened_at, tx.at),
      ...(confirms && { state: 'confirmed' as const, reason: null }),
    })
    .where('id', '=', row.id)
    .execute()
}

function within(at: string | undefined, now: string): string | null {
  if (at === undefined) return null
  return at > now ? now : at
}
