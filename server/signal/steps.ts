// The last part of a signal's way: when each channel was handed it for this person, and when a device showed and opened it.
import type { OutputOf } from '#contract/endpoint.ts'
import type { getSignal } from '#contract/signal.ts'
import type { Db } from '../db/schema.ts'

type Step = OutputOf<typeof getSignal>['timeline']['steps'][number]

/** The person's own deliveries of a record that were handed over, in that order. */
export async function stepsOf(db: Db, uid: string, signal_id: string): Promise<Step[]> {
  const rows = await db
    .selectFrom('notifications as told')
    .innerJoin('notification_deliveries as delivery', 'delivery.notification_id', 'told.id')
    .select(['channel', 'device_label', 'sent_at', 'shown_at', 'opened_at', 'state', 'reason'])
    .where('told.signal_id', '=', signal_id)
    .where('told.uid', '=', uid)
    .where('told.kind', '=', 'signal')
    .where('delivery.sent_at', 'is not', null)
    .orderBy('delivery.sent_at')
    .orderBy('delivery.id')
    .execute()
  return rows.map(({ sent_at, ...row }) => ({ ...row, handed_at: sent_at as string }))
}
