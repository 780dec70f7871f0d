// The curve of trades as a chart wants it: a point per trading date, quiet days carried on, and the values an axis names.
import type { Statistics } from '#contract/statistics.ts'
import { addDays, isTradingDay, tradingDates } from '#trading/calendar.ts'

export interface DayPoint {
  /** Trading date. */
  day: string
  /** At its end. */
  equity: number
  /** Deepest fall from the peak within it, NT$ ≥ 0. */
  fall: number
  /** The same as a share of the peak, ≤ 0; null without a capital. */
  share: number | null
}

/** Days from the one before the first exit (where the period stood) to the last exit. */
export function dayPoints(
  curve: Statistics['curve'],
  begun_with: number | null,
  closed_days: readonly string[],
): DayPoint[] {
  const [first, last] = [curve[0], curve.at(-1)]
  if (!first || !last) return []
  const base = begun_with ?? 0
  const closed = new Set(closed_days)
  const share = (equity: number, fall: number) =>
    begun_with === null || equity + fall <= 0 ? null : -fall / (equity + fall)
  const by_day = new Map<string, DayPoint>()
  for (const { trading_date: day, equity, drawdown } of curve) {
    const before = by_day.get(day)
    const deeper = !before || drawdown > before.fall
    by_day.set(day, {
      day,
      equity,
      fall: deeper ? drawdown : before.fall,
      share: deeper ? share(equity, drawdown) : before.share,
    })
  }
  const days = new Set([...tradingDates(first.trading_date, last.trading_date, closed), ...by_day.keys()])
  const points: DayPoint[] = [
    { day: dayBefore(first.trading_date, closed), equity: base, fall: 0, share: share(base, 0) },
  ]
  let [equity, drawdown] = [base, 0]
  const closes = new Map(curve.map((point) => [point.trading_date, point]))
  for (const day of [...days].sort()) {
    const closed = closes.get(day)
    if (closed) [equity, drawdown] = [closed.equity, closed.drawdown]
    points.push(by_day.get(day) ?? { day, equity, fall: drawdown, share: share(equity, drawdown) })
  }
  return points
}

/** The trading date before. */
function dayBefore(day: string, closed: ReadonlySet<string>): string {
  for (let at = addDays(day, -1); ; at = addDays(at, -1)) if (isTradingDay(at, closed)) return at
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

/** The day of the deepest fall, null when there was none. */
export function deepest(points: readonly DayPoint[]): DayPoint | null {
  const found = points.reduce<DayPoint | null>((a, b) => (a === null || b.fall > a.fall ? b : a), null)
  return found && found.fall > 0 ? found : null
}
