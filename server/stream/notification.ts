// Inbox rows as they travel (wire.md §8). Here, because the stream tells them, and notify/ asks the stream and not the other way round.
import type { SignalNotification } from '#contract/notification.ts'
import type { NotificationDeliveryRow, NotificationRow } from '../db/schema.ts'

/** What the row says of itself as a delivery: it stands in the inbox. */
export function insideOf({
  id,
  uid,
  created_at,
  shown_at,
  opened_at,
}: Pick<NotificationRow, 'id' | 'uid' | 'created_at' | 'shown_at' | 'opened_at'>): NotificationDeliveryRow {
  return {
    ...{ id, notification_id: id, uid, channel: 'in_app', receiver_id: uid, device_label: null },
    ...{ state: 'confirmed', reason: null, attempts: 0, rank: 0, created_at, next_at: null },
    ...{ lease_holder: null, tried_in: null, due_at: created_at, asked_at: null },
    ...{ sent_at: created_at, shown_at, opened_at },
  }
}

/** An inbox row with how it stands on each channel: of several devices the one that got furthest. */
export function presentNotification(
  row: NotificationRow,
  deliveries: readonly NotificationDeliveryRow[],
): SignalNotification {
  const { uid: _uid, key: _key, listed, shown_at: _shown, opened_at: _opened, ...shown } = row
  const best = new Map<string, NotificationDeliveryRow>()
  if (listed === 1) best.set('in_app', insideOf(row))
  for (const one of deliveries) {
    const known = best.get(one.channel)
    if (!known || FURTHEST.indexOf(one.state) > FURTHEST.indexOf(known.state)) best.set(one.channel, one)
  }
  return {
    ...shown,
    channels: [...best.values()].map(({ channel, state, reason, sent_at, created_at }) => ({
      channel,
      state,
      reason,
      at: sent_at ?? created_at,
    })),
  }
}

const FURTHEST: readonly NotificationDeliveryRow['state'][] = [
  'skipped',
  'dead',
  'failed',
  'planned',
  'sending',
  'unconfirmed',
  'sent',
  'confirmed',
]
