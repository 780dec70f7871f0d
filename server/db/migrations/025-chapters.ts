// Closed trades in chapters, written when somebody has looked: the first look after a start goes on from them (docs/decisions/072).
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fold_chapters')
    .addColumn('strategy_id', 'text', (c) => c.notNull().references('strategies.id').onDelete('cascade'))
    .addColumn('chapter', 'integer', (c) => c.notNull())
    .addColumn('chain_seq', 'integer', (c) => c.notNull())
    .addColumn('chain_hash', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('rest_seq', 'integer', (c) => c.notNull())
    .addColumn('last_at', 'bigint', (c) => c.notNull())
    .addColumn('sum', 'text', (c) => c.notNull())
    // The long ones last: SQLite reads a row only as far as it is asked for.
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('trades', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('fold_chapters_pk', ['strategy_id', 'chapter'])
    .execute()
}
