// Confirmed formats (docs/decisions/121). Webhooks that are there keep being read the old way for ninety days, while what their
// senders write is asked about; and what they wrote lately is looked through once (server/webhook/learned-formats.ts).
import { type Kysely, sql } from 'kysely'

const GRACE_MS = 90 * 86_400_000

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_formats')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('webhook_id', 'text', (c) => c.notNull().references('webhooks.id').onDelete('cascade'))
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('shape', 'text', (c) => c.notNull())
    .addColumn('extends', 'text')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('format', 'text')
    .addColumn('mapping', 'text')
    .addColumn('sample_delivery_id', 'text')
    .addColumn('taken_before', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('confirmed_at', 'text')
    .addColumn('confirmed_by', 'text')
    .addUniqueConstraint('webhook_formats_shape', ['webhook_id', 'state', 'shape'])
    .execute()
  await sql`create index webhook_formats_waiting on webhook_formats (webhook_id) where state = 'waiting'`.execute(
    db,
  )
  const webhooks = () => db.schema.alterTable('webhooks')
  await webhooks()
    .addColumn('held', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await webhooks()
    .addColumn('formats_rev', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await webhooks().addColumn('formats_grace_until', 'text').execute()
  await webhooks()
    .addColumn('formats_due', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await webhooks()
    .addColumn('formats_used', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute()
  await webhooks().addColumn('asked_at', 'text').execute()
  await db.schema.alterTable('deliveries').addColumn('format_id', 'text').execute()
  await sql`create index deliveries_held on deliveries (webhook_id, format_id, id) where outcome = 'held'`.execute(
    db,
  )
  const until = new Date(Date.now() + GRACE_MS).toISOString()
  await sql`update webhooks set formats_grace_until = ${until}, formats_due = 1 where deleted_at is null`.execute(
    db,
  )
}
