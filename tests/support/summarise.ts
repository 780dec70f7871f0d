// Everything domain §6.1 defines over closed trades, in any order, as the product puts it together.
import type { Trade } from '#trading/record.ts'
import { runningOf } from '#trading/statistics/running.ts'
import { type StatsOptions, type StatsSummary, summaryOf } from '#trading/statistics/summary.ts'

export function summarise(trades: readonly Trade[], options: StatsOptions): StatsSummary {
  return summaryOf(runningOf(trades), options)
}
