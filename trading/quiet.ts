// Quiet hours (勿擾時段): from–to in Asia/Taipei, over midnight too; the days are those on which a quiet time begins.
import { addDays, instantOf, taipei, weekdayOf } from './calendar.ts'

export interface QuietHours {
  readonly enabled: boolean
  /** `HH:mm`. */
  readonly from: string
  readonly to: string
  /** 1 = Monday … 7 = Sunday. */
  readonly days: readonly number[]
}

/**
 * Until when it is quiet at an instant: the ISO instant at which the quiet time ends, null when it is not quiet. The end itself
 * is not quiet. The same time twice (`from` = `to`) is a whole day.
 */
export function quietUntil(hours: QuietHours, at: string): string | null {
  if (!hours.enabled) return null
  const { date } = taipei(at)
  let until: string | null = null
  // A quiet time begins today or began yesterday; when both hold, the one that ends later.
  for (const day of [addDays(date, -1), date]) {
    if (!hours.days.includes(isoWeekday(day))) continue
    const over = hours.to <= hours.from
    const [start, end] = [instantOf(day, hours.from), instantOf(over ? addDays(day, 1) : day, hours.to)]
    if (start <= at && at < end && (until === null || end > until)) until = end
  }
  return until
}

/** 1 = Monday … 7 = Sunday. */
function isoWeekday(day: string): number {
  return ((weekdayOf(day) + 6) % 7) + 1
}
