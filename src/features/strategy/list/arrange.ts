// Which strategies the list shows and in what order. Up to 100 this happens on the device, at once and also offline; the server does the same beyond.

import { daysLeft, EXPIRING_DAYS } from '#contract/access.ts'
import { byGroupName, type Strategy, type StrategySection } from '#contract/strategy.ts'
import { minus, percent, ratio, signedPercent } from '#text/format.ts'
import { averageText, wordsOf } from '#text/row.ts'
import { heldText, positionWords } from '#text/signal.ts'
import { matchesStrategy } from '#text/strategy.ts'
import { type Instant, md, when, ymd } from '#text/time.ts'
import { assetOf } from '#trading/kinds.ts'
import type { Asset } from '#trading/record.ts'
import type { StrategyBell } from './use-bell.ts'

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

// What a list takes that shows only the part in sight, and the lines it is made of.

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

// What a member may see, by the group it comes through (product.md, /strategies): each strategy once, where it may be seen longest.

export interface ListSection {
  /** The group's; '' for what has come through none that is known here. */
  id: string
  name: string
  /** The last day for all of it, null without an end; undefined where they end on different days. */
  until: string | null | undefined
  items: readonly Strategy[]
}

const REST = { id: '', name: '其他策略' }

/** By the groups' names, inside them in the order given. The server names the group that lasts longest first. */
export function sectionsOf(items: readonly Strategy[]): ListSection[] {
  const groups = new Map(items.map(({ groups: [first = REST] }) => [first.id, first]))
  return [...groups.values()].sort(byGroupName).map(({ id, name }) => {
    const own = items.filter(({ groups: [first = REST] }) => first.id === id)
    const [first, ...others] = new Set(own.map(({ access }) => access?.valid_until ?? null))
    return { id, name, until: others.length > 0 ? undefined : first, items: own }
  })
}

/** 可檢視至 2026/12/31, near its end with the days that are left; `short` 至 12/31. */
export function untilWords(
  until: string | null,
  today: string,
  short = false,
): { text: string; soon: boolean } {
  if (until === null) return { text: '沒有期限', soon: false }
  const left = daysLeft(until, today)
  const soon = left <= EXPIRING_DAYS
  const rest = left === 0 ? '今天到期' : `剩 ${left} 天`
  if (short) return { text: soon ? rest : `可檢視至 ${md(until)}`, soon }
  return { text: `可檢視至 ${ymd(until)}${soon ? `，${rest}` : ''}`, soon }
}

// A strategy's figures as texts, the same for card and table.

/** All null or — while there is nothing to say. */
export type Shown = {
  net: number | null
  rate: string | null
  win_rate: string
  profit_factor: string
  drawdown: string
  /** 多 2 口 of the only position; several are counted in `held`. */
  seal: string | null
  held: string
  average: string | null
  last: string | null
}

const loss = (fraction: number | null) =>
  fraction === null ? '—' : fraction === 0 ? '0%' : minus(percent(Math.abs(fraction), 1))

/** `now` decides whether the last signal is told by time or date. */
export function shownOf(strategy: Strategy, now: Instant): Shown {
  const { summary, positions, last_signal } = strategy
  const traded = summary.trade_count > 0
  // a percent of a capital that nobody has given is none
  const measured = traded && !strategy.assumed?.includes('initial_capital')
  const asset = assetOf(strategy)
  const [position, ...more] = positions
  const words = positionWords(position?.quantity ?? 0, asset)
  const several = more.length > 0
  return {
    net: traded ? summary.net_profit : null,
    rate: measured && summary.total_return !== null ? signedPercent(summary.total_return) : null,
    win_rate: summary.win_rate === null ? '—' : percent(summary.win_rate, 1),
    profit_factor:
      summary.profit_factor === null && summary.profit_factor_reason === 'no_loss'
        ? '∞'
        : ratio(summary.profit_factor),
    drawdown: measured ? loss(summary.max_drawdown_pct) : '—',
    seal: several ? null : words.seal,
    held: several ? heldText(positions, asset) : words.held,
    average:
      several || !position || position.avg_price === null
        ? null
        : averageText(
            { asset, symbol: position.symbol, trading_date: strategy.updated_at.slice(0, 10) },
            position.avg_price,
          ),
    last:
      last_signal &&
      `${when(last_signal.occurred_at, now)} ${last_signal.derived.status === 'voided' ? '已作廢' : wordsOf(last_signal).word}`,
  }
}
