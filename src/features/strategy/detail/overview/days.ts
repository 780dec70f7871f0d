// The curve of trades as a chart wants it: from the day the strategy began, a point per trading date, quiet days carried on.
import type { Statistics } from '#contract/statistics.ts'
import { tradingDates } from '#trading/calendar.ts'

export interface DayPoint {
  /** Place on the chart's time axis, seconds: the opening stands before the close of the same day. */
  time: number
  /** Trading date. */
  day: string
  /** At its end; of the opening what the period began with. */
  equity: number
  /** Deepest fall from the peak within it, NT$ ≥ 0. */
  fall: number
  /** Deepest share of a peak lost within it, ≤ 0; null without an equity to begin with. */
  share: number | null
}

const HALF_DAY = 43_200

/** What a trading date brought, in NT$. */
export type DayRow = NonNullable<Statistics['daily']>[number]

/** Each trading date of the curve, those without a trade as well; none where the figures know no days (kept from before). */
export function dayRows(points: readonly DayPoint[], daily: Statistics['daily']): DayRow[] {
  if (!daily) return []
  const by_day = new Map(daily.map((row) => [row.day, row]))
  return points.slice(1).map(({ day }) => by_day.get(day) ?? { day, net: 0, long: 0, short: 0, trades: 0 })
}

/** True when falls are shares of the equity; without one to begin with they are amounts, as in the table (domain §6.1). */
export function inShares(begun_with: number | null): begun_with is number {
  return begun_with !== null && begun_with > 0
}

/** The opening of the day on which the curve begins, then the end of each trading date to the last exit. */
export function dayPoints(
  { curve, initial_capital, begun_on }: Pick<Statistics, 'curve' | 'initial_capital' | 'begun_on'>,
  closed_days: readonly string[],
): DayPoint[] {
  const [first, last] = [curve[0], curve.at(-1)]
  if (!first || !last) return []
  const base = initial_capital ?? 0
  const begin = begun_on ?? first.trading_date
  const shares = inShares(initial_capital)
  const share = (equity: number, fall: number) =>
    !shares || fall === 0 ? (shares ? 0 : null) : -fall / (equity + fall)
  const by_day = new Map<string, { equity: number; drawdown: number; fall: number; share: number | null }>()
  for (const { trading_date, equity, drawdown } of curve) {
    const [before, own] = [by_day.get(trading_date), share(equity, drawdown)]
    by_day.set(trading_date, {
      equity,
      drawdown,
      fall: Math.max(before?.fall ?? 0, drawdown),
      share: own === null ? null : Math.min(before?.share ?? 0, own),
    })
  }
  const days = new Set([...tradingDates(begin, last.trading_date, new Set(closed_days)), ...by_day.keys()])
  const seconds = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000
  const opening = { time: seconds(begin), day: begin, equity: base, fall: 0, share: share(base, 0) }
  let [equity, drawdown] = [base, 0]
  const closes = [...days].sort().map((day) => {
    const own = by_day.get(day)
    if (own) ({ equity, drawdown } = own)
    const { fall, share: lost } = own ?? { fall: drawdown, share: share(equity, drawdown) }
    return { time: seconds(day) + HALF_DAY, day, equity, fall, share: lost }
  })
  return [opening, ...closes]
}

/** What the lower pane draws of a point, ≤ 0: a share, or an amount where there is no equity to measure by. */
export function drawnFall({ fall, share }: DayPoint): number {
  return share ?? -fall
}

/** At most `most` round values from `low` to `high`. */
export function ticks(low: number, high: number, most: number): number[] {
  if (!(high > low)) return [low]
  const rough = (high - low) / most
  const size = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((n) => n * size >= rough) ?? 10) * size
  const found: number[] = []
  for (let n = Math.ceil(low / step); n * step <= high; n++) found.push(Number((n * step).toPrecision(12)))
  return found.slice(0, most)
}

/** The point of the deepest fall that is drawn, null when there was none. */
export function deepest(points: readonly DayPoint[]): DayPoint | null {
  const found = points.reduce<DayPoint | null>(
    (a, b) => (a === null || drawnFall(b) < drawnFall(a) ? b : a),
    null,
  )
  return found && drawnFall(found) < 0 ? found : null
}
