// An organization never stands without an admin whose time has begun and has no end.

import type { Selectable } from 'kysely'
import { ApiError, invalid } from '#contract/errors.ts'
import { dayWords } from '#trading/calendar.ts'
import type { Db, MembershipRow } from '../db/schema.ts'

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

/** A stored membership. */
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
  const row = await db
    .selectFrom('memberships')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', uid)
    .executeTakeFirst()
  if (!row) throw new ApiError(4040)
  return row
}
