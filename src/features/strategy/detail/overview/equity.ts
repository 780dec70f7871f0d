// Which equity is drawn and measured by, in words: the chart, the table under it and the statistics say the same.
import type { Statistics } from '#contract/statistics.ts'
import { MASK, minus, number, percent } from '#text/format.ts'
import { type DayPoint, inShares } from './days.ts'
import type { OverviewPart } from './parts.ts'

type Of = Pick<Statistics, 'from' | 'initial_capital' | 'summary'>

const EARNED: Record<OverviewPart, string> = {
  summary: '已實現損益',
  long: '多單的已實現損益',
  short: '空單的已實現損益',
  day: '日盤平倉的已實現損益',
  night: '夜盤平倉的已實現損益',
}

/** What the period began with: of the whole record the capital. */
export function baseName({ from }: Pick<Of, 'from'>): string {
  return from === null ? '初始資金' : '期初權益'
}

/** 權益＝初始資金 600,000 元＋已實現損益: what is open never counts (domain §6.1). */
export function equityText(of: Of, masked: boolean, part: OverviewPart = 'summary'): string {
  if (of.initial_capital === null) return `權益＝${EARNED[part]}`
  const amount = masked ? '' : ` ${number(of.initial_capital)} 元`
  return `權益＝${baseName(of)}${amount}＋${EARNED[part]}`
}

/** The deepest fall as the table writes it: −3.52%, or an amount where there is no equity to measure by; null without one. */
export function deepestText({ initial_capital, summary }: Of, masked: boolean): string | null {
  if (summary.max_drawdown === 0) return null
  if (!inShares(initial_capital)) return masked ? MASK : `${minus(number(summary.max_drawdown))} 元`
  return summary.max_drawdown_pct === null ? null : minus(percent(summary.max_drawdown_pct))
}

/** A day's fall in the unit that is drawn. */
export function fallText({ fall, share }: Pick<DayPoint, 'fall' | 'share'>, masked: boolean): string {
  if (share !== null) return share < 0 ? minus(percent(-share)) : '0%'
  return masked ? MASK : minus(number(fall))
}
