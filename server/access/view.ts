// An admin looks at what one of the members sees (LB-View-As, decision 119): the actor is the member, the caller the admin.
import { createHash } from 'node:crypto'
import type { Actor, App, Membership } from '../context.ts'

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
