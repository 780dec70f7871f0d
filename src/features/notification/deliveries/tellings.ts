// Deliveries as they are read: those of one notification together, newest first.
import type { NotificationDelivery } from '#contract/notification.ts'

export interface NotificationTelling {
  /** Of the notification. */
  id: string
  created_at: string
  deliveries: readonly NotificationDelivery[]
}

/** `more`: older ones can be asked for, so the last notification may have further deliveries and waits for them, unless it is alone. */
export function tellings(items: readonly NotificationDelivery[], more: boolean): NotificationTelling[] {
  const all = [...Map.groupBy(items, ({ notification_id }) => notification_id)].map(
    ([id, deliveries]): NotificationTelling => ({
      id,
      created_at: deliveries[0]?.created_at ?? '',
      deliveries,
    }),
  )
  return more && all.length > 1 ? all.slice(0, -1) : all
}
