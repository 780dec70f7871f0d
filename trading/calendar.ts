// Taiwan's market time: Asia/Taipei is UTC+8 without daylight saving, so everything is integer arithmetic.
import type { TradingSession } from './record.ts'
import { type ProductSession, tables } from './tables.ts'

// Milliseconds of an ISO instant. Folding reads several per record, and Date.parse is most of what that costs.

/** Days before the month in a year that begins in March. */
const BEFORE = [306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275] as const

/** What Date.parse gives, NaN included; much faster for the one form records are stored in, 2026-11-20T01:15:02.000Z. */
export function msOf(instant: string): number {
  if (instant.length !== 24) return Date.parse(instant)
  const year = pair(instant, 0) * 100 + pair(instant, 2)
  const [month, day] = [pair(instant, 5), pair(instant, 8)]
  const [hour, minute, second] = [pair(instant, 11), pair(instant, 14), pair(instant, 17)]
  const ms = pair(instant, 20) * 10 + digit(instant, 22)
  // Every field that is no number makes one of these NaN; days a month may lack are left to Date.parse, too.
  const plain =
    year >= 1970 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= 28 &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59
  if (!plain || !(ms >= 0) || !punctuated(instant)) return Date.parse(instant)
  const y = month <= 2 ? year - 1 : year
  const days = y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400)
  // 719469 is what this count gives for 1970-01-01.
  const n = days + (BEFORE[month - 1] as number) + day - 719_469
  return ((n * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + ms
}

function digit(text: string, at: number): number {
  const code = text.charCodeAt(at) - 48
  return code >= 0 && code <= 9 ? code : Number.NaN
}

function pair(text: string, at: number): number {
  return digit(text, at) * 10 + digit(text, at + 1)
}

/** Whether the signs between the digits stand where they belong. */
function punctuated(t: string): boolean {
  const [dash, colon] = [45, 58]
  return (
    t.charCodeAt(4) === dash &&
    t.charCodeAt(7) === dash &&
    t.charCodeAt(10) === 84 &&
    t.charCodeAt(13) === colon &&
    t.charCodeAt(16) === colon &&
    t.charCodeAt(19) === 46 &&
    t.charCodeAt(23) === 90
  )
}

const HOUR = 3_600_000
const DAY = 86_400_000
const TAIPEI = 8 * HOUR

export type ClosedDays = ReadonlySet<string>
const NONE: ClosedDays = new Set()

const names = new Map<number, string>()

/** YYYY-MM-DD of a day number (days since 1970-01-01); remembered, because folding asks for the same days over and over. */
function dayName(n: number): string {
  let name = names.get(n)
  if (name === undefined) {
    if (names.size > 50_000) names.clear()
    name = new Date(n * DAY).toISOString().slice(0, 10)
    names.set(n, name)
  }
  return name
}

function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`) / DAY
}

const CONTRACT_END = '13:30'
/** The contract asked for last, as with instants. */
let ended: { contract: string; closed: ClosedDays; at: string | null } = {
  contract: '',
  closed: NONE,
  at: null,
}

/** The instant asked for last: a record is asked about several times in a row. */
let asked = { instant: '', n: 0, s: 0 }

/** Day number and second of the day of an instant on Taipei's clock. */
function clock(instant: string): { readonly n: number; readonly s: number } {
  if (asked.instant === instant && instant !== '') return asked
  const ms = msOf(instant) + TAIPEI
  if (Number.isNaN(ms)) throw new RangeError(`not an instant: ${instant}`)
  const n = Math.floor(ms / DAY)
  asked = { instant, n, s: Math.floor((ms - n * DAY) / 1000) }
  return asked
}

/** 1970-01-01 was a Thursday. */
function weekdayNumber(n: number): number {
  return (((n + 4) % 7) + 7) % 7
}

function isOpen(n: number, closed: ClosedDays): boolean {
  const weekday = weekdayNumber(n)
  return weekday !== 0 && weekday !== 6 && (closed.size === 0 || !closed.has(dayName(n)))
}

/** First open day on or after n; a calendar that closes everything must not hang the caller. */
function openFrom(n: number, closed: ClosedDays): number {
  let day = n
  while (!isOpen(day, closed) && day < n + 400) day += 1
  return day
}

/** The Taipei wall clock of an instant; weekday 0 = Sunday. */
interface TaipeiTime {
  date: string
  time: string
  weekday: number
  second_of_day: number
}

/** Taipei date and time of an ISO instant; RangeError when it is not one. */
export function taipei(instant: string): TaipeiTime {
  const { n, s } = clock(instant)
  const two = (x: number) => String(x).padStart(2, '0')
  const time = `${two(Math.floor(s / 3600))}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`
  return { date: dayName(n), time, weekday: weekdayNumber(n), second_of_day: s }
}

/** The Taipei day of an ISO instant. */
export function taipeiDay(instant: string): string {
  return dayName(clock(instant).n)
}

/** The instant (ISO UTC with ms) of a Taipei day and wall time 'HH:mm:ss' or 'HH:mm'. */
export function instantOf(day: string, time: string): string {
  const full = time.length === 5 ? `${time}:00` : time
  return new Date(Date.parse(`${day}T${full}.000Z`) - TAIPEI).toISOString()
}

/** day + n calendar days. */
export function addDays(day: string, n: number): string {
  return dayName(dayNumber(day) + n)
}

/** A day as people read it: `2026/11/20`. */
export function dayWords(day: string): string {
  return day.replaceAll('-', '/')
}

/** 0 = Sunday … 6 = Saturday. */
export function weekdayOf(day: string): number {
  return weekdayNumber(dayNumber(day))
}

/** Monday to Friday and not a closed day. */
export function isTradingDay(day: string, closed: ClosedDays = NONE): boolean {
  return isOpen(dayNumber(day), closed)
}

/** The first trading day on or after `day`. */
export function tradingDayFrom(day: string, closed: ClosedDays = NONE): string {
  return dayName(openFrom(dayNumber(day), closed))
}

/** All trading days from…to, both included. */
export function tradingDates(from: string, to: string, closed: ClosedDays = NONE): string[] {
  const days: string[] = []
  const last = dayNumber(to)
  for (let n = dayNumber(from); n <= last; n++) if (isOpen(n, closed)) days.push(dayName(n))
  return days
}

export interface MarketHours {
  has_night: boolean
  closed_days?: ClosedDays
  /** stock: no night. */
  market?: 'futures' | 'stock'
  /** Of the product; absent: the market's. */
  sessions?: readonly ProductSession[] | undefined
  /** The contract traded: an explicit month has no trading session after its end. */
  contract?: string | null
}

/** When a market's day and night session begin and end; a market without its own night ends its day where the others' night begins. */
interface Bounds {
  day: ProductSession
  night: ProductSession
  /** Seconds of the day: day from, day to, night from, night to. */
  seconds: readonly [number, number, number, number]
}

const bounds = new WeakMap<readonly ProductSession[], Bounds>()
const secondsOf = (time: string) => Number(time.slice(0, 2)) * 3600 + Number(time.slice(3, 5)) * 60

export function boundsOf({ market, sessions }: Pick<MarketHours, 'market' | 'sessions'>): Bounds {
  const { hours } = tables()
  const own = sessions ?? hours[market ?? 'futures']
  let known = bounds.get(own)
  if (known === undefined) {
    const find = (kind: ProductSession['kind']) =>
      (own.find((one) => one.kind === kind) ??
        hours.futures.find((one) => one.kind === kind)) as ProductSession
    const [day, night] = [find('day'), find('night')]
    const [a, b, c, d] = [day.from, day.to, night.from, night.to].map(secondsOf) as [
      number,
      number,
      number,
      number,
    ]
    known = { day, night, seconds: [a, b, c, d] }
    bounds.set(own, known)
  }
  return known
}

/** Trading session and trading date of an instant; both ends of one are inside it, to the second (domain §2.6). */
export function tradingSessionAt(
  instant: string,
  hours: MarketHours,
): { session: TradingSession; trading_date: string } {
  const { n, s } = clock(instant)
  const closed = hours.closed_days ?? NONE
  const open = isOpen(n, closed)
  const stock = hours.market === 'stock'
  const [from, to, dusk, dawn] = boundsOf(hours).seconds
  const over = hours.contract ? isOver(hours.contract, instant, closed) : false
  const has_night = hours.has_night && !over
  if (open && !over && s >= from && s <= to) return { session: 'day', trading_date: dayName(n) }
  if (stock) return { session: 'closed', trading_date: dayName(openFrom(n, closed)) }
  if (s >= dusk && open)
    return { session: has_night ? 'night' : 'closed', trading_date: dayName(openFrom(n + 1, closed)) }
  // Small hours belong to the night session that began the evening before.
  const night = s <= dawn && has_night && isOpen(n - 1, closed)
  return { session: night ? 'night' : 'closed', trading_date: dayName(openFrom(n, closed)) }
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

/** The instant at which trading in an explicit month ends: 13:30 of its last trading day; null for C1, C2, null. */
export function contractEnd(contract: string | null, closed_days: ClosedDays = NONE): string | null {
  if (contract === null || !contract.startsWith('2')) return null
  if (ended.contract !== contract || ended.closed !== closed_days) {
    const day = lastTradingDay(contract, closed_days)
    ended = { contract, closed: closed_days, at: day === null ? null : instantOf(day, CONTRACT_END) }
  }
  return ended.at
}

/** Whether an explicit month no longer trades at an instant; the last second is inside, as with sessions. */
export function isOver(contract: string | null, instant: string, closed_days: ClosedDays = NONE): boolean {
  const end = contractEnd(contract, closed_days)
  return end !== null && msOf(instant) >= msOf(end) + 1000
}
