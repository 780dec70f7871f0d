// Refused messages by strategy and time: few among many, and asked for with every list of strategies and every dashboard. Its readers:
// `rejectedSince` (strategy/present.ts), `rejectedByStrategy` (dashboard/store.ts).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index deliveries_refused on deliveries (strategy_id, received_at) where outcome = 'rejected' and test = 0`.execute(
    db,
  )
}
