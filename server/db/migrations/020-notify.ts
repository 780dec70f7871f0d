// Notifications (docs/decisions/059): how far events were planned, inbox, deliveries, settings, receivers of every channel, codes that bind one.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('notify_cursors')
    .addColumn('scope', 'text', (c) => c.primaryKey())
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .execute()
  // What happened before there were notifications is news to nobody.
  await sql`insert into notify_cursors (scope, seq) select scope, seq from counters`.execute(db)
  await schema
    .createTable('notifications')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('uid', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('seq', 'bigint', (c) => c.notNull())
    // The same thing is told once: planned by two processes or twice by one.
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('organization_id', 'text')
    .addColumn('strategy_id', 'text')
    .addColumn('signal_id', 'text')
    .addColumn('announcement_id', 'text')
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('link', 'text', (c) => c.notNull())
    // 0: the person wants none of this kind in the inbox; it stands for its deliveries.
    .addColumn('listed', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('read_at', 'text')
    .addUniqueConstraint('notifications_once', ['uid', 'key'])
    .execute()
  await schema.createIndex('notifications_inbox').on('notifications').columns(['uid', 'seq']).execute()
  await schema.createIndex('notifications_signal').on('notifications').columns(['signal_id', 'uid']).execute()
  await schema.createIndex('notifications_age').on('notifications').columns(['created_at']).execute()
  await sql`create index notifications_unread on notifications (uid) where read_at is null and listed = 1`.execute(
    db,
  )
  await schema
    .createTable('notification_deliveries')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('notification_id', 'text', (c) =>
      c.notNull().references('notifications.id').onDelete('cascade'),
    )
    .addColumn('uid', 'text', (c) => c.notNull())
    .addColumn('channel', 'text', (c) => c.notNull())
    // A row of channel_receivers; a channel whose receivers are no rows (mail, inbox) has the person's id here.
    .addColumn('receiver_id', 'text', (c) => c.notNull())
    .addColumn('device_label', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('attempts', 'integer', (c) => c.notNull())
    // Its place among channels that come one after the other; 0 = at once.
    .addColumn('rank', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('next_at', 'text')
    .addColumn('lease_holder', 'text')
    .addColumn('sent_at', 'text')
    .addColumn('shown_at', 'text')
    .addColumn('opened_at', 'text')
    .execute()
  await schema
    .createIndex('notification_deliveries_of')
    .on('notification_deliveries')
    .columns(['notification_id'])
    .execute()
  await schema
    .createIndex('notification_deliveries_mine')
    .on('notification_deliveries')
    .columns(['uid', 'id'])
    .execute()
  // What is due, of each channel: `next_at` is null where nothing is left to do; while sending it is the end of the lease.
  await sql`create index notification_deliveries_due on notification_deliveries (channel, next_at) where next_at is not null`.execute(
    db,
  )
  await sql`create index notification_deliveries_held on notification_deliveries (lease_holder) where lease_holder is not null`.execute(
    db,
  )
  // Processes that deliver, and when they last said that they live.
  await schema
    .createTable('notify_processes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('seen_at', 'text', (c) => c.notNull())
    .execute()
  await schema
    .createTable('notification_settings')
    .addColumn('uid', 'text', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    // Fields by path: value, when it was edited, on which device.
    .addColumn('fields', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute()
  await schema
    .createTable('channel_receivers')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('uid', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    // Shown: @username, the device, the host.
    .addColumn('name', 'text')
    // Sealed: whoever has it may write to the person.
    .addColumn('address', 'text', (c) => c.notNull())
    // Mark of the channel's own id of it: one receiver belongs to one person.
    .addColumn('address_mark', 'text', (c) => c.notNull())
    // JSON, sealed where it holds a secret: which strategies, signing secrets.
    .addColumn('config', 'text')
    // The session that brought it: it ends with it.
    .addColumn('sid', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('last_ok_at', 'text')
    .addColumn('reason', 'text')
    .addUniqueConstraint('channel_receivers_once', ['channel', 'address_mark'])
    .execute()
  await schema
    .createIndex('channel_receivers_of')
    .on('channel_receivers')
    .columns(['uid', 'channel'])
    .execute()
  await schema
    .createTable('binding_codes')
    .addColumn('code_hash', 'text', (c) => c.primaryKey())
    .addColumn('uid', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('channel', 'text', (c) => c.notNull())
    // Sealed: the link is shown again while it lives.
    .addColumn('code', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('used_at', 'text')
    .addColumn('reason', 'text')
    .execute()
  await schema.createIndex('binding_codes_of').on('binding_codes').columns(['uid', 'channel']).execute()
  // What a channel keeps for the whole server: the place in its updates, how many messages went this month.
  await schema
    .createTable('channel_facts')
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('channel_facts_pk', ['channel', 'name'])
    .execute()
}
