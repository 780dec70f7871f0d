// Inbox rows as they travel (wire.md §8). Here, because the stream tells them, and notify/ asks the stream and not the other way round.
import type { SignalNotification } from '#contract/notification.ts'
import type { NotificationDeliveryRow, NotificationRow } from '../db/schema.ts'

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
