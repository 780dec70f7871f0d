/* Days of Taipei as texts `YYYY-MM-DD`: what a calendar says of one and where it stands. No Date, so no zone moves them. */
import { serverNow } from '#text/now.ts'
import { taipei } from '#text/time.ts'

/** Today in Taipei, wherever the device is. */
export const today = (): string => taipei(serverNow()).day

/** `2026 年 11 月 23 日 週一`. */
export function dayLabel(day: string): string {
  const { year, month, date, weekday } = taipei(`${day}T00:00:00+08:00`)
  return `${year} 年 ${Number(month)} 月 ${Number(date)} 日 週${weekday}`
}

/** Whether a day lies strictly between the two of a span; '' at its end is open. */
export function isBetween(day: string, [from, to]: readonly [string, string]): boolean {
  return from !== '' && day > from && (to === '' || day < to)
}
