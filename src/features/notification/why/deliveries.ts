// How a delivery's state looks, when it can be sent again, and how far it came.
import { type DeliveryState, isInside } from '#contract/channels.ts'
import type { NotificationDelivery } from '#contract/notification.ts'
import { serverNow } from '#text/now.ts'
import { hms, latency, mdHm, taipei } from '#text/time.ts'
import type { IconName } from '#ui/Icon.tsx'
import type { TagTone } from '#ui/Tag.tsx'

export const DELIVERY_LOOK: Record<DeliveryState, { tone: TagTone; icon?: IconName }> = {
  planned: { tone: 'neutral', icon: 'clock' },
  sending: { tone: 'neutral', icon: 'clock' },
  sent: { tone: 'good', icon: 'arrow-up' },
  confirmed: { tone: 'good', icon: 'check' },
  unconfirmed: { tone: 'warn', icon: 'warning' },
  failed: { tone: 'warn', icon: 'clock' },
  skipped: { tone: 'line' },
  dead: { tone: 'danger', icon: 'warning' },
}

/** What did not arrive, or nobody confirmed, may be tried once more. */
export const canResend = ({ state, channel }: Pick<NotificationDelivery, 'state' | 'channel'>): boolean =>
  !isInside(channel) && (state === 'dead' || state === 'unconfirmed' || state === 'failed')

/** 08:46:02 送出 · 412 毫秒後顯示 · 打開了 · 試了 3 次; of what waits when it goes: 11/24 07:30 才送. */
export function progressText(
  { sent_at, shown_at, opened_at, next_at, attempts, state }: NotificationDelivery,
  now_ms = serverNow(),
): string {
  const parts: string[] = []
  if (sent_at) parts.push(`${hms(sent_at)} 送出`)
  if (sent_at && shown_at) {
    const ms = Date.parse(shown_at) - Date.parse(sent_at)
    // the device's clock is its own: what it shows before it was sent is not told
    parts.push(ms >= 0 ? `${latency(ms)}後顯示` : '已顯示')
  }
  if (opened_at) parts.push('打開了')
  if (attempts > 1) parts.push(`試了 ${attempts} 次`)
  if (next_at && (state === 'failed' || state === 'planned')) {
    const next = taipei(next_at).day === taipei(now_ms).day ? hms(next_at) : mdHm(next_at)
    // what quiet hours hold back, or a channel before it, was never tried
    if (state === 'failed' || attempts > 0) parts.push(`${next} 再試`)
    else if (Date.parse(next_at) > now_ms) parts.push(`${next} 才送`)
  }
  return parts.join(' · ')
}

// Deliveries as they are read: those of one notification together, newest first.

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
