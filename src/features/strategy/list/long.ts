// What a list takes that shows only the part in sight, and the lines it is made of.
import type { Strategy, StrategySection } from '#contract/strategy.ts'
import type { StrategyBell } from './use-bell.ts'

export interface LongProps {
  total: number
  /** The one at a place, from 0; undefined while its page is on the way. */
  at: (place: number) => Strategy | undefined
  /** These places are in sight; `held` is one that must stay, wherever it is. */
  reach: (from: number, to: number, held: number | null) => void
  /** The groups it stands under, in its order; null where it has none. */
  sections: readonly StrategySection[] | null
  wide: boolean
  bell: StrategyBell
  masked: boolean
}

/** The head of a group, or strategies side by side: `count` of them from place `from`. */
export interface StrategiesLine {
  head: StrategySection | null
  from: number
  count: number
  /** Each shows its own last day: they differ within the group. */
  dated: boolean
}

/** `columns` strategies to a line; a group begins a new one. */
export function linesOf(
  total: number,
  columns: number,
  sections: readonly StrategySection[] | null,
): readonly StrategiesLine[] {
  const lines: StrategiesLine[] = []
  const fill = (from: number, end: number, dated: boolean) => {
    for (let at = from; at < end; at += columns)
      lines.push({ head: null, from: at, count: Math.min(columns, end - at), dated })
  }
  if (!sections) fill(0, total, false)
  let from = 0
  for (const head of sections ?? []) {
    lines.push({ head, from, count: 0, dated: false })
    fill(from, from + head.count, head.valid_until === undefined)
    from += head.count
  }
  return lines
}
