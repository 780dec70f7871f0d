// Everything domain §6.1 defines over closed trades, in any order, as the product puts it together.
import type { Trade } from '#trading/record.ts'
import { runningOf } from '#trading/statistics/running.ts'
import {
  byExit,
  equityCurveOf,
  miniCurveOf,
  type StatsOptions,
  type StatsSummary,
  summaryOf,
} from '#trading/statistics/summary.ts'

export function summarise(trades: readonly Trade[], options: StatsOptions): StatsSummary {
  return summaryOf(runningOf(trades), options)
}

export const equityCurve = (trades: readonly Trade[], initial_capital: number | null, limit = 2_000) => {
  const sorted = byExit(trades)
  return equityCurveOf(sorted, runningOf(sorted), initial_capital, limit)
}

export const miniCurve = (trades: readonly Trade[], initial_capital: number | null) =>
  miniCurveOf(runningOf(trades), initial_capital)
