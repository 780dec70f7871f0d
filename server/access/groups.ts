// Who sees which groups: an organization's admins all of them, a member its own.
import type { SelectQueryBuilder } from 'kysely'
import type { Actor } from '../context.ts'
import type { Db, Schema } from '../db/schema.ts'

/** True for members, who see only themselves and what they may read. */
export function seesOwnOnly(actor: Pick<Actor, 'access'>): boolean {
  return actor.access !== null
}

/** The groups an actor sees, as the start of a query: a member those it is in or will be. `day` = today in Taipei. */
export function visibleGroups(
  db: Db,
  actor: Pick<Actor, 'uid' | 'organization_id' | 'access'>,
  day: string,
): SelectQueryBuilder<Schema, 'strategy_groups', object> {
  const own = db
    .selectFrom('strategy_groups')
    .where('strategy_groups.organization_id', '=', actor.organization_id ?? '')
  if (!seesOwnOnly(actor)) return own
  return own.where('strategy_groups.id', 'in', (eb) =>
    eb
      .selectFrom('group_members')
      .select('group_members.group_id')
      .where('group_members.user_id', '=', actor.uid)
      .where((where) => where.or([where('ends_on', 'is', null), where('ends_on', '>=', day)])),
  )
}
