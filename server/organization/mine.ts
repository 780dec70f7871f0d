// The organizations somebody is, was or will be in.
import { daysLeft, stateOf } from '#contract/access.ts'
import type { MyOrganization } from '#contract/organization.ts'
import { countLasting, isLasting } from '../access/members.ts'
import { accessMap } from '../access/membership.ts'
import { memberState } from '../access/state.ts'
import type { Db } from '../db/schema.ts'

/** By name. Of an organization whose door is closed today nothing is counted. */
export async function listMine(db: Db, uid: string, day: string): Promise<MyOrganization[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['organizations.id', 'organizations.name', 'organizations.logo', 'organizations.contact_email'])
    .select(['role', 'starts_on', 'expires_on'])
    .where('user_id', '=', uid)
    .orderBy('organizations.name')
    .orderBy('organizations.id')
    .execute()
  const found: MyOrganization[] = []
  for (const { id, name, logo, contact_email, role, starts_on, expires_on } of rows) {
    const span = { starts_on, ends_on: expires_on }
    const inside = ['active', 'expiring'].includes(stateOf(span, day))
    const membership = { organization_id: id, uid, role, span }
    found.push({
      id,
      name,
      logo,
      role,
      starts_on,
      expires_on,
      status: memberState(span, day),
      days_left: expires_on === null ? null : daysLeft(expires_on, day),
      contact_email,
      sole_admin: isLasting({ role, starts_on, expires_on }, day) && (await countLasting(db, id, day)) === 1,
      member_count: inside ? await countMembers(db, id, day) : 0,
      strategy_count: !inside
        ? 0
        : role === 'admin'
          ? await countStrategies(db, id)
          : (await accessMap(db, membership, day)).size,
    })
  }
  return found
}

async function countMembers(db: Db, id: string, day: string): Promise<number> {
  const { count } = await db
    .selectFrom('memberships')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('organization_id', '=', id)
    .where('starts_on', '<=', day)
    .where((eb) => eb.or([eb('expires_on', 'is', null), eb('expires_on', '>=', day)]))
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function countStrategies(db: Db, id: string): Promise<number> {
  const { count } = await db
    .selectFrom('strategies')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('scope', '=', `o:${id}`)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
