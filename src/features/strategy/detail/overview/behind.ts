// The trades behind a figure: which of those at hand made it, newest first.

import { scaled } from '#trading/decimal.ts'
import type { Trade } from '#trading/record.ts'
import { byExit } from '#trading/statistics/summary.ts'
import type { Behind } from './words.ts'

/** Of `trades` in any order; runs and falls are looked for in the order of exits. */
export function behindOf(trades: readonly Trade[], which: Behind): Trade[] {
  const sorted = byExit(trades)
  return chosen(sorted, which).reverse()
}

function chosen(sorted: Trade[], which: Behind): Trade[] {
  const wins = sorted.filter(({ net }) => net > 0)
  const losses = sorted.filter(({ net }) => net < 0)
  switch (which) {
    case 'all':
      return sorted
    case 'wins':
      return wins
    case 'losses':
      return losses
    case 'largest_win':
      return wins.filter(({ net }) => wins.every((other) => other.net <= net)).slice(0, 1)
    case 'largest_loss':
      return losses.filter(({ net }) => losses.every((other) => other.net >= net)).slice(0, 1)
    case 'win_run':
      return longestRun(sorted, (net) => net > 0)
    case 'loss_run':
      return longestRun(sorted, (net) => net < 0)
    case 'fall':
      return deepestFall(sorted)
  }
}

function longestRun(sorted: readonly Trade[], hit: (net: number) => boolean): Trade[] {
  let [best, run]: [Trade[], Trade[]] = [[], []]
  for (const trade of sorted) {
    run = hit(trade.net) ? [...run, trade] : []
    if (run.length > best.length) best = run
  }
  return best
}

/** From the trade after the peak to the one at the bottom. */
function deepestFall(sorted: readonly Trade[]): Trade[] {
  let [equity, peak, deepest] = [0n, 0n, 0n]
  let [after_peak, from, to] = [0, 0, 0]
  sorted.forEach((trade, at) => {
    equity += scaled(trade.net)
    if (equity > peak) [peak, after_peak] = [equity, at + 1]
    if (peak - equity > deepest) [deepest, from, to] = [peak - equity, after_peak, at + 1]
  })
  return sorted.slice(from, to)
}
