// A member's strategies under the groups they come through, as its list stands on the screen (decision 054).
import { byGroupName, type StrategySection } from '#contract/strategy.ts'
import { today } from '../access/membership.ts'
import type { Actor, App } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { groupsOf } from './groups.ts'

const NONE = { id: '', name: '' }

/** `all` in the order that holds inside each group. */
export async function underGroups(
  app: App,
  db: Db,
  actor: Actor,
  all: readonly StrategyRow[],
): Promise<{ rows: StrategyRow[]; sections: StrategySection[] }> {
  if (all.length === 0) return { rows: [], sections: [] }
  const ids = all.map(({ id }) => id)
  const groups = await groupsOf(db, actor, ids, today(app))
  const first = ({ id }: StrategyRow) => groups.get(id)?.[0] ?? NONE
  const by_id = Map.groupBy(all, (row) => first(row).id)
  const found = [...by_id].map(([id, rows]) => {
    const days = new Set(rows.map((row) => actor.access?.get(row.id)?.valid_until ?? null))
    const [valid_until] = days
    const { name } = first(rows[0] as StrategyRow)
    const section = { id, name, count: rows.length, ...(days.size === 1 && { valid_until }) }
    return { rows, section }
  })
  found.sort((a, b) => byGroupName(a.section, b.section))
  return { rows: found.flatMap(({ rows }) => rows), sections: found.map(({ section }) => section) }
}
