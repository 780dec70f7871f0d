// Members in the parts of a list: those who are counted, those to come, those whose time is over.
import type { Member } from '#contract/membership.ts'

const OUTSIDE = {
  upcoming: '未生效：起日還沒到，不計入成員數',
  expired: '已到期：看不到策略與訊號，不計入成員數，可以續期',
} as const

/** In the list's own order; `title` null for the members of today. A list of one state alone needs none. */
export function sections(members: readonly Member[]): { title: string | null; members: readonly Member[] }[] {
  const parts = Map.groupBy(members, ({ status }) =>
    status === 'upcoming' || status === 'expired' ? status : null,
  )
  return [...parts].map(([state, own]) => ({ title: state && OUTSIDE[state], members: own }))
}
