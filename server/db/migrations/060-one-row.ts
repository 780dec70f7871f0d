// One row a message: what made a record stands with it in `signals`, and what made none in `messages`. Rows from before stay in
// `messages`, where their thirty days end; nothing is moved. `deliveries` is both, for whoever reads them.
import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../bulk.ts'
import type { Db } from '../schema.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('deliveries').renameTo('messages').execute()
  // How many numbers from `seq` on are told by this row: 0 = they are rows of `events`, 2 = the message's, too.
  await sql`alter table signals add column event_count integer not null default 0`.execute(db)
  // The long ones last: whoever reads the others does not read past them.
  const columns = [
    ...([
      'source_ip text',
      'content_type text',
      'size integer',
      'body_encoding text',
      'dedupe_key text',
    ] as const),
    ...([
      'outcome text',
      'format_id text',
      'duration_ms double precision',
      'ruled_quantity integer',
    ] as const),
    ...(['reason text', 'normal text', 'body text'] as const),
  ]
  for (const column of columns) await sql`alter table signals add column ${sql.raw(column)}`.execute(db)
  // Read by lists of a webhook, by who looks one message of it up, by the counts of a day, and by housekeeping.
  await sql`create index signals_messages on signals (webhook_id, delivery_id, received_at, outcome) where source_ip is not null`.execute(
    db,
  )
  // Read by the intake: has it been here before? (ingest/copies.ts)
  await sql`create index signals_keys on signals (dedupe_key, webhook_id, received_at) where dedupe_key is not null`.execute(
    db,
  )
  const hash = isPostgres(db as unknown as Db)
    ? sql`facts::json ->> 'body_sha256'`
    : sql`cast(json_extract(facts, '$.body_sha256') as text)`
  // Said with their types: of two parts whose columns are of another kind SQLite makes one list before it looks.
  const none = sql`cast(null as text)`
  // What stands with its record alone: for whoever reads in order, place by place (usage/messages.ts).
  await sql`create view recorded as
    select delivery_id as id, webhook_id, strategy_id, received_at, source_ip, content_type, size, body, body_encoding,
      ${hash} as body_sha256, cast(0 as integer) as body_cut, dedupe_key, outcome, cast(200 as integer) as http_status,
      ${none} as reason_code, reason, ${none} as field, ${none} as duplicate_of, id as signal_id, format_id, normal, duration_ms,
      cast(0 as integer) as test, ${none} as replayed_at, ruled_quantity from signals where source_ip is not null`.execute(
    db,
  )
  await sql`create view deliveries as
    select id, webhook_id, strategy_id, received_at, source_ip, content_type, size, body, body_encoding, body_sha256, body_cut,
      dedupe_key, outcome, http_status, reason_code, reason, field, duplicate_of, signal_id, format_id, normal, duration_ms, test,
      replayed_at, ruled_quantity from messages
    union all select * from recorded`.execute(db)
}
