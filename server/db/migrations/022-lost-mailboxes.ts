// Mailboxes that the other side says do not exist: no notification is sent there until the person proves it anew, or a letter passes.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('lost_mailboxes')
    .addColumn('uid', 'text', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    // Another address of the same person is another mailbox.
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('lost_at', 'text', (c) => c.notNull())
    .execute()
  // How soon a receiver may be written to again is asked of what was sent to it, by whichever process.
  await db.schema
    .createIndex('notification_deliveries_to')
    .on('notification_deliveries')
    .columns(['receiver_id', 'sent_at'])
    .execute()
}
