// Requests to join, read, and the organization behind a code.
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { listJoinRequests } from '#contract/join.ts'
import { newestOf } from '../db/newest.ts'
import type { Db } from '../db/schema.ts'
import { requestInState, type StoredRequest } from './rules.ts'

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
