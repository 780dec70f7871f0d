// Of a body that nobody could read only the beginning is kept.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('deliveries')
    .addColumn('body_cut', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
