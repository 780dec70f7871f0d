// Memberships written: changed, ended. The organization is locked by the caller (holdOrganization, lockOrganization).
import type { EventData } from '#contract/events.ts'
import { taipei } from '#trading/calendar.ts'
import { isLasting, requireAdmin, type StoredMembership } from '../access/members.ts'
import { endMembership, tellAccess } from '../access/membership.ts'
import { isInside } from '../access/state.ts'
import type { Tx } from '../context.ts'

/** What may be changed of a membership. */
export type MembershipChanges = {
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
