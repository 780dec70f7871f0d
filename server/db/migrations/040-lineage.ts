// From which start on which numbers were given: cursors name the start they were given under (docs/decisions/103).
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('lineage')
    .addColumn('no', 'integer', (c) => c.primaryKey())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('begun_at', 'text', (c) => c.notNull())
    .addColumn('alone', 'integer', (c) => c.notNull())
    .execute()
  // Where a scope stood at that start, when it had moved since an earlier one wrote it down.
  await db.schema
    .createTable('lineage_heads')
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('no', 'integer', (c) => c.notNull())
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('lineage_heads_pk', ['scope', 'no'])
    .execute()
}
