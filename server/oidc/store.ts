// Where the provider keeps its things: our database, ids as SHA-256 and payloads sealed, so that a copy of the table opens nothing.
import { createHash } from 'node:crypto'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { App } from '../context.ts'

/** What stands in the table instead of an id. */
export function hashed(id: string): string {
  return createHash('sha256').update(id).digest('base64url')
}

export type StoreParts = Pick<App, 'db' | 'keys' | 'now'>

/** One model's things. `spent` makes the error of a second use that came at the same moment. */
export class OidcStore implements Adapter {
  readonly #app: StoreParts
  readonly #model: string
  readonly #spent: () => Error

  constructor(app: StoreParts, model: string, spent: () => Error) {
    this.#app = app
    this.#model = model
    this.#spent = spent
  }

  async upsert(id: string, payload: AdapterPayload, expires_in_s: number): Promise<void> {
    const now_ms = this.#app.now()
    const fresh = {
      grant_hash: this.#model === 'Grant' ? hashed(id) : payload.grantId ? hashed(payload.grantId) : null,
      uid_hash: payload.uid ? hashed(payload.uid) : null,
      // The provider's session remembers nobody: who signs in is asked at our own page, every time.
      account: this.#model === 'Session' ? null : (payload.accountId ?? null),
      client_id: payload.clientId ?? null,
      payload: this.#app.keys.seal(JSON.stringify(this.#model === 'Session' ? nobody(payload) : payload)),
      expires_at: new Date(now_ms + expires_in_s * 1_000).toISOString(),
    }
    await this.#app.db
      .insertInto('oidc_rows')
      .values({
        model: this.#model,
        id_hash: hashed(id),
        created_at: new Date(now_ms).toISOString(),
        consumed_at: null,
        ...fresh,
      })
      .onConflict((conflict) => conflict.columns(['model', 'id_hash']).doUpdateSet(fresh))
      .execute()
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    return this.#one('id_hash', id)
  }

  findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#one('uid_hash', uid)
  }

  /** Only for devices without a browser, which we do not offer. */
  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  /** Marks it used; of two at the same moment one fails and takes what the grant holds with it, as every second use does. */
  async consume(id: string): Promise<void> {
    const { db, now } = this.#app
    const row = await db
      .updateTable('oidc_rows')
      .set({ consumed_at: new Date(now()).toISOString() })
      .where('model', '=', this.#model)
      .where('id_hash', '=', hashed(id))
      .where('consumed_at', 'is', null)
      .returning('id_hash')
      .executeTakeFirst()
    if (row) return
    const used = await this.find(id)
    if (used?.grantId) await this.revokeByGrantId(used.grantId)
    throw this.#spent()
  }

  async destroy(id: string): Promise<void> {
    await this.#app.db
      .deleteFrom('oidc_rows')
      .where('model', '=', this.#model)
      .where('id_hash', '=', hashed(id))
      .execute()
  }

  /** The grant and all that was issued under it, of every model. */
  async revokeByGrantId(grant_id: string): Promise<void> {
    await this.#app.db.deleteFrom('oidc_rows').where('grant_hash', '=', hashed(grant_id)).execute()
  }

  async #one(column: 'id_hash' | 'uid_hash', value: string): Promise<AdapterPayload | undefined> {
    const row = await this.#app.db
      .selectFrom('oidc_rows')
      .select(['payload', 'consumed_at'])
      .where('model', '=', this.#model)
      .where(column, '=', hashed(value))
      .executeTakeFirst()
    if (!row) return undefined
    const payload = JSON.parse(this.#app.keys.unseal(row.payload)) as AdapterPayload
    return row.consumed_at === null ? payload : { ...payload, consumed: Date.parse(row.consumed_at) / 1_000 }
  }
}

function nobody({
  accountId: _account,
  loginTs: _at,
  authorizations: _grants,
  ...rest
}: AdapterPayload): AdapterPayload {
  return rest
}
