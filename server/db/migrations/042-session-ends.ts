// A session has an end that renewing its token does not move. Those that are open get theirs from their beginning, but none before
// its person could be told.
import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'

const DAY_MS = 86_400_000
const DAYS = 180
/** Seven days of notice, counted from the first day that begins after the upgrade. */
const NOTICE_DAYS = 9

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sessions')
    .addColumn('ends_at', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  const sessions = await (db as Kysely<Schema>)
    .selectFrom('sessions')
    .select(['id', 'created_at', 'expires_at'])
    .execute()
  const soonest = Date.now() + NOTICE_DAYS * DAY_MS
  for (const { id, created_at, expires_at } of sessions) {
    const ends = Math.max(soonest, Date.parse(created_at) + DAYS * DAY_MS)
    const ends_at = new Date(ends).toISOString()
    await (db as Kysely<Schema>)
      .updateTable('sessions')
      // A token from before is longer than what is left.
      .set({ ends_at, expires_at: expires_at < ends_at ? expires_at : ends_at })
      .where('id', '=', id)
      .execute()
  }
  await db.schema.createIndex('sessions_ends').on('sessions').column('ends_at').execute()
}
