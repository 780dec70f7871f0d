// A strategy's figures from its closed trades (domain §6).
import { type MarketHours, tradingSessionAt } from './calendar.ts'
import type { Trade } from './record.ts'

export { type MonthRow, monthlyTable, type YearRow, yearlyTable } from './statistics/report.ts'
export { EMPTY_RUNNING, type Running, runningInSlices, runningOf, runOn } from './statistics/running.ts'
export {
  type CurvePoint,
  equityCurve,
  miniCurve,
  miniCurveOf,
  type StatsOptions,
  type StatsSummary,
  summaryOf,
} from './statistics/summary.ts'

/** Trades by side and by the trading session of their exit that was really open; exits outside of any are neither day nor night. */
export function partition(
  trades: readonly Trade[],
  hours: MarketHours,
): Record<'long' | 'short' | 'day' | 'night', Trade[]> {
  const sessions = trades.map((t) => tradingSessionAt(t.exit_at, { ...hours, contract: t.contract }).session)
  return {
    long: trades.filter((t) => t.side === 'long'),
    short: trades.filter((t) => t.side === 'short'),
    day: trades.filter((_, i) => sessions[i] === 'day'),
    night: trades.filter((_, i) => sessions[i] === 'night'),
  }
}
