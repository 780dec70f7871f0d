// Which fields of a strategy nobody has said yet: they stand at their defaults, and are asked for when they matter.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Strategies of before were asked in their form.
  await sql`alter table strategies add column assumed text not null default '[]'`.execute(db)
}
