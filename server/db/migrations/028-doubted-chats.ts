// A chat that was bound under an earlier password opens no session any more, until its person binds it again.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('channel_receivers')
    .addColumn('doubted', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
