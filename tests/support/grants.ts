// An application's access to a person's data as a row, for tests that are not about how it comes to be.
import { randomUUID } from 'node:crypto'
import type { App } from '#server/context.ts'
import { hashed } from '#server/oidc/provider.ts'

/** Gives the id that the list and DELETE /oauth/grants/{id} use. */
export async function insertGrant(app: Pick<App, 'db' | 'keys' | 'now'>, uid: string): Promise<string> {
  const id = randomUUID()
  await app.db
    .insertInto('oidc_rows')
    .values({
      model: 'Grant',
      id_hash: hashed(id),
      grant_hash: hashed(id),
      uid_hash: null,
      account: uid,
      client_id: `client-of-${id}`,
      payload: app.keys.seal('{}'),
      created_at: new Date(app.now()).toISOString(),
      expires_at: new Date(app.now() + 3_600_000).toISOString(),
      consumed_at: null,
    })
    .execute()
  return id
}
