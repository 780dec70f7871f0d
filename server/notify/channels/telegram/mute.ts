// How long a person wants to hear nothing, as they write it.
import { addDays, instantOf, taipei } from '#trading/calendar.ts'

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const DEFAULT_MS = UNIT_MS.h
const MOST_MS = 7 * UNIT_MS.d
/** Before the market opens. */
const MORNING = '08:00'

/** The instant until which it is silent: `1h`, `30m`, `2d`, `until tomorrow`, `明天`, nothing = an hour; null when it is none of these. */
export function muteEnd(text: string, now_ms: number): string | null {
  const wish = text.trim().toLowerCase()
  if (/^(until )?tomorrow$|^(到)?明天(早上)?$/.test(wish))
    return instantOf(addDays(taipei(new Date(now_ms).toISOString()).date, 1), MORNING)
  const ms = wish === '' ? DEFAULT_MS : lengthOf(wish)
  return ms === null || ms <= 0 ? null : new Date(now_ms + Math.min(ms, MOST_MS)).toISOString()
}

function lengthOf(wish: string): number | null {
  const [, count, unit] = /^(\d{1,4})\s*(m|min|minutes?|分鐘?|h|hours?|小時|d|days?|天)$/.exec(wish) ?? []
  if (count === undefined || unit === undefined) return null
  const size = /^(h|小)/.test(unit) ? UNIT_MS.h : /^(d|天)/.test(unit) ? UNIT_MS.d : UNIT_MS.m
  return Number(count) * size
}
