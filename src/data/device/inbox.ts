// What was told to me of an organization or a strategy goes with my access to it; the rest of the inbox stays.
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { isUnder, keys } from '../keys.ts'

interface Told {
  organization_id?: string | null
  strategy_id?: string | null
  announcement_id?: string | null
}
type Pages = InfiniteData<{ items: readonly Told[] }>
/** Which of it goes. */
export type Gone = (told: Told) => boolean

/** Deliveries do not name what they were about: they are asked for again. */
const withoutTold = (data: Pages, gone: Gone): Pages => ({
  ...data,
  pages: data.pages.map((page) => ({
    ...page,
    items: page.items.filter((one) => one.organization_id !== undefined && !gone(one)),
  })),
})

/** In memory. */
export function forgetTold(query: QueryClient, gone: Gone): void {
  query.setQueriesData<Pages>(
    { queryKey: keys.person.notifications },
    (data) => data && withoutTold(data, gone),
  )
}

/** Of kept answers: true when `row` was one of these, whose `data` is changed then. */
export function sweepTold(row: { key: string; data: unknown }, gone: Gone): boolean {
  if (!isUnder(JSON.parse(row.key), keys.person.notifications)) return false
  row.data = withoutTold(row.data as Pages, gone)
  return true
}
