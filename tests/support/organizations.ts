// Organizations put straight into the tables: their own calls come with their screens.
import type { Insertable, Kysely } from 'kysely'
import type { MembershipRow, Schema } from '#server/db/schema.ts'
import { newId } from '#server/ids.ts'

const AT = '2026-01-01T00:00:00.000Z'

/** A new organization's id. */
export async function insertOrganization(db: Kysely<Schema>, name: string): Promise<string> {
  const id = newId()
  await db
    .insertInto('organizations')
    .values({ id, name, logo: null, created_at: AT, updated_at: AT })
    .execute()
  return id
}

/** Makes somebody a member since long ago and without an end, unless `over` says otherwise. */
export async function insertMember(
  db: Kysely<Schema>,
  organization_id: string,
  user_id: string,
  over: Partial<Insertable<MembershipRow>> = {},
): Promise<void> {
  const row: Insertable<MembershipRow> = {
    organization_id,
    user_id,
    role: 'member',
    starts_on: '2020-01-01',
    expires_on: null,
    created_at: AT,
    updated_at: AT,
    ...over,
  }
  await db.insertInto('memberships').values(row).execute()
}
