// What a strategy's records of a trading date come to (record/daily-sums.ts), so that the first screen and lists read sums instead of
// counting records. Money is ×10^4. Its readers: the primary key, with an owner's days, which on SQLite is the table itself: a
// month of a thousand strategies is read as one stretch (21,000 rows: 73 ms by an index, 7 so); `daily_sums_strategy`, with a member's
// strategies, and when one goes.
import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../bulk.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sumDays(db)
  // What had none and looked through everybody's rows (tests/server/explain.test.ts), each with its reader.
  for (const [name, table, columns, where] of INDEXES)
    await sql`create index ${sql.ref(name)} on ${sql.table(table)} (${sql.join(columns.map((one) => sql.ref(one)))})
      ${sql.raw(where === undefined ? '' : `where ${where}`)}`.execute(db)
}

/** The table, with what the records of today come to. */
export async function sumDays(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('daily_sums')
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('trading_date', 'text', (c) => c.notNull())
    .addColumn('strategy_id', 'text', (c) => c.notNull())
    // Voids and corrections are none.
    .addColumn('signal_count', 'integer', (c) => c.notNull())
    .addColumn('realised_pnl', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('daily_sums_pk', ['scope', 'trading_date', 'strategy_id'])
    .$call((table) => (isPostgres(db as never) ? table : table.modifyEnd(sql`without rowid`)))
    .execute()
  await sql`insert into daily_sums (scope, trading_date, strategy_id, signal_count, realised_pnl)
    select scope, trading_date, strategy_id,
      sum(case when source in ('void', 'correction') then 0 else 1 end),
      sum(cast(round(coalesce(realised_pnl, 0) * 10000) as bigint))
    from signals group by scope, trading_date, strategy_id order by 1, 2, 3`.execute(db)
  await db.schema
    .createIndex('daily_sums_strategy')
    .on('daily_sums')
    .columns(['strategy_id', 'trading_date'])
    .execute()
}

const INDEXES: readonly (readonly [string, string, readonly string[], string?])[] = [
  // the bells of a person
  ['strategy_notify_uid', 'strategy_notify', ['uid']],
  // what an account has in it: profile.export and profile.usage
  ['channel_usage_uid', 'channel_usage', ['uid']],
  ['files_uid', 'files', ['uid']],
  ['gap_answers_by', 'gap_answers', ['answered_by']],
  // an organization's first screen: what was delivered today
  ['notifications_told', 'notifications', ['organization_id', 'created_at'], 'organization_id is not null'],
  // announcements that are to be published, and those of which people are still to be told, each minute
  ['announcements_due', 'announcements', ['publish_at', 'id'], 'published_at is null and owes is null'],
  ['announcements_owing', 'announcements', ['id'], 'owes is not null'],
  // pictures that nobody shows any more, each hour
  ['files_unused', 'files', ['kind', 'unused_since'], 'unused_since is not null'],
  // memberships that end: each night
  ['memberships_end', 'memberships', ['expires_on'], 'expires_on is not null'],
]
