// Work that is done later, again, or at a time: one table (docs/decisions/jobs.md). What was owed in tables and columns of its own until
// then is carried over, so that nothing is lost by the upgrade; two of those tables go.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('jobs')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    // What it is about: the same work waits once.
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('data', 'text', (c) => c.notNull())
    .addColumn('due_at', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('asked', 'integer', (c) => c.notNull())
    .addColumn('lease', 'text')
    .addColumn('lease_until', 'text')
    .addColumn('last_error', 'text')
    .execute()
  await db.schema.createIndex('jobs_key').unique().on('jobs').columns(['kind', 'key']).execute()
  await db.schema.createIndex('jobs_due').on('jobs').columns(['kind', 'due_at']).execute()
  await db.schema.createIndex('jobs_turn').on('jobs').columns(['kind', 'owner', 'due_at']).execute()
  const carry = (kind: string, from: string) =>
    sql`insert into jobs (id, kind, key, owner, data, due_at, attempts, asked)
      select ${sql.lit(`${kind} `)} || key, ${sql.lit(kind)}, key, owner, data, '', 0, 1
      from (${sql.raw(from)}) as owed`.execute(db)
  await carry(
    'refold',
    `select o.strategy_id as key, s.scope as owner,
       '{"from_seq":' || coalesce(cast(o.from_seq as text), 'null') || '}' as data
     from owed_folds as o join strategies as s on s.id = o.strategy_id`,
  )
  await carry('erase', `select id as key, scope as owner, 'null' as data from owed_erasures`)
  await carry(
    'erase-account',
    `select id as key, 'p:' || id as owner, 'null' as data from users where deleted_at is not null and erased_at is null`,
  )
  await carry(
    'import',
    `select id as key, scope as owner, 'null' as data from original_batches where state in ('receiving', 'importing', 'deleting')`,
  )
  await carry(
    'learn-formats',
    `select w.id as key, s.scope as owner, 'null' as data
     from webhooks as w join strategies as s on s.id = w.strategy_id where w.formats_due = 1`,
  )
  await db.schema.dropTable('owed_folds').execute()
  await db.schema.dropTable('owed_erasures').execute()
}
