// Profit by month and by year of the exit trading date, with the share of the equity the period began with.
import { ratio, scaled, toNumber } from '../decimal.ts'
import type { Running } from './running.ts'
import { exact, plus, type Sum } from './sum.ts'

interface Row {
  net: number
  pct: number | null
  trades: number
}
export type MonthRow = Row & { month: string }
export type YearRow = Row & { year: string }

/** What closed on a trading date: its net, and how many trades that were. */
type Day = Running['days'][number]

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
