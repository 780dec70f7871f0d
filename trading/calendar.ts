// Taiwan's market time: Asia/Taipei is UTC+8 without daylight saving, so everything is integer arithmetic.
import type { Session } from './record.ts'

const HOUR = 3_600_000
const DAY = 86_400_000
const TAIPEI = 8 * HOUR

export type ClosedDays = ReadonlySet<string>
const NONE: ClosedDays = new Set()

/** The Taipei wall clock of an instant; weekday 0 = Sunday, minute = minutes since midnight, second likewise. */
export interface TaipeiTime {
  date: string
  time: string
  weekday: number
  second_of_day: number
}

/** Taipei date and time of an ISO instant; RangeError when it is not one. */
export function taipei(instant: string): TaipeiTime {
  const ms = Date.parse(instant)
  if (Number.isNaN(ms)) throw new RangeError(`not an instant: ${instant}`)
  const local = new Date(ms + TAIPEI)
  const iso = local.toISOString()
  return {
    date: iso.slice(0, 10),
    time: iso.slice(11, 19),
    weekday: local.getUTCDay(),
    second_of_day: local.getUTCHours() * 3600 + local.getUTCMinutes() * 60 + local.getUTCSeconds(),
  }
}

/** The instant (ISO UTC with ms) of a Taipei day and wall time 'HH:mm:ss' or 'HH:mm'. */
export function instantOf(day: string, time: string): string {
  const full = time.length === 5 ? `${time}:00` : time
  return new Date(Date.parse(`${day}T${full}.000Z`) - TAIPEI).toISOString()
}

/** day + n calendar days. */
export function addDays(day: string, n: number): string {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) + n * DAY).toISOString().slice(0, 10)
}

/** 0 = Sunday … 6 = Saturday. */
export function weekdayOf(day: string): number {
  return new Date(Date.parse(`${day}T00:00:00.000Z`)).getUTCDay()
}

/** Monday to Friday and not a closed day. */
export function isTradingDay(day: string, closed: ClosedDays = NONE): boolean {
  const weekday = weekdayOf(day)
  return weekday !== 0 && weekday !== 6 && !closed.has(day)
}

/** The first trading day on or after `day`. */
export function tradingDayFrom(day: string, closed: ClosedDays = NONE): string {
  let d = day
  // A calendar that closes everything must not hang the caller.
  for (let i = 0; i < 400 && !isTradingDay(d, closed); i++) d = addDays(d, 1)
  return d
}

/** All trading days from…to, both included. */
export function tradingDates(from: string, to: string, closed: ClosedDays = NONE): string[] {
  const days: string[] = []
  for (let d = from; d <= to; d = addDays(d, 1)) if (isTradingDay(d, closed)) days.push(d)
  return days
}

export interface MarketHours {
  has_night: boolean
  closed_days?: ClosedDays
  /** stock: 09:00–14:30, no night. */
  market?: 'futures' | 'stock'
}

/** Session and trading date of an instant; both ends of a session are inside it, to the second (domain §2.6). */
export function sessionAt(instant: string, hours: MarketHours): { session: Session; trading_date: string } {
  const { date, second_of_day: s } = taipei(instant)
  const closed = hours.closed_days ?? NONE
  const open = isTradingDay(date, closed)
  const stock = hours.market === 'stock'
  const [from, to] = stock ? [9 * 3600, 14.5 * 3600] : [8.75 * 3600, 13.75 * 3600]
  if (open && s >= from && s <= to) return { session: 'day', trading_date: date }
  if (stock) return { session: 'closed', trading_date: tradingDayFrom(date, closed) }
  if (s >= 15 * 3600 && open)
    return {
      session: hours.has_night ? 'night' : 'closed',
      trading_date: tradingDayFrom(addDays(date, 1), closed),
    }
  // Small hours belong to the night session that began the evening before.
  const night = s <= 5 * 3600 && hours.has_night && isTradingDay(addDays(date, -1), closed)
  return { session: night ? 'night' : 'closed', trading_date: tradingDayFrom(date, closed) }
}

/** The n-th given weekday of a month (month 1–12), null when the month has no such day. */
export function nthWeekday(year: number, month: number, weekday: number, n: number): string | null {
  const first = `${year}-${String(month).padStart(2, '0')}-01`
  const day = addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + (n - 1) * 7)
  return day.slice(0, 7) === first.slice(0, 7) ? day : null
}

/** The third Wednesday of a month (1–12). */
export function thirdWednesday(year: number, month: number): string {
  return nthWeekday(year, month, 3, 3) as string
}

/** Last trading day of YYYYMM[Wn|Fn], moved to the next trading day when closed; null for C1, C2 or no such week. */
export function lastTradingDay(contract: string, closed_days: ClosedDays = NONE): string | null {
  const m = /^(20\d{2})(0[1-9]|1[0-2])(?:([WF])([1-5]))?$/.exec(contract)
  if (!m) return null
  const [, year = '', month = '', kind, week] = m
  const day =
    kind === undefined
      ? thirdWednesday(Number(year), Number(month))
      : nthWeekday(Number(year), Number(month), kind === 'W' ? 3 : 5, Number(week))
  return day === null ? null : tradingDayFrom(day, closed_days)
}
