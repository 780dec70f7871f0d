// What records say about a trading date and its month: the figures of the first screen, the same on the server and on the device.
import {
  addDays,
  boundsOf,
  type ClosedDays,
  instantOf,
  isTradingDay,
  type MarketHours,
  msOf,
  taipei,
  tradingDates,
  tradingSessionAt,
} from './calendar.ts'
import { scaled, toNumber } from './decimal.ts'
import type { Derived, Facts, Flag, TradingSession } from './record.ts'

/** What of a record these figures need. */
interface DayRecord extends Pick<Facts, 'id' | 'source' | 'refers_to' | 'occurred_at'> {
  readonly trading_date: string
  readonly flags: readonly Flag[]
  readonly derived: Pick<Derived, 'status' | 'effect' | 'realised_pnl'>
}

/** Signals only: a void or correction speaks about another record. A voided signal came in, and stays one. */
export function isSignal({ source }: { readonly source: string }): boolean {
  return source !== 'void' && source !== 'correction'
}

/** What a record realised and still counts: a voided one counts nothing. */
export function realisedOf({ derived }: Pick<DayRecord, 'derived'>): number | null {
  return derived.status === 'voided' ? null : derived.realised_pnl
}

/** The sum of amounts (NT$), exact: scaled integers inside, a number with at most 4 decimals outside. */
export function amountSum(amounts: readonly number[]): number {
  return toNumber(amounts.reduce((sum, amount) => sum + scaled(amount), 0n))
}

/** Records that speak about a signal, of whichever day: they stand in the list beside the signals that are counted. */
export function beside(records: readonly Pick<Facts, 'source'>[]): { voids: number; corrections: number } {
  const from = (source: Facts['source']) => records.filter((record) => record.source === source).length
  return { voids: from('void'), corrections: from('correction') }
}

const OPENING: readonly string[] = ['open', 'add', 'reverse']
const CLOSING: readonly string[] = ['reduce', 'close']

/**
 * A trading date. `voids` and `corrections` came on it, speak about signals of other days and are not counted: what was voided of its
 * own stands in `rest`. `signal_count` is the sum of `opened`, `closed` and `rest`: what was voided, or moved no position. `line` is
 * what was realised after each closing one, oldest first. `records` newest first.
 */
export function dayOf(records: readonly DayRecord[], trading_date: string) {
  const listed = records.filter((record) => record.trading_date === trading_date)
  const own = listed.filter(isSignal)
  const ids = new Set(own.map(({ id }) => id))
  const standing = own.filter(({ derived }) => derived.status !== 'voided')
  const amounts = standing.flatMap((record) => realisedOf(record) ?? []).reverse()
  let sum = 0n
  const line = amounts.map((amount) => {
    sum += scaled(amount)
    return toNumber(sum)
  })
  const realised_pnl = line.at(-1) ?? 0
  // the last value stands until now: without this a day with one trade would jump at its very end
  if (line.length > 0) line.push(realised_pnl)
  const count = (effects: readonly string[]) =>
    standing.filter(({ derived }) => effects.includes(derived.effect)).length
  const [opened, closed] = [count(OPENING), count(CLOSING)]
  return {
    ...beside(listed.filter(({ refers_to }) => refers_to !== null && !ids.has(refers_to))),
    signal_count: own.length,
    realised_pnl,
    line,
    opened,
    closed,
    rest: own.length - opened - closed,
    late: standing.filter(({ flags }) => flags.includes('late')).length,
    last_at: own[0]?.occurred_at ?? null,
  }
}
export type Day = ReturnType<typeof dayOf>

/**
 * The trading date whose figures stand on the first screen. On a closed day nothing has come and nothing will: then it is the last
 * one with a signal (`newest`, the night before a weekend belongs to the date after it), or the last one that was open.
 */
export function shownTradingDate(
  now: string,
  closed_days: ClosedDays,
  newest: string | null,
): { trading_date: string; closed: boolean } {
  const { session, trading_date } = tradingSessionAt(now, { has_night: true, closed_days })
  if (session !== 'closed' || isTradingDay(taipei(now).date, closed_days))
    return { trading_date, closed: false }
  const open = tradingDates(addDays(trading_date, -CLOSED_MOST), addDays(trading_date, -1), closed_days)
  const last = open.at(-1) ?? trading_date
  return {
    trading_date: newest !== null && newest <= trading_date && newest > last ? newest : last,
    closed: true,
  }
}
/** The longest holidays. */
const CLOSED_MOST = 21

/** The first day of a trading date's month. */
export function monthStart(trading_date: string): string {
  return `${trading_date.slice(0, 7)}-01`
}

/** What was realised by trading date from…to, both included; days without any are left out. */
export function realisedByDate(
  records: readonly Pick<DayRecord, 'trading_date' | 'derived'>[],
  from: string,
  to: string,
): Map<string, number> {
  const days = new Map<string, number[]>()
  for (const record of records) {
    const realised = realisedOf(record)
    if (realised === null || record.trading_date < from || record.trading_date > to) continue
    days.set(record.trading_date, [...(days.get(record.trading_date) ?? []), realised])
  }
  return new Map([...days].map(([day, amounts]) => [day, amountSum(amounts)]))
}

/** The same as a curve that begins with nothing: what all of it came to by the end of each trading date, and how far it lay below its highest. */
export function curveOfDays(realised: ReadonlyMap<string, number>) {
  let [equity, peak] = [0n, 0n]
  return [...realised.keys()].sort().map((trading_date) => {
    equity += scaled(realised.get(trading_date) ?? 0)
    if (equity > peak) peak = equity
    return { trading_date, equity: toNumber(equity), drawdown: toNumber(peak - equity) }
  })
}

/** The month up to a trading date: what was realised, and how it came to that, trading date by trading date. */
export function monthOf(realised: ReadonlyMap<string, number>, trading_date: string, closed: ClosedDays) {
  let sum = 0
  const sparkline = tradingDates(monthStart(trading_date), trading_date, closed).map((day) => {
    sum = amountSum([sum, realised.get(day) ?? 0])
    return sum
  })
  return { realised_pnl: amountSum([...realised.values()]), sparkline }
}

// Which trading session is running at an instant, when it ends, and when the next one opens: by the calendar, not by the weekday.
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
