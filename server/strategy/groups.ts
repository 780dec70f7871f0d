// The groups that strategies are in, as this actor may hear of them.
import { type Access, accessOn } from '#contract/access.ts'
import { pathsOf } from '../access/membership.ts'
import type { Actor, Membership } from '../context.ts'
import type { Db } from '../db/schema.ts'

type Groups = Map<string, { id: string; name: string }[]>

/**
 * By strategy. An admin hears of every group, by name; a member of those through which it reads the strategy on this day, the
 * one that lasts longest first.
 */
export async function groupsOf(db: Db, actor: Actor, ids: readonly string[], day: string): Promise<Groups> {
  if (actor.membership === null) return new Map()
  return actor.access === null ? allGroups(db, ids) : ownGroups(db, actor.membership, ids, day)
}

async function allGroups(db: Db, ids: readonly string[]): Promise<Groups> {
  const rows = await db
    .selectFrom('group_strategies as given')
    .innerJoin('strategy_groups as groups', 'groups.id', 'given.group_id')
    .select(['given.strategy_id', 'groups.id', 'groups.name'])
    .where('given.strategy_id', 'in', ids)
    .orderBy('groups.name')
    .execute()
  return byStrategy(rows)
}

async function ownGroups(
  db: Db,
  membership: Membership,
  ids: readonly string[],
  day: string,
): Promise<Groups> {
  const wanted = new Set(ids)
  const open = (await pathsOf(db, membership)).flatMap(({ strategy_id, group, spans }) => {
    const access = wanted.has(strategy_id) ? accessOn([spans], day) : null
    return access ? [{ strategy_id, ...group, access }] : []
  })
  return byStrategy(open.sort((a, b) => longer(a.access, b.access)))
}

/** The open end first, then the later day. */
function longer({ valid_until: a }: Access, { valid_until: b }: Access): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? -1 : 1
  return a < b ? 1 : -1
}

function byStrategy(rows: readonly { strategy_id: string; id: string; name: string }[]): Groups {
  const grouped = Map.groupBy(rows, ({ strategy_id }) => strategy_id)
  return new Map([...grouped].map(([strategy, own]) => [strategy, own.map(({ id, name }) => ({ id, name }))]))
}
