// The end of an organization: at once it is nobody's, its webhooks answer 410; what is in it is erased beside everything else.
import type { Scope } from '#contract/events.ts'
import type { StoredOrganization } from '../access/organization.ts'
import type { Authorized } from '../access/strategies.ts'
import type { App, Tx } from '../context.ts'
import { held } from '../db/held.ts'
import { appendNumbered, nextSeqs } from '../events/append.ts'
import { dropImagesOf } from '../file/store.ts'
import { closeDoors } from '../record/erase.ts'

/**
 * Ends every membership and closes every door; from this commit on nobody sees anything of it. Strategies, signals, deliveries,
 * groups and what was told of them are erased after it, some rows at a time (record/erasures.ts). Of a strategy only an empty row
 * stays, and of its webhooks their closed doors: a script that goes on sending is told 410.
 */
export async function dissolve(app: App, tx: Tx, row: Authorized<StoredOrganization>): Promise<void> {
  const scope = `o:${row.id}` as const
  const query = tx.db.selectFrom('strategies').select('id').where('scope', '=', scope).orderBy('id')
  // Locked before anything is told: a message on its way in takes the same two locks in this order.
  await held(app, query).execute()
  await endMemberships(tx, row)
  const strategies = await closeDoors(tx, scope)
  await dropImagesOf(app, tx, scope)
  await tx.db.deleteFrom('invites').where('organization_id', '=', row.id).execute()
  await tx.db.deleteFrom('invite_links').where('organization_id', '=', row.id).execute()
  const asked = await tx.db
    .deleteFrom('join_requests')
    .where('organization_id', '=', row.id)
    .returning('user_id')
    .execute()
  for (const user_id of new Set(asked.map((one) => one.user_id)))
    await tx.append(`p:${user_id}`, 'profile', { change: 'join_requests' })
  // Its row holds what hangs on it until that is erased; nothing of the organization is left in it.
  await tx.db
    .updateTable('organizations')
    .set({
      ...{ name: '', introduction: '', logo: null, contact_email: null, contact_links: '[]' },
      ...{ join_code_enabled: 0, join_code: null, updated_at: tx.at },
    })
    .where('id', '=', row.id)
    .execute()
  const owed = { id: scope, scope }
  await tx.db
    .insertInto('owed_erasures')
    .values({ ...owed, since: tx.at })
    .execute()
  tx.afterCommit(() => {
    for (const id of strategies) app.ledger.forget(id)
    app.erasures.soon(owed)
  })
}

/**
 * Ends every membership and tells each person. Nothing is noted, for the notes go, too; and who is no member has nothing of the
 * groups, which are erased later.
 */
async function endMemberships(tx: Tx, { id: organization_id, name }: StoredOrganization): Promise<void> {
  const people = await tx.db
    .deleteFrom('memberships')
    .where('organization_id', '=', organization_id)
    .returning('user_id')
    .execute()
  const scopes = people.map(({ user_id }): Scope => `p:${user_id}`)
  const seqs = await nextSeqs(tx.db, new Map(scopes.map((scope) => [scope, 1])))
  const own: Scope | null = tx.by === undefined ? null : `p:${tx.by}`
  await appendNumbered(
    tx,
    scopes.map((scope) => ({
      ...{ seq: seqs.get(scope) as number, scope, at: tx.at },
      kind: 'context-revoked',
      // Whoever did it knows it.
      data: { organization_id, reason: 'dissolved', ...(scope !== own && { name }) },
    })),
  )
}
