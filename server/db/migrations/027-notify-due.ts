// When a delivery was first to go, and whether the person asked for it once more: its patience and its figures begin there.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('notification_deliveries').addColumn('due_at', 'text').execute()
  await db.schema.alterTable('notification_deliveries').addColumn('asked_at', 'text').execute()
}
