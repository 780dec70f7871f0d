// Records whose price is in doubt are counted; states of earlier know no last prices and go (docs/decisions/122). What stands is folded
// again when somebody looks or the next record comes: its key is another one since FOLDED_AS was raised.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('strategy_folds')
    .addColumn('price_suspect_count', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`delete from fold_marks`.execute(db)
}
