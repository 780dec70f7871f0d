// All groups of an organization with everybody and every strategy in one answer: five queries, however many there are.
import { stateOf } from '#contract/access.ts'
import type { GroupMatrix } from '#contract/group.ts'
import { visibleGroups } from '../access/groups.ts'
import { memberState } from '../access/state.ts'
import { visibleStrategies } from '../access/strategies.ts'
import type { Actor } from '../context.ts'
import type { Db } from '../db/schema.ts'
import { placeRows } from './places.ts'

/** Members of today come first, then those to come, then those whose time is over, as in their list. */
const ORDER = { active: 0, expiring: 0, upcoming: 1, expired: 2 } as const

/** Everybody is in it, also who is in no group; so is every strategy. `day` = today in Taipei. */
export async function matrixOf(db: Db, actor: Actor, day: string): Promise<GroupMatrix> {
  const organization_id = actor.organization_id ?? ''
  const groups = await visibleGroups(db, actor, day)
    .select(['strategy_groups.id', 'strategy_groups.name'])
    .orderBy('name_key')
    .orderBy('id')
    .execute()
  const members = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['user_id', 'users.name', 'users.avatar', 'role', 'starts_on', 'expires_on'])
    .where('organization_id', '=', organization_id)
    .orderBy('role')
    .orderBy('users.name')
    .orderBy('user_id')
    .execute()
  const strategies = await visibleStrategies(db, actor)
    .select(['strategies.id as strategy_id', 'strategies.name', 'strategies.kind', 'strategies.status'])
    .orderBy('strategies.name_key')
    .orderBy('strategies.id')
    .execute()
  const places = await placeRows(db, organization_id, null)
  const gifts = await db
    .selectFrom('group_strategies')
    .innerJoin('strategies', 'strategies.id', 'group_strategies.strategy_id')
    .innerJoin('strategy_groups', 'strategy_groups.id', 'group_strategies.group_id')
    .select(['group_id', 'strategy_id', 'group_strategies.starts_on', 'group_strategies.ends_on'])
    .where('strategy_groups.organization_id', '=', organization_id)
    .where('strategies.deleted_at', 'is', null)
    .orderBy('strategy_id')
    .orderBy('group_id')
    .execute()
  return {
    groups,
    members: members
      .map((row) => ({
        ...row,
        status: memberState({ starts_on: row.starts_on, ends_on: row.expires_on }, day),
      }))
      .sort((one, other) => ORDER[one.status] - ORDER[other.status]),
    strategies,
    places: places.map(({ span, ...place }) => ({ ...place, state: stateOf(span, day) })),
    gifts: gifts.map((gift) => ({ ...gift, state: stateOf(gift, day) })),
  }
}
