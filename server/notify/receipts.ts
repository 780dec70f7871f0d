// What devices say they did with notifications: shown, opened. The first word of each counts.
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { sendReceipts } from '#contract/notification.ts'
import type { Tx } from '../context.ts'

type Receipt = ParsedInputOf<typeof sendReceipts>['receipts'][number]

/** Notes them on the person's own deliveries; what is nobody's, or somebody else's, is passed over. */
export async function noteReceipts(tx: Tx, uid: string, receipts: readonly Receipt[]): Promise<void> {
  for (const { signal_id, channel, delivery_id, shown_at, opened_at } of receipts) {
    // About several at once, or about no signal: then the delivery is named.
    if (signal_id === undefined && delivery_id === undefined) continue
    let query = tx.db
      .selectFrom('notification_deliveries as delivery')
      .innerJoin('notifications as told', 'told.id', 'delivery.notification_id')
      .select(['delivery.id', 'delivery.state', 'delivery.shown_at', 'delivery.opened_at'])
      .where('delivery.uid', '=', uid)
      .where('delivery.channel', '=', channel)
    if (signal_id !== undefined) query = query.where('told.signal_id', '=', signal_id)
    if (delivery_id !== undefined) query = query.where('delivery.id', '=', delivery_id)
    for (const row of await query.execute()) {
      // A clock that runs ahead must not put a showing into the future.
      const shown = row.shown_at ?? within(shown_at ?? opened_at, tx.at)
      const opened = row.opened_at ?? within(opened_at, tx.at)
      const confirmed = row.state === 'sent' || row.state === 'unconfirmed' || row.state === 'sending'
      await tx.db
        .updateTable('notification_deliveries')
        .set({
          shown_at: shown,
          opened_at: opened,
          ...(confirmed && row.state !== 'sending' && { state: 'confirmed' as const }),
        })
        .where('id', '=', row.id)
        .execute()
    }
  }
}

function within(at: string | undefined, now: string): string | null {
  if (at === undefined) return null
  return at > now ? now : at
}
