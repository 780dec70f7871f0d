// The members of an organization in SQL: search, filters, page; and those who speak for it.
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { listMembers, Member } from '#contract/membership.ts'
import { membershipInState } from '../access/state.ts'
import type { Db } from '../db/schema.ts'
import { contains } from '../db/search.ts'
import { presentMembers } from './present.ts'

/** One page: the members of today, those to come, those whose time is over; in each admins first, then by name. And how many there are. */
export async function listRows(
  db: Db,
  { id, search, role, status, page, page_size }: ParsedInputOf<typeof listMembers>,
  day: string,
): Promise<{ items: Member[]; total: number }> {
  let found = db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .where('memberships.organization_id', '=', id)
  const typed = search?.trim() ?? ''
  if (typed !== '')
    found = found.where((eb) => eb.or([contains('users.name', typed), contains('users.email', typed)]))
  if (role !== undefined) found = found.where('memberships.role', '=', role)
  if (status !== undefined) found = found.where((eb) => membershipInState(eb, status, day))
  const { total } = await found.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow()
  const rows = await found
    .select('memberships.user_id')
    .orderBy((eb) =>
      eb
        .case()
        .when(membershipInState(eb, 'expired', day))
        .then(2)
        .when(membershipInState(eb, 'upcoming', day))
        .then(1)
        .else(0)
        .end(),
    )
    .orderBy('memberships.role')
    .orderBy('users.name')
    .orderBy('memberships.user_id')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  const uids = rows.map(({ user_id }) => user_id)
  return { items: await presentMembers(db, id, uids, day), total: Number(total) }
}
