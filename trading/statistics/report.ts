// Everything a strategy's figures page shows, from its closed trades: one function for server and device (wire §7).
import { type MarketHours, tradingDayFrom, tradingSessionAt } from '../calendar.ts'
import { divFloor, ratio, scaled, toNumber } from '../decimal.ts'
import type { Trade } from '../record.ts'
import { exact, plus, type Running, runningInSlices, type Sum } from './running.ts'
import {
  type CurvePoint,
  equityCurveOf,
  type Parts,
  partsInSlices,
  type StatsOptions,
  type StatsSummary,
  summaryOf,
} from './summary.ts'

const CURVE_POINTS = 2_000
export const TRADES_SHOWN = 200

export interface ReportOptions extends StatsOptions {
  /** The curve does not begin before this trading date: what came earlier is not shown to this reader. */
  visible_from?: string
  /** Highest record number these trades were folded from. */
  chain_seq: number
  basis?: 'full' | 'visible'
  /** Trading dates of exit, both included; null = without end. */
  from?: string | null
  to?: string | null
  /** Id of a trade: the trades listed are those that closed before it. */
  before?: string | null
  /** Which trades may be listed; the figures count all. */
  listed?: (trade: Trade) => boolean
  /** How many trades are listed, default 200. */
  trade_limit?: number
}

export interface Statistics {
  basis: 'full' | 'visible'
  from: string | null
  to: string | null
  chain_seq: number
  /** Equity the period began with: the strategy's capital, or what had become of it the day before `from`. */
  initial_capital: number | null
  /** Trading date on which the curve begins: the first entry of all, or the first day of a period that came after it. */
  begun_on: string | null
  summary: StatsSummary
  long: StatsSummary
  short: StatsSummary
  day: StatsSummary
  night: StatsSummary
  curve: CurvePoint[]
  monthly: MonthRow[]
  yearly: YearRow[]
  /** Trading dates on which something closed, ascending. */
  daily: DayRow[]
  /** How many trades ended where, from the worst to the best: [from, to) in NT$. */
  distribution: ResultBin[]
  /** Newest first. */
  trades: Trade[]
  /** Id of the oldest trade listed when there are older ones. */
  trades_before: string | null
}

/**
 * The figures of a strategy, or of a period of it: a period is a strategy of its own that begins with the equity of the
 * day before, so its percentages are comparable with the months'.
 */
export function statisticsOf(trades: readonly Trade[], options: ReportOptions): Statistics {
  return toEnd(statisticsInSlices(trades, options))
}

/** What steps give when nobody waits between them. */
export function toEnd<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** The same with pauses, for a server with other things to do meanwhile. */
export function* statisticsInSlices(
  trades: readonly Trade[],
  options: ReportOptions,
): Generator<undefined, Statistics> {
  const { from = null, to = null } = options
  const inside =
    from === null && to === null
      ? trades
      : trades.filter(
          ({ exit_trading_date: day }) => (from === null || day >= from) && (to === null || day <= to),
        )
  const parts = yield* partsInSlices(inside, hoursOf(options))
  const running = yield* runningInSlices(parts.sorted)
  return reportOf(running, parts, options, inside === trades ? null : trades)
}

/** The same from what was carried on with the trades of the period; `all` when there are others, in any order. */
export function reportOf(
  running: Running,
  { sorted, of }: Parts,
  options: ReportOptions,
  all: readonly Trade[] | null = null,
): Statistics {
  const { chain_seq, basis = 'full', from = null, to = null, before = null, listed } = options
  const earlier = from === null ? [] : (all ?? []).filter(({ exit_trading_date: day }) => day < from)
  const initial_capital = begunWith(earlier, options.initial_capital)
  const within = { ...options, initial_capital }
  // A piece without a price has no date and no side, so it is counted once, over all.
  const part = { ...within, excluded_count: 0 }
  const curve = equityCurveOf(sorted, running, initial_capital, CURVE_POINTS)
  const first_entry = all ? firstEntry(all) : running.first_entry
  return {
    basis,
    from,
    to,
    chain_seq,
    initial_capital,
    begun_on: begunOn(first_entry, curve[0], options),
    summary: summaryOf(running, within),
    long: summaryOf(of.long, part),
    short: summaryOf(of.short, part),
    day: summaryOf(of.day, part),
    night: summaryOf(of.night, part),
    curve,
    monthly: monthlyTable(running.days, initial_capital),
    yearly: yearlyTable(running.days, initial_capital),
    daily: dailyTable(running.days, of.long.days),
    distribution: distributionOf(sorted),
    ...newest(listed ? sorted.filter(listed) : sorted, before, options.trade_limit ?? TRADES_SHOWN),
  }
}

function firstEntry(trades: readonly Trade[]): string | null {
  return trades.reduce<string | null>(
    (least, { entry_at }) => (least === null || entry_at < least ? entry_at : least),
    null,
  )
}

function begunWith(earlier: readonly Trade[], capital: number | null): number | null {
  if (capital === null) return null
  return toNumber(earlier.reduce((sum, { net }) => sum + scaled(net), scaled(capital)))
}

function begunOn(
  first_entry: string | null,
  first: CurvePoint | undefined,
  { from = null, visible_from = '', closed_days, ...hours }: ReportOptions,
): string | null {
  if (!first || first_entry === null) return null
  const own = tradingSessionAt(
    first_entry,
    hoursOf({ ...hours, ...(closed_days && { closed_days }) }),
  ).trading_date
  const begun = [own, ...[from ?? '', visible_from].filter((day) => day !== '')].reduce((a, b) =>
    a > b ? a : b,
  )
  const day = tradingDayFrom(begun, closed_days)
  return day < first.trading_date ? day : first.trading_date
}

/** The hours by which trades are told apart. */
export function hoursOf({
  has_night = true,
  closed_days = new Set(),
  market = 'futures',
  sessions,
}: StatsOptions): MarketHours {
  return { has_night, closed_days, market, sessions }
}

function newest(
  sorted: readonly Trade[],
  before: string | null,
  limit: number,
): Pick<Statistics, 'trades' | 'trades_before'> {
  const found = before === null ? -1 : sorted.findIndex(({ id }) => id === before)
  const end = found < 0 ? sorted.length : found
  const begin = Math.max(0, end - limit)
  return {
    trades: sorted.slice(begin, end).reverse(),
    trades_before: begin > 0 ? (sorted[begin]?.id ?? null) : null,
  }
}

// Profit by month and by year of the exit trading date, with the share of the equity the period began with.
interface Row {
  net: number
  pct: number | null
  trades: number
}
type MonthRow = Row & { month: string }
type YearRow = Row & { year: string }

/** What closed on a trading date: its net, and how many trades that were. */
type Day = Running['days'][number]

interface DayRow {
  day: string
  net: number
  /** Of its long and of its short trades. */
  long: number
  short: number
  trades: number
}

/** A row per trading date with an exit; `long` the days of the long trades. */
export function dailyTable(days: readonly Day[], long: readonly Day[]): DayRow[] {
  const of_long = new Map(long.map(([day, net]) => [day, exact(net)]))
  return days.map(([day, sum, trades]) => {
    const [net, own] = [exact(sum), of_long.get(day) ?? 0n]
    return { day, net: toNumber(net), long: toNumber(own), short: toNumber(net - own), trades }
  })
}

interface ResultBin {
  from: number
  to: number
  long: number
  short: number
}

/** So many bins at most; two more where the ends reach into others. */
const BINS = 16n
const NICE: readonly bigint[] = [1n, 2n, 5n, 10n]

/** The results of trades in bins of one round width, a border at 0, none left out between the first and the last. */
export function distributionOf(trades: readonly Pick<Trade, 'net' | 'side'>[]): ResultBin[] {
  if (trades.length === 0) return []
  const nets = trades.map(({ net, side }) => ({ net: scaled(net), side }))
  const low = nets.reduce((least, { net }) => (net < least ? net : least), nets[0]?.net ?? 0n)
  const high = nets.reduce((most, { net }) => (net > most ? net : most), low)
  // a dollar at least: narrower bins say nothing
  const wanted = (high - low) / BINS > 10_000n ? (high - low) / BINS : 10_000n
  const size = 10n ** BigInt(String(wanted).length - 1)
  const width = (NICE.find((n) => n * size >= wanted) ?? 10n) * size
  const first = divFloor(low, width)
  const bins = Array.from({ length: Number(divFloor(high, width) - first) + 1 }, (_, at): ResultBin => {
    const from = (first + BigInt(at)) * width
    return { from: toNumber(from), to: toNumber(from + width), long: 0, short: 0 }
  })
  for (const { net, side } of nets) {
    const bin = bins[Number(divFloor(net, width) - first)]
    if (bin) bin[side] += 1
  }
  return bins
}

/** A row per month (YYYY-MM) from the first exit to the last, empty months included. */
export function monthlyTable(days: readonly Day[], initial_capital: number | null): MonthRow[] {
  return rows(days, initial_capital, 7, nextMonth).map(([month, row]) => ({ month, ...row }))
}

/** A row per year (YYYY). */
export function yearlyTable(days: readonly Day[], initial_capital: number | null): YearRow[] {
  return rows(days, initial_capital, 4, (y) => String(Number(y) + 1)).map(([year, row]) => ({
    year,
    ...row,
  }))
}

function rows(
  days: readonly Day[],
  initial_capital: number | null,
  length: number,
  next: (label: string) => string,
): [string, Row][] {
  const sums = new Map<string, { net: Sum; trades: number }>()
  for (const [day, net, count] of days) {
    const label = day.slice(0, length)
    const row = sums.get(label) ?? { net: 0, trades: 0 }
    sums.set(label, { net: plus(row.net, net), trades: row.trades + count })
  }
  const labels = [...sums.keys()].sort()
  const [first, last] = [labels[0], labels.at(-1)]
  if (first === undefined || last === undefined) return []
  let equity = initial_capital === null ? 0n : scaled(initial_capital)
  const result: [string, Row][] = []
  for (let label = first; label <= last; label = next(label)) {
    const { net: sum, trades: count } = sums.get(label) ?? { net: 0, trades: 0 }
    const net = exact(sum)
    const pct = initial_capital === null || equity <= 0n ? null : ratio(net, equity)
    result.push([label, { net: toNumber(net), pct, trades: count }])
    equity += net
  }
  return result
}

function nextMonth(month: string): string {
  const [year = 0, m = 0] = month.split('-').map(Number)
  return m === 12 ? `${year + 1}-01` : `${year}-${String(m + 1).padStart(2, '0')}`
}
