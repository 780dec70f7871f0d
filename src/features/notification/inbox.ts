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

const AMOUNT = String.raw`[+−-]?[\d,.]+`
const MONEY = new RegExp(`(損益|累計|已實現|淨利|回撤額)([ ：:]*)(—|${AMOUNT})( 元 → ${AMOUNT})?`, 'g')

/** A text in privacy mode: every amount after a word of profit or loss becomes points, also what it was before; what happened stays. */
export function covered(body: string): string {
  return body.replace(
    MONEY,
    (_, word: string, gap: string, first: string, after = '') =>
      `${word}${gap}${first === '—' ? first : '••••'}${after && ' 元 → ••••'}`,
  )
}
