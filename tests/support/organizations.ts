// Organizations, groups and invitations put straight into the tables, for tests of something else.
import type { Insertable, Kysely } from 'kysely'
import { tellAccess } from '#server/access/membership.ts'
import type { App } from '#server/context.ts'
import type { MembershipRow, Schema } from '#server/db/schema.ts'
import { inTransaction } from '#server/events/append.ts'
import { mintToken, newId } from '#server/ids.ts'

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

/** Makes somebody a member since long ago and without an end, unless `over` says otherwise; a member already stays as it is. */
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
  await db
    .insertInto('memberships')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** A group with one member since long ago; its id. */
export async function insertGroup(
  db: Kysely<Schema>,
  organization_id: string,
  name: string,
  user_id: string,
): Promise<string> {
  const id = newId()
  const stamps = { created_at: AT, updated_at: AT }
  await db
    .insertInto('strategy_groups')
    .values({ id, organization_id, name, name_key: name.toLowerCase(), description: name, ...stamps })
    .execute()
  await db
    .insertInto('group_members')
    .values({ group_id: id, user_id, starts_on: '2020-01-01', ends_on: null, ...stamps })
    .execute()
  return id
}

/** Makes these the only member and the only strategy of a group, on these days, and tells the member's streams. */
export async function giveStrategy(
  app: App,
  group: { id: string; organization_id: string },
  [user_id, strategy_id]: [user_id: string, strategy_id: string],
  days: { starts_on: string; ends_on: string | null },
): Promise<void> {
  await inTransaction(app, async (tx) => {
    const row = { group_id: group.id, ...days, created_at: tx.at, updated_at: tx.at }
    await tx.db.deleteFrom('group_members').where('group_id', '=', group.id).execute()
    await tx.db.deleteFrom('group_strategies').where('group_id', '=', group.id).execute()
    await tx.db
      .insertInto('group_members')
      .values({ ...row, user_id })
      .execute()
    await tx.db
      .insertInto('group_strategies')
      .values({ ...row, strategy_id })
      .execute()
    await tellAccess(tx, group.organization_id, [user_id], 'groups')
  })
}

/** An open invitation to an address; its id and code. */
export async function insertInvite(
  app: Pick<App, 'db' | 'keys'>,
  organization_id: string,
  email: string,
  invited_by: string,
): Promise<{ id: string; code: string }> {
  const id = newId()
  const { token: code, hash: code_hash } = mintToken()
  await app.db
    .insertInto('invites')
    .values({
      id,
      organization_id,
      email,
      code_hash,
      code_cipher: app.keys.seal(code),
      role: 'member',
      group_ids: '[]',
      expires_on: null,
      valid_until: '2099-12-31T00:00:00.000Z',
      status: 'pending',
      sent_at: AT,
      send_count: 1,
      invited_by,
      answered_at: null,
      created_at: AT,
      updated_at: AT,
    })
    .execute()
  return { id, code }
}

/** A link by which everybody may ask; its id and code. */
export async function insertLink(
  app: Pick<App, 'db' | 'keys'>,
  organization_id: string,
  created_by: string,
): Promise<{ id: string; code: string }> {
  const id = newId()
  const { token: code, hash: code_hash } = mintToken()
  const terms = { group_ids: '[]', expires_on: null, valid_until: null, max_uses: null }
  await app.db
    .insertInto('invite_links')
    .values({
      ...{ id, organization_id, code_hash, code_cipher: app.keys.seal(code), enabled: 1, ...terms },
      ...{ used_count: 0, requires_review: 1, created_by, created_at: AT, updated_at: AT },
    })
    .execute()
  return { id, code }
}

/** Somebody asks to join, with these words; the request's id. */
export async function insertRequest(
  db: Kysely<Schema>,
  organization_id: string,
  user_id: string,
  message: string,
): Promise<string> {
  const id = newId()
  await db
    .insertInto('join_requests')
    .values({
      ...{ id, organization_id, user_id, source: 'link', link_id: null, group_ids: '[]', expires_on: null },
      ...{ message, status: 'pending', reason: null, decided_by: null, decided_at: null },
      ...{ expires_at: '2099-12-31T00:00:00.000Z', created_at: AT, updated_at: AT },
    })
    .execute()
  return id
}
