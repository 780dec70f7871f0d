// An accepted invitation becomes a membership, with its places in groups (rulings A16, C18).
import { ApiError } from '#contract/errors.ts'
import { taipei } from '#trading/calendar.ts'
import { proveAddress } from '../access/address.ts'
import { leaveGroups, tellAccess } from '../access/membership.ts'
import { isInside } from '../access/state.ts'
import type { Actor, Tx } from '../context.ts'
import type { StoredInvite } from './rules.ts'
import { write } from './store.ts'

/**
 * Makes the caller a member from today until the end the invitation names; a membership that is over begins anew, with the
 * invitation's groups alone. Groups that are gone by now are left out. 4094 for somebody who is a member or will be.
 */
export async function accept(
  tx: Tx,
  actor: Pick<Actor, 'uid' | 'email_verified'>,
  invite: StoredInvite,
): Promise<void> {
  const { organization_id, role, expires_on } = invite
  const day = taipei(tx.at).date
  const stamps = { created_at: tx.at, updated_at: tx.at }
  const before = await tx.db
    .selectFrom('memberships')
    .select(['starts_on', 'expires_on'])
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', actor.uid)
    .executeTakeFirst()
  if (before && (isInside(before, day) || before.starts_on > day))
    throw new ApiError(4094, { text: '你已經是這個組織的成員' })
  const terms = { role, starts_on: day, expires_on, ended_told: null, updated_at: tx.at }
  await tx.db
    .insertInto('memberships')
    .values({ organization_id, user_id: actor.uid, created_at: tx.at, ...terms })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(terms))
    .execute()
  // Places of the time before would give more than this invitation offers.
  if (before) await leaveGroups(tx, organization_id, actor.uid)
  const groups = await groupsOf(tx, invite)
  if (groups.length > 0)
    await tx.db
      .insertInto('group_members')
      .values(
        groups.map((group_id) => ({
          group_id,
          user_id: actor.uid,
          starts_on: day,
          ends_on: expires_on,
          ...stamps,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['group_id', 'user_id'])
          .doUpdateSet({ starts_on: day, ends_on: expires_on, updated_at: tx.at }),
      )
      .execute()
  if (!actor.email_verified && !(await proveAddress(tx, actor.uid, invite.email))) throw new ApiError(4033)
  await write(tx, invite.id, { status: 'accepted', answered_at: tx.at })
  await tellAccess(tx, organization_id, [actor.uid], 'added')
}

async function groupsOf(tx: Tx, invite: StoredInvite): Promise<string[]> {
  const ids = JSON.parse(invite.group_ids) as string[]
  if (ids.length === 0) return []
  const rows = await tx.db
    .selectFrom('strategy_groups')
    .select('id')
    .where('organization_id', '=', invite.organization_id)
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id }) => id)
}
