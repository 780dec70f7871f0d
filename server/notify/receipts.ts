// What devices say they did with notifications: shown, opened. The first word of each counts.
import { sql } from 'kysely'
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { sendReceipts } from '#contract/notification.ts'
import type { Tx } from '../context.ts'
import { bulkUpdate, runBulk } from '../db/bulk.ts'
import type { NotificationDeliveryRow } from '../db/schema-notify.ts'

type Receipt = ParsedInputOf<typeof sendReceipts>['items'][number]

const SEEN = bulkUpdate(
  'notification_deliveries',
  { id: 'text', shown_at: 'text', opened_at: 'text' },
  { id: 'id', key: 'id' },
)

/** Notes them on the person's own deliveries; what is nobody's, or somebody else's, is passed over. */
export async function noteReceipts(tx: Tx, uid: string, receipts: readonly Receipt[]): Promise<void> {
  await noteInside(
    tx,
    uid,
    receipts.filter(({ channel }) => channel === 'in_app'),
  )
  for (const { signal_id, channel, delivery_id, shown_at, opened_at } of receipts) {
    if (channel === 'in_app') continue
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
      for (const one of await together(tx, row)) await note(tx, one, { shown_at, opened_at })
  }
}

/**
 * What the app itself showed: of each record the row of the inbox, which stands by itself, whenever it was put there. Everybody who
 * looks on says so after a signal, up to two hundred at once: one question and one change for all of them.
 */
async function noteInside(tx: Tx, uid: string, receipts: readonly Receipt[]): Promise<void> {
  const by_signal = new Map(
    receipts.flatMap((one) => (one.signal_id === undefined ? [] : [[one.signal_id, one]])),
  )
  const by_delivery = new Map(
    receipts.flatMap((one) => (one.delivery_id === undefined ? [] : [[one.delivery_id, one]])),
  )
  if (by_signal.size + by_delivery.size === 0) return
  const rows = await tx.db
    .selectFrom('notifications as told')
    .innerJoin('notification_deliveries as delivery', 'delivery.notification_id', 'told.id')
    .select(['delivery.id', 'told.signal_id', 'told.kind', 'shown_at', 'opened_at'])
    .where('delivery.channel', '=', 'in_app')
    .where('told.uid', '=', uid)
    .where((eb) =>
      eb.or([
        ...(by_signal.size > 0 ? [eb('told.signal_id', 'in', [...by_signal.keys()])] : []),
        ...(by_delivery.size > 0 ? [eb('delivery.id', 'in', [...by_delivery.keys()])] : []),
      ]),
    )
    .execute()
  const seen = rows.flatMap(({ id, signal_id, kind, ...row }) => {
    const said = by_delivery.get(id) ?? by_signal.get(signal_id ?? '')
    // An alarm about the same record is another thing to be shown; who has opened the record has seen that, too.
    if (!said || (kind !== 'signal' && said.opened_at === undefined)) return []
    const next = seenBy(row, said, tx.at)
    return next.shown_at === row.shown_at && next.opened_at === row.opened_at ? [] : [{ id, ...next }]
  })
  if (seen.length > 0) await runBulk(tx.db, SEEN, seen)
}

type Noted = Pick<
  NotificationDeliveryRow,
  'id' | 'state' | 'shown_at' | 'opened_at' | 'receiver_id' | 'sent_at'
>

/** What went to the receiver in the same message. */
async function together(tx: Tx, row: Noted): Promise<Noted[]> {
  if (row.sent_at === null) return [row]
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
      ...seenBy(row, { shown_at, opened_at }, tx.at),
      ...(confirms && { state: 'confirmed' as const, reason: null }),
    })
    .where('id', '=', row.id)
    .execute()
}

/** The first word counts. A clock that runs ahead must not put a showing into the future. */
function seenBy(
  row: Pick<NotificationDeliveryRow, 'shown_at' | 'opened_at'>,
  { shown_at, opened_at }: Pick<Receipt, 'shown_at' | 'opened_at'>,
  now: string,
): Pick<NotificationDeliveryRow, 'shown_at' | 'opened_at'> {
  return {
    shown_at: row.shown_at ?? within(shown_at ?? opened_at, now),
    opened_at: row.opened_at ?? within(opened_at, now),
  }
}

function within(at: string | undefined, now: string): string | null {
  if (at === undefined) return null
  return at > now ? now : at
}
