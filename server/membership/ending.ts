// Memberships whose last day is over: told once, to the person and to the organization; the row stays and can be renewed.
import { taipei } from '#trading/calendar.ts'
import { endMembership } from '../access/membership.ts'
import type { App } from '../context.ts'
import { inTransaction } from '../events/append.ts'

/** Tells of every end that nobody was told of yet; gives how many. One transaction each: none holds up the signals. */
export async function endExpired(app: Pick<App, 'db' | 'now' | 'events' | 'log'>): Promise<number> {
  const day = taipei(new Date(app.now()).toISOString()).date
  const due = await app.db
    .selectFrom('memberships')
    .select(['organization_id', 'user_id'])
    .where('expires_on', '<', day)
    .where((eb) => eb.or([eb('ended_told', 'is', null), eb('ended_told', '<>', eb.ref('expires_on'))]))
    .orderBy('organization_id')
    .orderBy('user_id')
    .execute()
  let told = 0
  for (const { organization_id, user_id } of due) {
    const mine = await inTransaction(app, async (tx) => {
      // Claimed by the update: a second process on the same database finds nothing left to tell.
      const row = await tx.db
        .updateTable('memberships')
        .set((eb) => ({ ended_told: eb.ref('expires_on') }))
        .where('organization_id', '=', organization_id)
        .where('user_id', '=', user_id)
        .where('expires_on', '<', day)
        .where((eb) => eb.or([eb('ended_told', 'is', null), eb('ended_told', '<>', eb.ref('expires_on'))]))
        .returning('user_id')
        .executeTakeFirst()
      if (row) await endMembership(tx, organization_id, user_id, 'expired')
      return row !== undefined
    })
    if (mine) told++
  }
  return told
}
