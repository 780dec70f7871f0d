// The inbox as it is read: by day; and what privacy mode covers of it.
import type { SignalNotification } from '#contract/notification.ts'
import { taipei } from '#text/time.ts'

export interface InboxDay {
  /** `YYYY-MM-DD` of Taipei. */
  day: string
  items: readonly SignalNotification[]
}

/** Newest first in, newest day first out. */
export function byDay(items: readonly SignalNotification[]): InboxDay[] {
  return [...Map.groupBy(items, ({ created_at }) => taipei(created_at).day)].map(([day, own]) => ({
    day,
    items: own,
  }))
}

/** A text in privacy mode: every amount after a word of profit or loss becomes points, what happened stays. */
export function covered(body: string): string {
  return body.replace(/(損益|累計|已實現|淨利)([ ：:]*)[+−-]?[\d,.]+/g, '$1$2••••')
}
