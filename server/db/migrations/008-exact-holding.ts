// Holding times were floored to minutes: figures made before count no calendar as theirs, so the next look folds them again.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update strategy_figures set calendar = ''`.execute(db)
}
