// Places of members in groups, and the days on which each holds.
import { within } from '#contract/access.ts'
import type { Db } from '../db/schema.ts'

/**
 * Places in groups of an organization, all of its groups or these; `span` = the days on which place and membership hold. Who is
 * no member any more has none.
 */
export async function placeRows(
  db: Db,
  organization_id: string,
  group_ids: readonly string[] | null,
  uid: string | null = null,
) {
  let found = db
    .selectFrom('group_members')
    .innerJoin('strategy_groups', 'strategy_groups.id', 'group_members.group_id')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.user_id', '=', 'group_members.user_id')
        .onRef('memberships.organization_id', '=', 'strategy_groups.organization_id'),
    )
    .select(['group_members.group_id', 'group_members.user_id'])
    .select(['group_members.starts_on', 'group_members.ends_on'])
    .select(['memberships.starts_on as member_starts_on', 'memberships.expires_on'])
    .where('strategy_groups.organization_id', '=', organization_id)
    .orderBy('group_members.user_id')
    .orderBy('group_members.group_id')
  if (group_ids !== null) found = found.where('group_members.group_id', 'in', group_ids)
  if (uid !== null) found = found.where('group_members.user_id', '=', uid)
  const rows = await found.execute()
  return rows.map(({ member_starts_on, expires_on, ...place }) => ({
    ...place,
    span: within(place, { starts_on: member_starts_on, ends_on: expires_on }),
  }))
}
