// What a member may see, by the group it comes through (product.md, /strategies): each strategy once, where it may be seen longest.
import { daysLeft, EXPIRING_DAYS } from '#contract/access.ts'
import { byGroupName, type Strategy } from '#contract/strategy.ts'
import { md, ymd } from '#text/time.ts'

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
