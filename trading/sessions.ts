// Which session is running at an instant, when it ends, and when the next one opens: by the calendar, not by the weekday.
import { addDays, instantOf, isTradingDay, type MarketHours, sessionAt, taipei } from './calendar.ts'
import { msOf } from './instant.ts'
import type { Session } from './record.ts'

export interface SessionNow {
  session: Session
  /** The instant at which the running session ends; null outside of one. */
  ends_at: string | null
  /** The next opening after the instant; null where the calendar closes a whole year. */
  next: { session: 'day' | 'night'; at: string } | null
}

const DAY = { futures: ['08:45', '13:45'], stock: ['09:00', '14:30'] } as const
const NIGHT = ['15:00', '05:00'] as const

/** An evening's night session runs when its own day is open, whatever the next day is (domain §2.6). */
export function sessionNow(instant: string, hours: MarketHours): SessionNow {
  const { session } = sessionAt(instant, hours)
  const { date, time } = taipei(instant)
  const market = hours.market ?? 'futures'
  const end =
    session === 'day'
      ? instantOf(date, DAY[market][1])
      : session === 'night'
        ? instantOf(time < NIGHT[0] ? date : addDays(date, 1), NIGHT[1])
        : null
  return { session, ends_at: end, next: nextAfter(instant, date, hours) }
}

function nextAfter(instant: string, today: string, hours: MarketHours): SessionNow['next'] {
  const market = hours.market ?? 'futures'
  const ms = msOf(instant)
  for (let day = today, n = 0; n < 400; day = addDays(day, 1), n++) {
    if (!isTradingDay(day, hours.closed_days)) continue
    const opens = [{ session: 'day', at: instantOf(day, DAY[market][0]) } as const]
    const all =
      market === 'futures' && hours.has_night
        ? [...opens, { session: 'night', at: instantOf(day, NIGHT[0]) } as const]
        : opens
    const found = all.find(({ at }) => msOf(at) > ms)
    if (found) return found
  }
  return null
}
