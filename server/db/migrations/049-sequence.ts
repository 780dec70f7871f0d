// The sender's own count of its messages (domain §5.5): the newest number of a webhook, and those that are missing.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('webhooks').addColumn('sequence', 'text').execute()
}
