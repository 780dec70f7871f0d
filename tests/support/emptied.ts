// A database of PostgreSQL's that a test is done with, made as its template is: making and dropping one takes several times as long.
import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** What a fresh copy of the template is. */
export interface Fresh {
  /** Tables, columns, triggers, functions and migrations, in one word. */
  readonly form: string
  /** The tables that have rows, with these. */
  readonly rows: ReadonlyMap<string, string>
}

/** Every database lives in a past of its own, as one that was migrated anew would. */
export const OWN_EPOCH = "update ground set value = $1 where name = 'epoch'"
const OWN = "relnamespace = 'public'::regnamespace"
/** Of no person, and written by nobody but who changes the form. */
const MIGRATIONS = 'kysely_migration%'
const FORM = `select md5(concat(
  (select string_agg(concat_ws(' ', relname, relkind, attname, atttypid, attnotnull, atthasdef), ',' order by relname, attnum)
     from pg_class join pg_attribute on attrelid = pg_class.oid where ${OWN} and attnum > 0),
  (select string_agg(tgname, ',' order by tgname) from pg_trigger where not tgisinternal),
  (select string_agg(proname, ',' order by proname) from pg_proc where pronamespace = 'public'::regnamespace),
  (select string_agg(conname || pg_get_constraintdef(oid), ',' order by conname) from pg_constraint
     where connamespace = 'public'::regnamespace),
  (select string_agg(name, ',' order by name) from kysely_migration)
)) as form`
/** Of more than this `truncate` is quicker. */
const ROW_BY_ROW_MOST = 1_000_000
const SIZE = `select sum(pg_relation_size(oid)) as bytes from pg_class where ${OWN} and relname = any ($1)`
/** Counters of columns, where there are any. */
const AGAIN_FROM_ONE = `select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
  from pg_sequences where schemaname = 'public' and last_value is not null`
const OTHERS = `select from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`
/** No table that ever had a row since it was made or emptied is of no size. */
const WRITTEN = `select relname as name from pg_class where ${OWN} and relkind = 'r'
  and relname not like '${MIGRATIONS}' and pg_relation_size(oid) > 0 order by relname`

/** Looks at a copy that nobody has used. */
export async function freshOf(url: string): Promise<Fresh> {
  return connected(url, async (client) => {
    const rows = new Map<string, string>()
    for (const name of await writtenIn(client)) {
      const all = await client.query(`select json_agg(it order by it::text)::text as rows from "${name}" it`)
      const text = (all.rows[0] as { rows: string | null }).rows
      if (text !== null) rows.set(name, text)
    }
    return { form: await formOf(client), rows }
  })
}

/**
 * Puts it back to `fresh`, in a past of its own. False when its form is another one, or when somebody is still connected who
 * might write into what the next test finds: then it can only be dropped.
 */
export async function emptied(url: string, fresh: Fresh): Promise<boolean> {
  return connected(url, async (client) => {
    if (!(await leftByAll(client)) || (await formOf(client)) !== fresh.form) return false
    await emptyAll(client, await writtenIn(client))
    await client.query('begin')
    for (const [name, rows] of fresh.rows)
      await client.query(`insert into "${name}" select * from json_populate_recordset(null::"${name}", $1)`, [
        rows,
      ])
    await client.query('update kysely_migration_lock set is_locked = 0')
    await client.query(OWN_EPOCH, [randomUUID()])
    await client.query('commit')
    return true
  })
}

/**
 * Row by row, and what they leave is cleared away: `truncate` would make every table anew that refers to one of these, each with
 * its indexes, some 300 files. No table knows afterwards that there was anything: the planner goes by that.
 */
async function emptyAll(client: pg.Client, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const { rows } = await client.query(SIZE, [names])
  if (Number((rows[0] as { bytes: string }).bytes) > ROW_BY_ROW_MOST) {
    await client.query(`truncate ${names.map((name) => `"${name}"`).join(', ')} restart identity cascade`)
    return
  }
  // neither triggers nor references: all of it goes
  await client.query('set session_replication_role = replica')
  for (const name of names) await client.query(`delete from "${name}"`)
  await client.query('set session_replication_role = origin')
  await client.query(`vacuum ${names.map((name) => `"${name}"`).join(', ')}`)
  await client.query(`update pg_class set reltuples = -1 where ${OWN} and relname = any ($1)`, [names])
  await client.query(AGAIN_FROM_ONE)
}

/** A connection that was closed is gone a moment later: how much later is the machine's affair, but one that stays open never is. */
async function leftByAll(client: pg.Client): Promise<boolean> {
  for (let looks = 0; looks < 400; looks++) {
    const { rowCount } = await client.query(OTHERS)
    if (rowCount === 0) return true
    await new Promise((next) => setTimeout(next, 25))
  }
  return false
}

async function formOf(client: pg.Client): Promise<string> {
  return ((await client.query(FORM)).rows[0] as { form: string }).form
}

async function writtenIn(client: pg.Client): Promise<string[]> {
  return ((await client.query(WRITTEN)).rows as { name: string }[]).map(({ name }) => name)
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
