// Which trading session is running at an instant, when it ends, and when the next one opens: by the calendar, not by the weekday.
import {
  addDays,
  boundsOf,
  instantOf,
  isTradingDay,
  type MarketHours,
  taipei,
  tradingSessionAt,
} from './calendar.ts'
import { msOf } from './instant.ts'
import type { TradingSession } from './record.ts'

export interface TradingSessionNow {
  session: TradingSession
  /** The instant at which the running one ends; null outside of any. */
  ends_at: string | null
  /** The next opening after the instant; null where the calendar closes a whole year. */
  next: { session: 'day' | 'night'; at: string } | null
}

/** An evening's night session runs when its own day is open, whatever the next day is (domain §2.6). */
export function tradingSessionNow(instant: string, hours: MarketHours): TradingSessionNow {
  const { session } = tradingSessionAt(instant, hours)
  const { date, time } = taipei(instant)
  const { day, night } = boundsOf(hours)
  const end =
    session === 'day'
      ? instantOf(date, day.to)
      : session === 'night'
        ? instantOf(time < night.from ? date : addDays(date, 1), night.to)
        : null
  return { session, ends_at: end, next: nextAfter(instant, date, hours) }
}

function nextAfter(instant: string, today: string, hours: MarketHours): TradingSessionNow['next'] {
  const market = hours.market ?? 'futures'
  const { day: by_day, night } = boundsOf(hours)
  const ms = msOf(instant)
  for (let day = today, n = 0; n < 400; day = addDays(day, 1), n++) {
    if (!isTradingDay(day, hours.closed_days)) continue
    const opens = [{ session: 'day', at: instantOf(day, by_day.from) } as const]
    const all =
      market === 'futures' && hours.has_night
        ? [...opens, { session: 'night', at: instantOf(day, night.from) } as const]
        : opens
    const found = all.find(({ at }) => msOf(at) > ms)
    if (found) return found
  }
  return null
}
