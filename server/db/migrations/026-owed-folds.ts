// Strategies whose stored records are still to be brought to what folding says (docs/decisions/075).
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('owed_folds')
    .addColumn('strategy_id', 'text', (c) => c.primaryKey().references('strategies.id').onDelete('cascade'))
    .addColumn('since', 'text', (c) => c.notNull())
    .addColumn('from_seq', 'integer')
    .execute()
}
