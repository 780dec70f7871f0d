// Invitations whose link an admin may copy, because this server sends no mail: their code proves no mailbox.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invites add column handed integer not null default 0`.execute(db)
}
