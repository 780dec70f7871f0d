// Inbox rows and deliveries as they travel (wire.md §8).
import type { NotificationDelivery, SignalNotification } from '#contract/notification.ts'
import type { NotificationDeliveryRow, NotificationRow } from '../db/schema-notify.ts'

/** An inbox row with how it stands on each channel: of several devices the one that got furthest. */
export function presentNotification(
  row: NotificationRow,
  deliveries: readonly NotificationDeliveryRow[],
): SignalNotification {
  const { uid: _uid, key: _key, listed: _listed, ...shown } = row
  const best = new Map<string, NotificationDeliveryRow>()
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

/** A delivery with the title of what it delivers. */
export function presentDelivery(row: NotificationDeliveryRow, title: string): NotificationDelivery {
  const { id, notification_id, channel, device_label, state, reason, attempts, created_at } = row
  const { next_at, sent_at, shown_at, opened_at } = row
  return {
    ...{ id, notification_id, title, channel, device_label, state, reason, attempts, created_at },
    ...{ next_at: state === 'sending' ? null : next_at, sent_at, shown_at, opened_at },
  }
}
