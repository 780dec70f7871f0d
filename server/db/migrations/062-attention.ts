// The badge counts what asks for a person: on every push, and never by going through the signals that nobody has looked at.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index notifications_attention on notifications (uid, seq) where read_at is null and listed = 1 and kind <> 'signal'`.execute(
    db,
  )
}
