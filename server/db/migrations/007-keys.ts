// Copies are looked for by key first: keys begin with the sender's own id and time, so that what many webhooks send at one
// moment stands together. Led by the webhook, every message of a commit wrote a page of its own, and split it again and again.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('deliveries_dedupe').execute()
  await db.schema
    .createIndex('deliveries_key')
    .on('deliveries')
    .columns(['dedupe_key', 'webhook_id', 'received_at'])
    .execute()
}
