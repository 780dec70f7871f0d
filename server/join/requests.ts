// Requests to join, read, and the organization behind a code.
import type { ParsedInputOf } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import type { listJoinRequests, reviewJoinRequest } from '#contract/join.ts'
import { taipei } from '#trading/calendar.ts'
import { becomeMember, isMember, requireGroups, tellRequest } from '../access/joining.ts'
import { requireOrder } from '../access/members.ts'
import type { StoredOrganization } from '../access/organization.ts'
import type { Authorized } from '../access/strategies.ts'
import type { Actor, Tx } from '../context.ts'
import { newestOf } from '../db/query.ts'
import type { Db } from '../db/schema.ts'
import {
  countUse,
  requestInState,
  requestState,
  requireAhead,
  type StoredRequest,
  usualEnd,
} from './links.ts'

export function findRequest(db: Db, id: string): Promise<StoredRequest | undefined> {
  return db.selectFrom('join_requests').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Those of these that are the organization's. */
export function requestsOf(
  db: Db,
  organization_id: string,
  ids: readonly string[],
): Promise<StoredRequest[]> {
  return db
    .selectFrom('join_requests')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', 'in', ids)
    .execute()
}

/** One page, newest first, and how many there are. */
export async function listRequests(
  db: Db,
  { id, status, page, page_size }: ParsedInputOf<typeof listJoinRequests>,
  at: string,
) {
  const organization = await db
    .selectFrom('organizations')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  let found = db.selectFrom('join_requests').where('organization_id', '=', id)
  if (status !== undefined) found = found.where((eb) => requestInState(eb, status, at))
  return { organization, ...(await newestOf(found, { page, page_size })) }
}

/** The organization that has this code, enabled or not. */
export function organizationByCode(db: Db, code: string) {
  return db.selectFrom('organizations').selectAll().where('join_code', '=', code).executeTakeFirst()
}

// Requests answered by an admin, or taken back by whoever asked. The organization is locked by the caller.

type Answer = Omit<ParsedInputOf<typeof reviewJoinRequest>, 'id' | 'request_id'>
export type Reviewed = 'done' | 'answered' | 'already_member'

/** What of an answer is wrong whoever it is for: 4220. */
export async function requireAnswer(tx: Tx, organization: StoredOrganization, answer: Answer): Promise<void> {
  if (answer.decision === 'reject') return
  const starts_on = answer.starts_on ?? taipei(tx.at).date
  requireAhead(answer.expires_on, tx.at)
  requireOrder({ starts_on, expires_on: answer.expires_on ?? null })
  await requireGroups(tx, organization.id, answer.group_ids ?? [])
}

/** What is written down of each entrance when somebody has come in by an approved request; at once see enter.ts. */
const USED: Record<
  StoredRequest['source'],
  ((tx: Tx, row: StoredRequest) => Promise<void>) | 'any number of times'
> = {
  async link(tx, { link_id, organization_id }) {
    if (link_id !== null) await countUse(tx, link_id, organization_id)
  },
  join_code: 'any number of times',
}

/** Answers one request, read under the organization's lock; approving makes a member in the same transaction. */
export async function reviewRequest(
  tx: Tx,
  actor: Pick<Actor, 'uid'>,
  organization: Authorized<StoredOrganization>,
  row: StoredRequest,
  answer: Answer,
): Promise<Reviewed> {
  if (requestState(row, tx.at) !== 'pending') return 'answered'
  const approve = answer.decision === 'approve'
  if (approve && (await isMemberNow(tx, row))) return 'already_member'
  const { id: organization_id } = organization
  await tx.db
    .updateTable('join_requests')
    .set({
      status: approve ? 'approved' : 'rejected',
      reason: approve ? null : answer.reason || null,
      decided_by: actor.uid,
      decided_at: tx.at,
      updated_at: tx.at,
    })
    .where('id', '=', row.id)
    .execute()
  await tellRequest(tx, row, approve ? 'other' : 'rejected')
  if (!approve) return 'done'
  const starts_on = answer.starts_on ?? taipei(tx.at).date
  const expires_on =
    answer.expires_on === undefined ? offeredEnd(organization, row, starts_on) : answer.expires_on
  requireOrder({ starts_on, expires_on })
  const group_ids = answer.group_ids ?? (JSON.parse(row.group_ids) as string[])
  const entry = { organization_id, uid: row.user_id, starts_on, expires_on, group_ids }
  await becomeMember(tx, { ...entry, role: 'member' })
  const used = USED[row.source]
  if (used !== 'any number of times') await used(tx, row)
  return 'done'
}

/** The end that approving gives when no other is said: the link's, unless it is over by now, else the organization's usual one. */
export function offeredEnd(
  organization: Pick<StoredOrganization, 'default_member_days'>,
  { expires_on }: Pick<StoredRequest, 'expires_on'>,
  from: string,
): string | null {
  return expires_on !== null && expires_on >= from ? expires_on : usualEnd(organization, from)
}

/** Takes the caller's own request back; 4040 for another's. Once more changes nothing. */
export async function cancelRequest(tx: Tx, row: StoredRequest): Promise<void> {
  if (row.status === 'cancelled') return
  if (row.status !== 'pending')
    throw new ApiError(4100, { msg: `join request ${row.status}`, text: '這份申請已經審核過了，請重新整理' })
  await tx.db
    .updateTable('join_requests')
    .set({ status: 'cancelled', updated_at: tx.at })
    .where('id', '=', row.id)
    .execute()
  await tellRequest(tx, row)
}

async function isMemberNow(tx: Tx, { organization_id, user_id }: StoredRequest): Promise<boolean> {
  const row = await tx.db
    .selectFrom('memberships')
    .select(['starts_on', 'expires_on'])
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row !== undefined && isMember(row, taipei(tx.at).date)
}
