// The last part of a signal's timeline: when each channel was handed it for this person, and when a device showed and opened it.
import type { OutputOf } from '#contract/endpoint.ts'
import type { NotificationDelivery } from '#contract/notification.ts'
import type { getSignal } from '#contract/signal.ts'
import type { Db } from '../db/schema.ts'
import { presentNotificationDelivery } from '../notify/inbox.ts'

type Step = OutputOf<typeof getSignal>['timeline']['steps'][number]

/** The person's own deliveries of a record, and those of them that were handed over as steps of it, in that order. */
export async function deliveriesOfSignal(
  db: Db,
  uid: string,
  signal_id: string,
): Promise<{ steps: Step[]; deliveries_to_me: NotificationDelivery[] }> {
  const rows = await db
    .selectFrom('notifications as told')
    .innerJoin('notification_deliveries as delivery', 'delivery.notification_id', 'told.id')
    .selectAll('delivery')
    .select('told.title')
    .where('told.signal_id', '=', signal_id)
    .where('told.uid', '=', uid)
    .where('told.kind', '=', 'signal')
    .orderBy('delivery.sent_at')
    .orderBy('delivery.id')
    .execute()
  const steps = rows.flatMap(
    ({ channel, device_label, sent_at, shown_at, opened_at, state, reason }): Step[] =>
      sent_at === null
        ? []
        : [{ channel, device_label, handed_at: sent_at, shown_at, opened_at, state, reason }],
  )
  return { steps, deliveries_to_me: rows.map(({ title, ...row }) => presentNotificationDelivery(row, title)) }
}
