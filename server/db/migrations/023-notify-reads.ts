// What is read of deliveries again and again finds its rows without looking at all of them: those that went in one message, and
// those that nothing has confirmed yet.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index notification_deliveries_together on notification_deliveries (receiver_id, sent_at) where sent_at is not null and channel <> 'in_app'`.execute(
    db,
  )
  await sql`create index notification_deliveries_open on notification_deliveries (sent_at) where state = 'sent'`.execute(
    db,
  )
}
