// Deliveries are held by a lease of their own, as jobs are: who delivers need not be listed. What a process of before holds is due when its
// claim ends. One index by receiver instead of two, without what the inbox has.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('notify_processes').execute()
  await db.schema.dropIndex('notification_deliveries_to').execute()
  await db.schema.dropIndex('notification_deliveries_together').execute()
  await sql`create index notification_deliveries_to on notification_deliveries (receiver_id, sent_at) where channel <> 'in_app'`.execute(
    db,
  )
}
