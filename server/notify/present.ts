// A notification delivery as it travels (wire.md §8): in the list of all, and with the record it was about.
import type { NotificationDelivery } from '#contract/notification.ts'
import type { NotificationDeliveryRow } from '../db/schema-notify.ts'

/** A delivery with the title of what it delivers. */
export function presentNotificationDelivery(
  row: NotificationDeliveryRow,
  title: string,
): NotificationDelivery {
  const { id, notification_id, channel, device_label, state, reason, attempts, created_at } = row
  const { next_at, sent_at, shown_at, opened_at, rank } = row
  const waits = state === 'planned' && attempts === 0 && rank > 1
  return {
    ...{ id, notification_id, title, channel, device_label, state, attempts, created_at },
    reason: reason ?? (waits ? '前一個通道沒有確認送到才送' : null),
    ...{ next_at: state === 'sending' ? null : next_at, sent_at, shown_at, opened_at },
  }
}
