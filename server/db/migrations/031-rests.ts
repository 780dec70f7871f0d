// What holds for every process, every month and every session (docs/decisions/080): until when receivers are left alone, what an
// account took of a channel's messages, and which session a chat, and which chat a session, came from.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('receiver_rests')
    .addColumn('channel', 'text', (c) => c.notNull())
    // '' = the whole channel; mail has the person's id here.
    .addColumn('receiver_id', 'text', (c) => c.notNull())
    // The other side said so.
    .addColumn('asked_until', 'text')
    // It failed so often in a row, which rests it.
    .addColumn('failed', 'integer', (c) => c.notNull())
    .addColumn('rests_until', 'text')
    .addColumn('noted_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('receiver_rests_pk', ['channel', 'receiver_id'])
    .execute()
  await db.schema
    .createTable('channel_usage')
    .addColumn('channel', 'text', (c) => c.notNull())
    // `YYYY-MM` by the clock of the other side's account.
    .addColumn('month', 'text', (c) => c.notNull())
    .addColumn('uid', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('used', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('channel_usage_pk', ['channel', 'month', 'uid'])
    .execute()
  // The session whose person last said that the chat is theirs; null = before this was kept.
  await db.schema.alterTable('channel_receivers').addColumn('bound_sid', 'text').execute()
  await db.schema.alterTable('binding_codes').addColumn('sid', 'text').execute()
  // The chat that asked for the ticket, and the session that it opened.
  await db.schema.alterTable('tickets').addColumn('receiver_id', 'text').execute()
  await db.schema.alterTable('sessions').addColumn('receiver_id', 'text').execute()
}
