// In which claim a delivery was first tried: what went as one message goes as one again (docs/decisions/095).
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('notification_deliveries').addColumn('tried_in', 'text').execute()
}
