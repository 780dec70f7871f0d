// What people have let applications do: one entry per application, and its end.
import { type Grant, OAUTH_SCOPES } from '#contract/oauth.ts'
import { grantSid } from '../access/actor.ts'
import type { App, Tx } from '../context.ts'
import type { Db } from '../db/schema.ts'

/** The parts of the library's payload that are shown. */
interface Payload {
  jti: string
  clientId: string
  openid?: { scope?: string; rejected?: { scope?: string } }
}

/** The applications that can act for a person now, the newest first; repeated consents to one application are one entry. */
export async function grantsOf(app: App, db: Db, uid: string, now: string): Promise<Grant[]> {
  const { oidc } = app
  if (!oidc) return []
  const rows = await db
    .selectFrom('oidc_rows as g')
    .select(['g.payload', 'g.created_at'])
    .where('g.model', '=', 'Grant')
    .where('g.account', '=', uid)
    .where('g.expires_at', '>', now)
    // A grant without a token that still works lets nobody do anything.
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('oidc_rows as t')
          .select('t.id_hash')
          .whereRef('t.grant_hash', '=', 'g.grant_hash')
          .where('t.model', 'in', ['AccessToken', 'RefreshToken'])
          .where('t.consumed_at', 'is', null)
          .where('t.expires_at', '>', now),
      ),
    )
    .orderBy('g.created_at', 'desc')
    .execute()
  const entries = new Map<string, Grant>()
  for (const { payload, created_at } of rows) {
    const { jti, clientId, openid } = JSON.parse(app.keys.unseal(payload)) as Payload
    const client = oidc.clients.get(clientId)
    if (!client) continue
    const refused = new Set((openid?.rejected?.scope ?? '').split(' '))
    const given = new Set((openid?.scope ?? '').split(' ').filter((scope) => !refused.has(scope)))
    const before = entries.get(clientId)
    for (const scope of before?.scopes ?? []) given.add(scope)
    entries.set(clientId, {
      id: before?.id ?? jti,
      client: { id: clientId, name: client.client_name, logo: client.logo },
      scopes: OAUTH_SCOPES.filter((scope) => given.has(scope)),
      since: created_at,
    })
  }
  return [...entries.values()]
}

/** Ends all that the application of this grant may do for the person; false when there is no such grant of theirs. */
export async function endGrant(app: App, tx: Tx, uid: string, id_hash: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom('oidc_rows')
    .select('client_id')
    .where('model', '=', 'Grant')
    .where('id_hash', '=', id_hash)
    .where('account', '=', uid)
    .executeTakeFirst()
  if (!row?.client_id) return false
  await end(app, tx, uid, row.client_id)
  return true
}

/** Ends every application's access for a person: after a password was reset, and whenever all sessions end. */
export function endGrantsOf(app: Pick<App, 'events'>, tx: Tx, uid: string): Promise<void> {
  return end(app, tx, uid, null)
}

async function end(app: Pick<App, 'events'>, tx: Tx, uid: string, client_id: string | null): Promise<void> {
  const gone = await tx.db
    .deleteFrom('oidc_rows')
    .where('account', '=', uid)
    .$if(client_id !== null, (query) => query.where('client_id', '=', client_id))
    .returning(['model', 'id_hash'])
    .execute()
  for (const { id_hash } of gone.filter(({ model }) => model === 'Grant'))
    tx.afterCommit(() => app.events.endSession(grantSid(id_hash)))
}
