// What is still to be erased after somebody deleted it, so that no stop forgets it (docs/decisions/081); and who made a change of access.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('owed_erasures')
    // A strategy's id, or the scope of an organization that was dissolved.
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('since', 'text', (c) => c.notNull())
    .execute()
  // What was told of a strategy goes with it, some rows at a time: found without reading everybody's inbox each time.
  await db.schema.createIndex('notifications_strategy').on('notifications').column('strategy_id').execute()
  await db.schema.alterTable('access_changes').addColumn('changed_by', 'text').execute()
}
