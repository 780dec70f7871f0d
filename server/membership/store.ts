// Memberships written: changed, ended. The organization is locked by the caller (holdOrganization, lockOrganization).
import { daysLeft } from '#contract/access.ts'
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { EventData } from '#contract/events.ts'
import type { listMembers, Member } from '#contract/membership.ts'
import { taipei } from '#trading/calendar.ts'
import { isLasting, requireAdmin, type StoredMembership } from '../access/members.ts'
import { endMembership, isInside, memberState, membershipInState, tellAccess } from '../access/membership.ts'
import type { App, Tx } from '../context.ts'
import { contains, pageOf } from '../db/query.ts'
import type { Db } from '../db/schema.ts'
import { inTransaction } from '../events/append.ts'
import { eachAlone } from '../jobs/jobs.ts'

// Members as an admin sees them: a fixed number of queries per list.

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

/** What may be changed of a membership. */
type MembershipChanges = {
  [K in 'role' | 'starts_on' | 'expires_on']?: StoredMembership[K] | undefined
}

/** A membership with changes laid over it; what is not given stays. */
export function withChanges(row: StoredMembership, changes: MembershipChanges): StoredMembership {
  return {
    ...row,
    role: changes.role ?? row.role,
    starts_on: changes.starts_on ?? row.starts_on,
    expires_on: changes.expires_on === undefined ? row.expires_on : changes.expires_on,
  }
}

/** Stores a changed membership and tells of it; 4093 when the organization would be left without an admin. */
export async function writeMembership(tx: Tx, row: StoredMembership, next: StoredMembership): Promise<void> {
  const { organization_id, user_id, role, starts_on, expires_on } = next
  if (row.role === role && row.starts_on === starts_on && row.expires_on === expires_on) return
  const day = taipei(tx.at).date
  // An end that already lies behind is told here and not once more at midnight.
  const ended_told = expires_on !== null && expires_on < day ? expires_on : null
  await tx.db
    .updateTable('memberships')
    .set({ role, starts_on, expires_on, ended_told, updated_at: tx.at })
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .execute()
  if (isLasting(row, day) && !isLasting(next, day)) await requireAdmin(tx.db, organization_id, day)
  if (isInside(row, day) && !isInside(next, day)) await endMembership(tx, organization_id, user_id, 'expired')
  else {
    const enters = !isInside(row, day) && isInside(next, day)
    // Who changed it knows it.
    const turned = row.role !== role && tx.by !== user_id ? role : undefined
    await tellAccess(tx, organization_id, [user_id], enters ? 'added' : 'updated', turned)
  }
}

/** Ends a membership for good; 4093 for the last admin. Whoever is removed cannot come back by an older invitation. */
export async function removeMembership(
  tx: Tx,
  row: StoredMembership,
  reason: Extract<EventData['context-revoked']['reason'], 'removed' | 'left'>,
): Promise<void> {
  const { organization_id, user_id } = row
  await endMembership(tx, organization_id, user_id, reason)
  const day = taipei(tx.at).date
  if (isLasting(row, day)) await requireAdmin(tx.db, organization_id, day)
  if (reason === 'removed')
    await tx.db
      .updateTable('invites')
      .set({ status: 'cancelled', updated_at: tx.at })
      .where('organization_id', '=', organization_id)
      .where('status', '=', 'pending')
      .where('email', 'in', (eb) =>
        eb.selectFrom('users').select('users.email').where('users.id', '=', user_id),
      )
      .execute()
}

// The members of an organization in SQL: search, filters, page; and those who speak for it.

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
  const ordered = found
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
  const { rows, total } = await pageOf(found, ordered, { page, page_size })
  const uids = rows.map(({ user_id }) => user_id)
  return { items: await presentMembers(db, id, uids, day), total }
}

// Memberships whose last day is over: told once, to the person and to the organization; the row stays and can be renewed.

/** Tells of every end that nobody was told of yet; gives how many. One transaction each: none holds up the signals. */
export async function endExpired(app: Pick<App, 'db' | 'now' | 'events' | 'log'>): Promise<number> {
  const day = taipei(new Date(app.now()).toISOString()).date
  const due = await app.db
    .selectFrom('memberships')
    .select(['organization_id', 'user_id'])
    .where('expires_on', '<', day)
    .where((eb) => eb.or([eb('ended_told', 'is', null), eb('ended_told', '<>', eb.ref('expires_on'))]))
    .orderBy('organization_id')
    .orderBy('user_id')
    .execute()
  let told = 0
  await eachAlone(due, async ({ organization_id, user_id }) => {
    const mine = await inTransaction(app, async (tx) => {
      // Claimed by the update: a second process on the same database finds nothing left to tell.
      const row = await tx.db
        .updateTable('memberships')
        .set((eb) => ({ ended_told: eb.ref('expires_on') }))
        .where('organization_id', '=', organization_id)
        .where('user_id', '=', user_id)
        .where('expires_on', '<', day)
        .where((eb) => eb.or([eb('ended_told', 'is', null), eb('ended_told', '<>', eb.ref('expires_on'))]))
        .returning('user_id')
        .executeTakeFirst()
      if (row) await endMembership(tx, organization_id, user_id, 'expired')
      return row !== undefined
    })
    if (mine) told++
  })
  return told
}
