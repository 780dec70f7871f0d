// An organization never stands without an admin whose time has begun and has no end.

import type { Selectable } from 'kysely'
import { ApiError, invalid } from '#contract/errors.ts'
import { dayWords, taipei } from '#trading/calendar.ts'
import type { Tx } from '../context.ts'
import type { Db, JoinRequestRow, MembershipRow } from '../db/schema.ts'
import { mintJoinCode } from '../ids.ts'
import { isInside, leaveGroups, tellAccess } from './membership.ts'

// A list of ids in an input, every one of which has to stand for something.

/** 4220 with the message at the first of the `ids` of a field that is not `known`. */
export function requireKnown(
  field: string,
  ids: readonly string[],
  known: Pick<ReadonlySet<string>, 'has'>,
  message: string,
): void {
  const strange = ids.findIndex((id) => !known.has(id))
  if (strange >= 0) throw invalid({ [`${field}.${strange}`]: message })
}

/** Said of somebody named who does not belong to the organization. */
export const NO_MEMBER = '這個人不是組織的成員，請重新整理'

export type StoredMembership = Selectable<MembershipRow>
type Standing = Pick<StoredMembership, 'role' | 'starts_on' | 'expires_on'>

/** True for an admin on whom an organization can rest: begun, and without an end. */
export function isLasting(row: Standing, day: string): boolean {
  return row.role === 'admin' && row.starts_on <= day && row.expires_on === null
}

/** The admins of that day, by name; one of before is nobody to be shown with an address. */
export function adminsOn(db: Db, organization_id: string, day: string) {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .where('organization_id', '=', organization_id)
    .where('role', '=', 'admin')
    .where('starts_on', '<=', day)
    .where((eb) => eb.or([eb('expires_on', 'is', null), eb('expires_on', '>=', day)]))
    .orderBy('users.name')
    .orderBy('users.id')
}

/** How many there are on whom the organization can rest. */
export async function countLasting(db: Db, organization_id: string, day: string): Promise<number> {
  const { count } = await db
    .selectFrom('memberships')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('organization_id', '=', organization_id)
    .where('role', '=', 'admin')
    .where('starts_on', '<=', day)
    .where('expires_on', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** 4093 when nobody is left on whom the organization (locked by the caller) can rest. Asked after the change, which it undoes. */
export async function requireAdmin(db: Db, organization_id: string, day: string): Promise<void> {
  if ((await countLasting(db, organization_id, day)) === 0)
    throw new ApiError(4093, { text: '組織至少要有一位沒有到期日的管理者，請先指定另一位管理者' })
}

/** 4220 at `expires_on` when the end lies before the start. `whose` names the member in a list of several. */
export function requireOrder(
  row: Pick<MembershipRow, 'starts_on' | 'expires_on'>,
  field = 'expires_on',
  whose = '',
): void {
  if (row.expires_on !== null && row.expires_on < row.starts_on)
    throw invalid({ [field]: `到期日不能早於${whose}開始的日子（${dayWords(row.starts_on)}）` })
}

/** A membership of an organization, valid today or not; 4040 when there is none. */
export async function findMembership(
  db: Db,
  organization_id: string,
  uid: string,
): Promise<StoredMembership> {
  return db
    .selectFrom('memberships')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', uid)
    .executeTakeFirstOrThrow(() => new ApiError(4040))
}

// Somebody comes into an organization, whatever the entrance: by mail, by a link, by its code (rulings A16, C18).

interface JoiningMember extends Pick<MembershipRow, 'organization_id' | 'role' | 'starts_on' | 'expires_on'> {
  readonly uid: string
  readonly group_ids: readonly string[]
}

/** True for a member of this day, or one that begins later. */
export function isMember(row: Pick<MembershipRow, 'starts_on' | 'expires_on'>, day: string): boolean {
  return isInside(row, day) || row.starts_on > day
}

/** 4094 for somebody who is a member of the organization or will be; gives the membership that is over, if there is one. */
export async function requireOutside(tx: Tx, organization_id: string, uid: string) {
  const before = await tx.db
    .selectFrom('memberships')
    .select(['starts_on', 'expires_on'])
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', uid)
    .executeTakeFirst()
  if (before && isMember(before, taipei(tx.at).date))
    throw new ApiError(4094, { text: '你已經是這個組織的成員' })
  return before
}

/**
 * Makes somebody a member; a membership that is over begins anew, with these groups alone. Groups that are gone by now are left out.
 * A request of theirs that is still open is over with it. The organization is locked by the caller.
 */
export async function becomeMember(tx: Tx, entry: JoiningMember): Promise<void> {
  const { organization_id, uid, role, starts_on, expires_on } = entry
  const stamps = { created_at: tx.at, updated_at: tx.at }
  const before = await requireOutside(tx, organization_id, uid)
  const terms = { role, starts_on, expires_on, ended_told: null, updated_at: tx.at }
  await tx.db
    .insertInto('memberships')
    .values({ organization_id, user_id: uid, created_at: tx.at, ...terms })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(terms))
    .execute()
  // Places of the time before would give more than this entrance offers.
  if (before) await leaveGroups(tx, organization_id, uid)
  const groups = await groupsOf(tx, organization_id, entry.group_ids)
  if (groups.length > 0)
    await tx.db
      .insertInto('group_members')
      .values(
        groups.map((group_id) => ({ group_id, user_id: uid, starts_on, ends_on: expires_on, ...stamps })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['group_id', 'user_id'])
          .doUpdateSet({ starts_on, ends_on: expires_on, updated_at: tx.at }),
      )
      .execute()
  const open = await tx.db
    .updateTable('join_requests')
    .set({ status: 'cancelled', updated_at: tx.at })
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', uid)
    .where('status', '=', 'pending')
    .returningAll()
    .execute()
  for (const request of open) await tellRequest(tx, request)
  await tellAccess(tx, organization_id, [uid], 'added')
}

/** The organization's admins see the list change, and the person what was asked. */
export async function tellRequest(
  tx: Tx,
  { id, organization_id, user_id }: Pick<JoinRequestRow, 'id' | 'organization_id' | 'user_id'>,
  what: 'asked' | 'rejected' | 'other' = 'other',
): Promise<void> {
  const of = { id: organization_id, change: 'join_requests' as const }
  await tx.append(`o:${organization_id}`, 'organization', {
    ...of,
    ...(what === 'asked' && { request_id: id }),
  })
  await tx.append(`p:${user_id}`, 'profile', {
    change: 'join_requests',
    ...(what === 'rejected' && { request_id: id }),
  })
}

/** Which of these are groups of the organization. */
async function groupsOf(tx: Tx, organization_id: string, group_ids: readonly string[]): Promise<string[]> {
  if (group_ids.length === 0) return []
  const rows = await tx.db
    .selectFrom('strategy_groups')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('id', 'in', group_ids)
    .execute()
  return rows.map(({ id }) => id)
}

/** 4220 at the first group that is not the organization's. */
export async function requireGroups(tx: Tx, organization_id: string, ids: readonly string[]): Promise<void> {
  const known = new Set(await groupsOf(tx, organization_id, ids))
  requireKnown('group_ids', ids, known, '這個群組不在組織裡，請重新整理')
}

/** How many requests to join wait for the organization's admins. */
export async function countPending(db: Db, organization_id: string, at: string): Promise<number> {
  const { count } = await db
    .selectFrom('join_requests')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('organization_id', '=', organization_id)
    .where('status', '=', 'pending')
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** A join code that no organization has. */
export async function freshJoinCode(db: Db): Promise<string> {
  for (;;) {
    const code = mintJoinCode()
    const taken = await db
      .selectFrom('organizations')
      .select('id')
      .where('join_code', '=', code)
      .executeTakeFirst()
    if (!taken) return code
  }
}
