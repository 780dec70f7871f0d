// A member's strategies under the groups they come through: what is said of each group, and their order; server and device alike.
import * as z from 'zod/mini'
import { day } from './fields.ts'

/** What a member sees through one group, of a list that is asked for under its groups. */
export const strategy_section = z.object({
  /** Of the group; '' for what comes through none. */
  id: z.string(),
  name: z.string(),
  /** So many of the list stand here. */
  count: z.number(),
  /** The last day for all of it; left out where they end on different days. */
  valid_until: z.optional(z.nullable(day())),
})
export type StrategySection = z.infer<typeof strategy_section>

type Named = { id: string; name: string }

/** By name; what comes through none at the end. */
export function byGroupName(a: Named, b: Named): number {
  if (a.id === '' || b.id === '') return a.id === b.id ? 0 : a.id === '' ? 1 : -1
  return a.name.localeCompare(b.name, 'zh-Hant-TW')
}
