// What was answered to a position that the source reported differently (wire §14): each answer a row, the last one counts.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('gap_answers')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('strategy_id', 'text', (c) => c.notNull().references('strategies.id').onDelete('cascade'))
    .addColumn('signal_id', 'text', (c) => c.notNull())
    .addColumn('answer', 'text', (c) => c.notNull())
    .addColumn('answered_by', 'text', (c) => c.notNull())
    .addColumn('answered_at', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('gap_answers_of')
    .on('gap_answers')
    .columns(['strategy_id', 'signal_id', 'id'])
    .execute()
}
