// Organizations as they travel: more of them to admins.
import type { ContactNode, Organization } from '#contract/organization.ts'
import type { Role } from '#contract/permissions.ts'
import { taipei } from '#trading/calendar.ts'
import { countPending } from '../access/joining.ts'
import type { StoredOrganization } from '../access/organization.ts'
import { countMembers } from '../access/state.ts'
import type { Db } from '../db/schema.ts'

/** An organization as somebody of this role sees it at an instant. */
export async function presentOrganization(
  db: Db,
  row: StoredOrganization,
  role: Role,
  at: string,
): Promise<Organization> {
  return {
    id: row.id,
    created_at: row.created_at,
    updated_at: row.updated_at,
    name: row.name,
    introduction: row.introduction,
    logo: row.logo,
    contact_email: row.contact_email,
    contact_links: JSON.parse(row.contact_links) as ContactNode[],
    share_statistics: row.share_statistics === 1,
    my_role: role,
    ...(role === 'admin' && {
      join_code_enabled: row.join_code_enabled === 1,
      join_code: row.join_code,
      requires_review: row.requires_review === 1,
      default_member_days: row.default_member_days,
      counts: await countsOf(db, row.id, at),
    }),
  }
}

/** Members and admins are those of today; strategies taken away are not counted. */
async function countsOf(db: Db, id: string, at: string): Promise<NonNullable<Organization['counts']>> {
  const people = await countMembers(db, id, taipei(at).date)
  const strategies = await db
    .selectFrom('strategies')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('scope', '=', `o:${id}`)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  const groups = await db
    .selectFrom('strategy_groups')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('organization_id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    ...people,
    strategies: Number(strategies.count),
    groups: Number(groups.count),
    pending_requests: await countPending(db, id, at),
  }
}
