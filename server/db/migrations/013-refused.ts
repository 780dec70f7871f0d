// Each webhook knows how many bytes it keeps of messages that became no signal: the owner's room is the sum.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('webhooks')
    .addColumn('refused_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`update webhooks set refused_bytes = coalesce((select sum(octet_length(body)) from deliveries
    where deliveries.webhook_id = webhooks.id and test = 0 and outcome in ('rejected', 'ignored', 'duplicate')), 0)`.execute(
    db,
  )
}
