// Organizations written: made with their first admin, changed.

import type { ParsedInputOf } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { ORGANIZATIONS_LED } from '#contract/limits.ts'
import type {
  ContactNode,
  createOrganization,
  Organization,
  updateOrganization,
} from '#contract/organization.ts'
import type { Role } from '#contract/permissions.ts'
import { taipei } from '#trading/calendar.ts'
import { countPending, freshJoinCode } from '../access/members.ts'
import { countMembers, tellAccess } from '../access/membership.ts'
import type { StoredOrganization } from '../access/organization.ts'
import type { Authorized } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import { takeTurn } from '../db/query.ts'
import type { Db } from '../db/schema.ts'
import { dropImage } from '../file/store.ts'
import { newId } from '../ids.ts'
import { UnitOfWork } from '../record/unit-of-work.ts'

// Organizations as they travel: more of them to admins.

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

type Draft = ParsedInputOf<typeof createOrganization>
type Changes = Omit<ParsedInputOf<typeof updateOrganization>, 'id'>

/** 4220 when the person leads as many as one may. */
async function roomToLead(tx: Tx, uid: string): Promise<void> {
  await takeTurn(tx.db, `lead ${uid}`)
  const { count } = await tx.db
    .selectFrom('memberships')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('user_id', '=', uid)
    .where('role', '=', 'admin')
    .executeTakeFirstOrThrow()
  if (Number(count) >= ORGANIZATIONS_LED)
    throw new ApiError(4220, {
      text: `一個人最多管理 ${ORGANIZATIONS_LED} 個組織，已經滿了；請先解散或離開用不到的`,
    })
}

/** Stores an organization, `logo` the address of its picture; its maker is its admin from today on, without an end. 4220 for who leads as many as one may. */
export async function insertOrganization(
  tx: Tx,
  actor: Pick<Actor, 'uid'>,
  draft: Draft,
): Promise<StoredOrganization> {
  await roomToLead(tx, actor.uid)
  const stamps = { created_at: tx.at, updated_at: tx.at }
  const row = await tx.db
    .insertInto('organizations')
    .values({
      id: newId(),
      name: draft.name,
      introduction: draft.introduction,
      contact_email: draft.contact_email,
      logo: draft.logo,
      ...stamps,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx.db
    .insertInto('memberships')
    .values({
      organization_id: row.id,
      user_id: actor.uid,
      role: 'admin',
      starts_on: taipei(tx.at).date,
      expires_on: null,
      ...stamps,
    })
    .execute()
  await tellAccess(tx, row.id, [actor.uid], 'added')
  return row
}

/** Lays changes over an organization; what is not given stays. Nothing changed: nothing is told. */
export async function updateOrganizationRow(
  app: Pick<App, 'limits'>,
  tx: Tx,
  row: Authorized<StoredOrganization>,
  changes: Changes,
): Promise<StoredOrganization> {
  const { contact_links, share_statistics, join_code_enabled, requires_review, ...plain } = changes
  // The first time it is turned on it gets a code; turned off and on again it has the same.
  const coded = join_code_enabled === true && row.join_code === null
  const given = {
    ...plain,
    ...(coded && { join_code: await freshJoinCode(tx.db) }),
    ...(contact_links !== undefined && { contact_links: JSON.stringify(contact_links) }),
    ...(share_statistics !== undefined && { share_statistics: Number(share_statistics) }),
    ...(join_code_enabled !== undefined && { join_code_enabled: Number(join_code_enabled) }),
    ...(requires_review !== undefined && { requires_review: Number(requires_review) }),
  }
  const changed = Object.entries(given).filter(
    ([key, value]) => value !== undefined && value !== row[key as keyof StoredOrganization],
  )
  if (changed.length === 0) return row
  if (changed.some(([key]) => key === 'share_statistics')) await app.limits.take('figures_shared', row.id)
  const next = await tx.db
    .updateTable('organizations')
    .set({ ...(Object.fromEntries(changed) as Partial<StoredOrganization>), updated_at: tx.at })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx.append(`o:${row.id}`, 'organization', { id: row.id, change: 'updated' })
  if (next.share_statistics !== row.share_statistics) await tellFigures(tx, row.id)
  return next
}

/** What members are shown of records is another one: whoever holds copies reads them again. */
async function tellFigures(tx: Tx, organization_id: string): Promise<void> {
  const scope = `o:${organization_id}` as const
  const rows = await tx.db.selectFrom('strategies').select('id').where('scope', '=', scope).execute()
  const uow = new UnitOfWork(tx)
  if (rows.length === 0) return
  let seq = await uow.number(scope, rows.length)
  for (const { id } of rows) uow.add(seq++, scope, 'strategy', { id, change: 'refolded', from_chain_seq: 1 })
  await uow.store()
}

/** Puts a picture (its address under /files) in place of the old one, whose file goes. */
export async function setLogo(
  app: Pick<App, 'config' | 'log'>,
  tx: Tx,
  row: Authorized<StoredOrganization>,
  logo: string,
): Promise<void> {
  await tx.db.updateTable('organizations').set({ logo, updated_at: tx.at }).where('id', '=', row.id).execute()
  await dropImage(app, tx, `o:${row.id}`, row.logo)
  await tx.append(`o:${row.id}`, 'organization', { id: row.id, change: 'updated' })
}
