// Members as an admin sees them: a fixed number of queries per list.
import { daysLeft } from '#contract/access.ts'
import type { Member } from '#contract/membership.ts'
import { memberState } from '../access/state.ts'
import type { Db } from '../db/schema.ts'

/** The members of an organization with these ids, in the order given; ids of others are left out. `day` = today in Taipei. */
export async function presentMembers(
  db: Db,
  organization_id: string,
  uids: readonly string[],
  day: string,
): Promise<Member[]> {
  if (uids.length === 0) return []
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['user_id', 'users.name', 'users.email', 'users.avatar', 'role', 'starts_on', 'expires_on'])
    .select('memberships.created_at')
    .where('organization_id', '=', organization_id)
    .where('user_id', 'in', uids)
    .execute()
  const groups = await db
    .selectFrom('group_members')
    .innerJoin('strategy_groups', 'strategy_groups.id', 'group_members.group_id')
    .select(['group_members.user_id', 'strategy_groups.id', 'strategy_groups.name'])
    .where('strategy_groups.organization_id', '=', organization_id)
    .where('group_members.user_id', 'in', uids)
    .orderBy('strategy_groups.name_key')
    .orderBy('strategy_groups.id')
    .execute()
  const by_uid = new Map(rows.map((row) => [row.user_id, row]))
  const groups_of = Map.groupBy(groups, (row) => row.user_id)
  return uids.flatMap((uid) => {
    const row = by_uid.get(uid)
    if (!row) return []
    const { user_id, name, email, avatar, role, starts_on, expires_on, created_at } = row
    return {
      user_id,
      name,
      email,
      avatar,
      role,
      starts_on,
      expires_on,
      status: memberState({ starts_on, ends_on: expires_on }, day),
      days_left: expires_on === null ? null : daysLeft(expires_on, day),
      groups: (groups_of.get(uid) ?? []).map((group) => ({ id: group.id, name: group.name })),
      joined_at: created_at,
    }
  })
}
