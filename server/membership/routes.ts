// The calls on members: who belongs to an organization, as what, from when until when.
import { ApiError } from '#contract/errors.ts'
import {
  leaveOrganization,
  listAdmins,
  listMembers,
  type Member,
  removeMember,
  updateMember,
  updateMembers,
} from '#contract/membership.ts'
import { taipei } from '#trading/calendar.ts'
import { adminsOn, findMembership, NO_MEMBER, requireKnown, requireOrder } from '../access/members.ts'
import { holdOrganization, lockOrganization, membershipIn, organizationOf } from '../access/organization.ts'
import type { App, Tx } from '../context.ts'
import { handle, type Route } from '../http/handle.ts'
import { listRows, presentMembers, removeMembership, withChanges, writeMembership } from './store.ts'

/** Who came in by a link that was handed over need not be whose address it is: administration asks for a proven one (ruling C18). */
async function requireProven(tx: Tx, uid: string): Promise<void> {
  const { email_verified } = await tx.db
    .selectFrom('users')
    .select('email_verified')
    .where('id', '=', uid)
    .executeTakeFirstOrThrow()
  if (email_verified === 0)
    throw new ApiError(4220, { text: '這位成員還沒有驗證電子郵件，驗證之後才能成為管理者' })
}

/** Members: list, change one or several, remove, leave, the admins. */
export function membershipRoutes(app: App): Route[] {
  return [
    handle(app, listMembers, async ({ tx, actor, input }) => {
      organizationOf(actor, input.id)
      const { items, total } = await listRows(tx.db, input, taipei(tx.at).date)
      return { items, total, page: input.page, page_size: input.page_size }
    }),
    handle(app, updateMember, async ({ tx, actor, input: { id, user_id, ...changes } }) => {
      await holdOrganization(app, tx, actor, id, 'organization:manage')
      const row = await findMembership(tx.db, id, user_id)
      const next = withChanges(row, changes)
      requireOrder(next)
      if (row.role !== 'admin' && next.role === 'admin') await requireProven(tx, user_id)
      await writeMembership(tx, row, next)
      return (await presentMembers(tx.db, id, [user_id], taipei(tx.at).date))[0] as Member
    }),
    handle(app, updateMembers, async ({ tx, actor, input: { id, user_ids, expires_on } }) => {
      await holdOrganization(app, tx, actor, id, 'organization:manage')
      const uids = [...new Set(user_ids)].sort()
      const day = taipei(tx.at).date
      const known = new Map((await presentMembers(tx.db, id, uids, day)).map((one) => [one.user_id, one]))
      requireKnown('user_ids', user_ids, known, NO_MEMBER)
      for (const uid of uids) {
        const row = await findMembership(tx.db, id, uid)
        const next = withChanges(row, { expires_on })
        requireOrder(next, 'expires_on', `「${known.get(uid)?.name}」`)
        await writeMembership(tx, row, next)
      }
      return presentMembers(tx.db, id, uids, day)
    }),
    handle(app, removeMember, async ({ tx, actor, input: { id, user_id } }) => {
      await holdOrganization(app, tx, actor, id, 'organization:manage')
      await removeMembership(tx, await findMembership(tx.db, id, user_id), 'removed')
      return null
    }),
    handle(app, leaveOrganization, async ({ tx, actor, input: { id } }) => {
      await lockOrganization(app, tx, id)
      await removeMembership(tx, await findMembership(tx.db, id, actor.uid), 'left')
      return null
    }),
    handle(app, listAdmins, async ({ tx, actor, input: { id } }) => {
      await membershipIn(tx, actor, id)
      return adminsOn(tx.db, id, taipei(tx.at).date)
        .select(['users.name', 'users.avatar', 'users.email'])
        .execute()
    }),
  ]
}
