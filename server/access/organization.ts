// Which organization a call means, and who may do what in it now (rulings A1, A2).
import { createHash } from 'node:crypto'
import type { Selectable, SelectQueryBuilder } from 'kysely'
import { ApiError, type ApiErrorDetails } from '#contract/errors.ts'
import { may, type Permission } from '#contract/permissions.ts'
import { taipei } from '#trading/calendar.ts'
import type { Actor, App, Membership, Tx } from '../context.ts'
import { held } from '../db/query.ts'
import type { Db, OrganizationRow, Schema, StrategyRow } from '../db/schema.ts'
import { accessMap, membershipOn, today } from './membership.ts'
import {
  type Authorized,
  findStrategy,
  requireStill,
  visibleSignals,
  visibleStrategies,
} from './strategies.ts'

// An admin looks at what one of the members sees (LB-View-As, docs/decisions/access.md): the actor is the member, the caller the admin.

/** True where somebody else looks at what this actor sees: nothing that is the person's alone is told. */
export const isSeenByOther = ({ uid, caller }: Pick<Actor, 'uid' | 'caller'>): boolean => uid !== caller

/** One line an admin, member and hour in the log of access. A view that cannot be noted is not given. */
export async function noteView(
  { db, now }: Pick<App, 'db' | 'now'>,
  { organization_id, uid: user_id }: Pick<Membership, 'organization_id' | 'uid'>,
  changed_by: string,
): Promise<void> {
  const at = new Date(now()).toISOString()
  const hour = at.slice(0, 13)
  const id = createHash('sha256').update([organization_id, changed_by, user_id, hour].join(' ')).digest('hex')
  const noted = await db.selectFrom('access_changes').select('id').where('id', '=', id).executeTakeFirst()
  if (noted) return
  const nothing = { group_id: null, strategy_id: null, role: null, starts_on: null, ends_on: null }
  // Over at once: it holds nothing, and among an organization's notes it may go first.
  const told = { id, organization_id, at, fact: 'view', user_id, changed_by, gone: 0, over_at: at } as const
  await db
    .insertInto('access_changes')
    .values({ ...told, ...nothing })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

// Who sees which groups: an organization's admins all of them, a member its own.

/** True for members, who see only themselves and what they may read. */
export function seesOwnOnly(actor: Pick<Actor, 'access'>): boolean {
  return actor.access !== null
}

/** The groups an actor sees, as the start of a query: a member those it is in or will be. `day` = today in Taipei. */
export function visibleGroups(
  db: Db,
  actor: Pick<Actor, 'uid' | 'organization_id' | 'access'>,
  day: string,
): SelectQueryBuilder<Schema, 'strategy_groups', object> {
  const own = db
    .selectFrom('strategy_groups')
    .where('strategy_groups.organization_id', '=', actor.organization_id ?? '')
  if (!seesOwnOnly(actor)) return own
  return own.where('strategy_groups.id', 'in', (eb) =>
    eb
      .selectFrom('group_members')
      .select('group_members.group_id')
      .where('group_members.user_id', '=', actor.uid)
      .where((where) => where.or([where('ends_on', 'is', null), where('ends_on', '>=', day)])),
  )
}

export type StoredOrganization = Selectable<OrganizationRow>

/** The header's organization; 4040 when the path names another one. */
export function organizationOf(actor: Pick<Actor, 'organization_id'>, id: string): string {
  if (actor.organization_id === null || actor.organization_id !== id) throw new ApiError(4040)
  return actor.organization_id
}

/**
 * The caller's membership of the path's organization, whatever the header says; 4040 when there is none today. A member who is
 * looked at by an admin has no other organization than the header's (4030).
 */
export async function membershipIn(
  tx: Tx,
  actor: Pick<Actor, 'uid' | 'caller' | 'organization_id'>,
  id: string,
): Promise<Membership> {
  if (isSeenByOther(actor) && id !== actor.organization_id) throw new ApiError(4030)
  const found = await membershipOn(tx.db, id, actor.uid, taipei(tx.at).date)
  if (!found) throw new ApiError(4040)
  return found
}

/** An organization, locked until the transaction ends: everything that changes who belongs to it takes turns. 4040 when there is none. */
export async function lockOrganization(
  app: Pick<App, 'engine'>,
  tx: Tx,
  id: string,
): Promise<StoredOrganization> {
  const query = tx.db.selectFrom('organizations').selectAll().where('id', '=', id)
  const row = await held(app, query).executeTakeFirst()
  // One without a name was dissolved; its row goes when everything behind it is erased.
  if (!row || row.name === '') throw new ApiError(4040)
  return row
}

/**
 * The header's organization, locked, for a caller who has the permission also now that it is locked: whoever was removed or
 * stepped down while waiting is refused (4031, 4030).
 */
export async function holdOrganization(
  app: Pick<App, 'engine'>,
  tx: Tx,
  actor: Actor,
  id: string,
  permission: Permission,
): Promise<Authorized<StoredOrganization>> {
  const row = await lockOrganization(app, tx, organizationOf(actor, id))
  await requireStill(tx.db, actor, permission, taipei(tx.at).date)
  return row as Authorized<StoredOrganization>
}

// A link opened in the wrong one of a person's identities: in which other one the strategy, the record or the group is there.

type What = { strategy_id: string } | { signal_id: string } | { group_id: string }

/**
 * 4040, with `found_in` when another identity of the caller has the thing and may view it there. Only the caller's own
 * identities are looked at: about what others have it says nothing, and does no other work for it.
 */
export async function missing(
  app: Pick<App, 'now'>,
  db: Db,
  actor: Pick<Actor, 'uid' | 'caller' | 'organization_id'>,
  what: What,
): Promise<ApiError> {
  // The other identities of a member are none of an admin's business.
  const found_in = isSeenByOther(actor) ? null : await foundIn(app, db, actor, what)
  return new ApiError(4040, found_in ? { found_in } : {})
}

async function foundIn(
  app: Pick<App, 'now'>,
  db: Db,
  { uid, organization_id: here }: Pick<Actor, 'uid' | 'organization_id'>,
  what: What,
): Promise<ApiErrorDetails['found_in'] | null> {
  // A group's page is its administration: who is only in it reads its name on the organization's page.
  const view: Permission = 'group_id' in what ? 'group:edit' : 'strategy:view'
  const day = today(app)
  if (here !== null && may({ type: 'personal' }, view)) {
    if (await sees(db, { uid, organization_id: null, scope: `p:${uid}`, access: null }, what, day))
      return { organization_id: null, name: '個人身份' }
  }
  for (const { id, name } of await organizationsOf(db, uid)) {
    if (id === here) continue
    const membership = await membershipOn(db, id, uid, day)
    if (!membership || !may({ type: 'organization', role: membership.role }, view)) continue
    const access = membership.role === 'member' ? await accessMap(db, membership, day) : null
    const there = { uid, organization_id: id, scope: `o:${id}`, access } as const
    if (await sees(db, there, what, day)) return { organization_id: id, name }
  }
  return null
}

function organizationsOf(db: Db, uid: string): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['organizations.id', 'organizations.name'])
    .where('user_id', '=', uid)
    .orderBy('organizations.name')
    .orderBy('organizations.id')
    .execute()
}

async function sees(
  db: Db,
  actor: Pick<Actor, 'uid' | 'organization_id' | 'scope' | 'access'>,
  what: What,
  day: string,
): Promise<boolean> {
  if ('group_id' in what) {
    const group = visibleGroups(db, actor, day).select('strategy_groups.id')
    return (await group.where('strategy_groups.id', '=', what.group_id).executeTakeFirst()) !== undefined
  }
  const row =
    'strategy_id' in what
      ? await visibleStrategies(db, actor)
          .select('strategies.id')
          .where('strategies.id', '=', what.strategy_id)
          .executeTakeFirst()
      : await visibleSignals(db, actor)
          .select('signals.id')
          .where('signals.id', '=', what.signal_id)
          .executeTakeFirst()
  return row !== undefined
}

/** A strategy the actor sees, as `findStrategy`; the refusal knows of the caller's other identities. For calls that view. */
export async function seeStrategy(
  app: Pick<App, 'now'>,
  db: Db,
  actor: Actor,
  strategy_id: string,
): Promise<StrategyRow> {
  try {
    return await findStrategy(db, actor, strategy_id)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 4040) throw error
    throw await missing(app, db, actor, { strategy_id })
  }
}

/** A row of the organization by its id; 4040 for any other. */
export async function rowOf<T extends 'announcements' | 'invites' | 'invite_links' | 'strategy_groups'>(
  db: Db,
  table: T,
  organization_id: string | null,
  id: string,
): Promise<Selectable<Schema[T]>> {
  const row = await db
    .selectFrom(table as 'invites')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organization_id)
    .executeTakeFirstOrThrow(() => new ApiError(4040))
  return row as unknown as Selectable<Schema[T]>
}
