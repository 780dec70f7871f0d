// Which strategies the list shows and in what order. Up to 100 this happens on the device, at once and also offline; the server does the same beyond.
import type { Strategy } from '#contract/strategy.ts'
import { matchesStrategy } from '#text/strategy.ts'
import { assetOf } from '#trading/kinds.ts'
import type { Asset } from '#trading/record.ts'

export const SORTS = ['last_signal', 'net_profit', 'win_rate', 'max_drawdown', 'name', 'created'] as const
export type Sort = (typeof SORTS)[number]

/** '' means all. `status` '' hides the archived. */
export type Filters = {
  /** xq-stock stands among the stocks. */
  kind: Asset
  status: Strategy['status'] | ''
  tag: string
  direction: Strategy['direction'] | ''
  search: string
  sort: Sort
}

/** Larger first; what has no figure comes last, whichever way the others go. */
function descending(a: number | null | undefined, b: number | null | undefined): number {
  if (a == null || b == null) return a == null ? (b == null ? 0 : 1) : -1
  return b - a
}

const ascending = (a: number | null, b: number | null) =>
  a === null || b === null ? descending(a, b) : a - b
const timeOf = (strategy: Strategy) =>
  strategy.last_signal ? Date.parse(strategy.last_signal.occurred_at) : null

const ORDERS: Record<Sort, (a: Strategy, b: Strategy) => number> = {
  last_signal: (a, b) => descending(timeOf(a), timeOf(b)),
  created: () => 0,
  net_profit: (a, b) => descending(a.summary.net_profit, b.summary.net_profit),
  win_rate: (a, b) => descending(a.summary.win_rate, b.summary.win_rate),
  max_drawdown: (a, b) => ascending(a.summary.max_drawdown_pct, b.summary.max_drawdown_pct),
  name: (a, b) => a.name.localeCompare(b.name, 'zh-Hant-TW'),
}

/** The list as filtered and sorted; equal ones newest first. */
export function arrange(all: readonly Strategy[], filters: Filters): Strategy[] {
  const order = ORDERS[filters.sort]
  return all
    .filter(
      (strategy) =>
        assetOf(strategy) === filters.kind &&
        (filters.status === '' ? strategy.status !== 'archived' : strategy.status === filters.status) &&
        (filters.direction === '' || strategy.direction === filters.direction) &&
        (filters.tag === '' || strategy.tags.includes(filters.tag)) &&
        matchesStrategy(strategy, filters.search),
    )
    .sort((a, b) => order(a, b) || b.created_at.localeCompare(a.created_at))
}

/** All tags in use, in order. */
export function tagsOf(all: readonly Strategy[]): string[] {
  return [...new Set(all.flatMap((strategy) => strategy.tags))].sort((a, b) =>
    a.localeCompare(b, 'zh-Hant-TW'),
  )
}
