// Each webhook knows what it keeps of messages that became signals, and how many rows; an answer kept for a key how much it takes.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['signal_bytes', 'kept'])
    await db.schema
      .alterTable('webhooks')
      .addColumn(column, 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
  await db.schema
    .alterTable('webhooks')
    .addColumn('let_go', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  await sql`update webhooks set kept = (select count(*) from deliveries where deliveries.webhook_id = webhooks.id),
    signal_bytes = coalesce((select sum(octet_length(body)) from deliveries where deliveries.webhook_id = webhooks.id
      and not (test = 0 and outcome in ('rejected', 'ignored', 'duplicate'))), 0)`.execute(db)
  await db.schema
    .alterTable('idempotency')
    .addColumn('bytes', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`update idempotency set bytes = 300 + coalesce(octet_length(body), 0)`.execute(db)
  await db.schema
    .createIndex('idempotency_room')
    .on('idempotency')
    .columns(['uid', 'created_at', 'bytes'])
    .execute()
}
