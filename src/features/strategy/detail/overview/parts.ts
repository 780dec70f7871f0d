// The parts of a strategy's trades that have figures of their own.
import type { Statistics } from '#contract/statistics.ts'
import type { Trade } from '#trading/record.ts'
import { partition } from '#trading/statistics/summary.ts'

export type OverviewPart = 'summary' | 'long' | 'short' | 'day' | 'night'
export const PART_TEXT: Record<OverviewPart, string> = {
  summary: '全部交易',
  long: '多單',
  short: '空單',
  day: '日盤平倉',
  night: '夜盤平倉',
}

/** The trades of a part, of those at hand. */
export function tradesOf(
  figures: Pick<Statistics, 'trades'>,
  part: OverviewPart,
  market: { asset: 'futures' | 'stock'; has_night: boolean; closed_days: readonly string[] },
): readonly Trade[] {
  if (part === 'summary') return figures.trades
  const { has_night, closed_days, asset } = market
  return partition(figures.trades, { has_night, closed_days: new Set(closed_days), market: asset })[part]
}
