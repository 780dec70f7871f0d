// Events of notifications keep the id only, as those of signals and deliveries do: what was told stands in the inbox, and goes with what
// it was about (docs/decisions/081); what was told of an organization is found when it is dissolved.
import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../bulk.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  const id = isPostgres(db)
    ? sql`json_build_object('id', data::json ->> 'id')::text`
    : sql`json_object('id', json_extract(data, '$.id'))`
  await sql`update events set data = ${id} where kind = 'notification'`.execute(db)
  await sql`create index notifications_organization on notifications (organization_id)
    where organization_id is not null and strategy_id is null`.execute(db)
}
