// When numbers of a scope were last given, in minutes: written with the number, so that planning looks for what it fell behind with among
// those alone and not through everybody's. Its reader is notify/planner.ts: scopesBehind. On PostgreSQL a row moves in the index once a minute.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('counters')
    .addColumn('touched', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('counters_touched').on('counters').column('touched').execute()
}
