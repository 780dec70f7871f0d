// When the source of a webhook was last heard, from when on a strategy's source is watched, and since which message it is silent.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('webhooks').addColumn('last_heard_at', 'text').execute()
  await db.schema.alterTable('strategies').addColumn('watched_from', 'text').execute()
  await db.schema.alterTable('strategies').addColumn('silent_since', 'text').execute()
  await sql`create index strategies_watched on strategies (id) where watched_from is not null`.execute(db)
  for (const column of ['last_accepted_at', 'last_rejected_at', 'last_duplicate_at'])
    await sql`update webhooks set last_heard_at = ${sql.ref(column)}
      where ${sql.ref(column)} is not null and ${sql.ref(column)} > coalesce(last_heard_at, '')`.execute(db)
  // The switch stood in the form once: who has it on is watched.
  await sql`update strategies set watched_from = updated_at
    where status = 'active' and deleted_at is null and silence_alarm like '%"enabled":true%'`.execute(db)
}
