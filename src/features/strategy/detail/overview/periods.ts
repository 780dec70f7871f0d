// The periods of the overview, and the trading date each begins with.
import { taipei } from '#text/time.ts'
import { addDays, instantOf } from '#trading/calendar.ts'

export const PERIODS = [
  { value: '7d', label: '近7日' },
  { value: '1m', label: '1月' },
  { value: '3m', label: '3月' },
  { value: 'year', label: '今年' },
  { value: '1y', label: '1年' },
  { value: 'all', label: '全部' },
] as const
export type Period = (typeof PERIODS)[number]['value']

/** First day (`YYYY-MM-DD`) of a period that ends today in Taipei; null from the start. */
export function fromOf(period: Period, now: number): string | null {
  const { day, year } = taipei(now)
  if (period === '7d') return addDays(day, -6)
  if (period === 'year') return `${year}-01-01`
  if (period === '1m') return addDays(monthsBefore(day, 1), 1)
  if (period === '3m') return addDays(monthsBefore(day, 3), 1)
  if (period === '1y') return addDays(monthsBefore(day, 12), 1)
  return null
}

/**
 * The longest period in which at most `most` of these instants lie, so that their steps can be told apart; where none is short
 * enough, the shortest in which there are any.
 */
export function legiblePeriod(instants: readonly string[], most: number, now: number): Period {
  const counts = PERIODS.map(({ value }) => {
    const from = fromOf(value, now)
    const from_ms = from === null ? 0 : Date.parse(instantOf(from, '00:00'))
    return { value, count: instants.filter((at) => Date.parse(at) >= from_ms).length }
  })
  const any = counts.filter(({ count }) => count > 0)
  const most_steps = Math.max(0, ...any.map(({ count }) => count).filter((count) => count <= most))
  return (any.findLast(({ count }) => count === most_steps) ?? any[0])?.value ?? 'all'
}

/** The same day so many months earlier, or the last day of a shorter month. */
function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const at = year * 12 + month - 1 - months
  const last = new Date(Date.UTC(Math.floor(at / 12), (at % 12) + 1, 0)).getUTCDate()
  const text = (n: number) => String(n).padStart(2, '0')
  return `${Math.floor(at / 12)}-${text((at % 12) + 1)}-${text(Math.min(date, last))}`
}
