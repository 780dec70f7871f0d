// Folds remember which closed days they were derived with; rows of before do not say, so the next look folds them again.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('strategy_folds')
    .addColumn('calendar', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
}
