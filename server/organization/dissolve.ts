// The end of an organization: everybody leaves it, everything of it is erased, its webhooks answer 410.
import { endMembership } from '../access/membership.ts'
import type { StoredOrganization } from '../access/organization.ts'
import type { Authorized } from '../access/strategies.ts'
import type { App, Tx } from '../context.ts'
import { held } from '../db/held.ts'
import { dropImagesOf } from '../file/store.ts'
import { closeDoors, eraseStrategies } from '../record/erase.ts'

/**
 * Ends every membership, then erases strategies, signals, deliveries, groups, invitations and what was told of them. Of a
 * strategy only an empty row stays, and of its webhooks their closed doors: a script that goes on sending is told 410.
 */
export async function dissolve(app: App, tx: Tx, row: Authorized<StoredOrganization>): Promise<void> {
  const scope = `o:${row.id}` as const
  const query = tx.db.selectFrom('strategies').select('id').where('scope', '=', scope).orderBy('id')
  // Locked before anything is told: a message on its way in takes the same two locks in this order.
  const strategies = await held(app, query).execute()
  const people = await tx.db
    .selectFrom('memberships')
    .select('user_id')
    .where('organization_id', '=', row.id)
    .orderBy('user_id')
    .execute()
  for (const { user_id } of people) await endMembership(tx, row.id, user_id, 'dissolved')
  await closeDoors(tx, scope)
  await eraseStrategies(tx.db, scope)
  await dropImagesOf(app, tx, scope)
  await tx.db.deleteFrom('organizations').where('id', '=', row.id).execute()
  await tx.db.deleteFrom('events').where('scope', '=', scope).execute()
  tx.afterCommit(() => {
    for (const { id } of strategies) app.intake.forget(id)
  })
}
