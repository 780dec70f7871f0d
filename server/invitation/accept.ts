// An accepted invitation becomes a membership, with its places in groups (rulings A16, C18).
import { ApiError } from '#contract/errors.ts'
import { taipei } from '#trading/calendar.ts'
import { proveAddress } from '../access/address.ts'
import { becomeMember } from '../access/joining.ts'
import type { Actor, Tx } from '../context.ts'
import type { StoredInvite } from './rules.ts'
import { write } from './store.ts'

/** Makes the caller a member from today until the end the invitation names. 4094 for somebody who is a member or will be. */
export async function accept(
  tx: Tx,
  actor: Pick<Actor, 'uid' | 'email_verified'>,
  invite: StoredInvite,
): Promise<void> {
  const { organization_id, role, expires_on } = invite
  const group_ids = JSON.parse(invite.group_ids) as string[]
  if (!actor.email_verified && !(await proveAddress(tx, actor.uid, invite.email))) throw new ApiError(4033)
  await write(tx, invite.id, { status: 'accepted', answered_at: tx.at })
  const starts_on = taipei(tx.at).date
  await becomeMember(tx, { organization_id, uid: actor.uid, role, starts_on, expires_on, group_ids })
}
