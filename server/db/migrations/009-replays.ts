// Counts of messages about another product beside those refused, records that alarm nobody, and the two ways a replay looks back:
// what was a copy of a delivery, what points at a record. Both indexes hold few rows, so that an ordinary signal pays nothing.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of [
    ['webhooks', 'mismatch'],
    ['signals', 'quiet'],
  ] as const)
    await db.schema
      .alterTable(table)
      .addColumn(column, 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  await sql`update webhooks set mismatch = (select count(*) from deliveries as d
    where d.webhook_id = webhooks.id and d.test = 0 and d.reason_code = 'symbol_mismatch')`.execute(db)
  await sql`create index deliveries_copies on deliveries (duplicate_of) where duplicate_of is not null`.execute(
    db,
  )
  await sql`create index signals_pointers on signals (refers_to) where refers_to is not null`.execute(db)
}
