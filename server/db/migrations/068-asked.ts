// Two indexes of few rows each. Shorts that wait for an answer: a list of strategies asks for them each time, whatever else is recorded.
// And what was told of an organization itself, which is looked for when one is dissolved (065 had dropped it: it is not found by anything else).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The words by which it is found: strategy/present.ts: askedShort.
  await sql`create index signals_asks_short on signals (strategy_id) where flags like '%"asks_short"%'`.execute(
    db,
  )
  await sql`create index notifications_organization on notifications (organization_id)
    where organization_id is not null and strategy_id is null`.execute(db)
}
