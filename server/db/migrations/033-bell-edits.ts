// When each field of a bell was edited, and by which session: of two devices the later edit stands, not the one that comes later.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('strategy_notify').addColumn('edits', 'text').execute()
}
