// Which organization a call means, and who may do what in it now (rulings A1, A2).
import type { Selectable } from 'kysely'
import { ApiError } from '#contract/errors.ts'
import type { Permission } from '#contract/permissions.ts'
import { taipei } from '#trading/calendar.ts'
import type { Actor, App, Membership, Tx } from '../context.ts'
import { held } from '../db/query.ts'
import type { OrganizationRow } from '../db/schema.ts'
import { membershipOn } from './membership.ts'
import { type Authorized, requireStill } from './strategies.ts'
import { isSeenByOther } from './view.ts'

/** A stored organization. */
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
