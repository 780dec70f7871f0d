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
 * is not quiet. The same time twice (`from` = `to`) is a whole day; seven whole days have no end, and then it is that of one.
 */
export function quietUntil(hours: QuietHours, at: string): string | null {
  const first = hours.enabled ? endOf(hours, at) : null
  // One that begins as another ends goes on: Saturday and Sunday as whole days end on Monday.
  let end = first
  for (let more = 0; more < DAYS && end !== null; more++) {
    const next = endOf(hours, end)
    if (next === null) return end
    end = next
  }
  // It never ends: once a day, where one quiet time ends and the next begins.
  return first
}
const DAYS = 7

/** The end of the quiet time that holds at an instant. */
function endOf(hours: QuietHours, at: string): string | null {
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
