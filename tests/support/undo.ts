// Sees every row that changes, and takes the changes back: so that one world serves thousands of probes.
import { type Kysely, sql } from 'kysely'
import type { Schema } from '#server/db/schema.ts'
import type { Engine } from './server.ts'
import { tablesOf } from './tables.ts'

export interface Undo {
  /** The tables with rows that came, changed or went since the last `back`. */
  changed(): Promise<string[]>
  /** Every row as it was. Only rows: what a process remembers beside them stays. */
  back(): Promise<void>
}

/** From now on every row is watched. Nothing else may write between the call that is looked at and `changed` or `back`. */
export async function watchRows(db: Kysely<Schema>, engine: Engine): Promise<Undo> {
  // `ground` is the server's own heartbeat, of no person.
  const tables = (await tablesOf(db)).filter(({ name }) => !name.startsWith('kysely_') && name !== 'ground')
  if (engine === 'sqlite') await watchSqlite(db, tables)
  else await watchPostgres(db, tables)
  return {
    async changed() {
      const { rows } = await sql<{
        place: string
      }>`select distinct place from undo_log order by place`.execute(db)
      return rows.map(({ place }) => place)
    },
    back: () => (engine === 'sqlite' ? backSqlite(db) : backPostgres(db)),
  }
}

interface Table {
  readonly name: string
  readonly columns: readonly { readonly name: string }[]
}

/** The log holds the statements that take each change back. Temporary: there is one connection. */
async function watchSqlite(db: Kysely<Schema>, tables: readonly Table[]): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run('create temp table undo_log (id integer primary key, place text, text text)')
  for (const { name, columns } of tables) {
    const old = (glue: (column: string, value: string) => string) =>
      columns.map((column) => glue(column.name, `quote(old."${column.name}")`))
    const found = await sql<{ name: string; keyed: number }>`select info.name, list.wr as keyed
      from pragma_table_list as list, pragma_table_info(list.name) as info
      where list.name = ${name} and info.pk > 0 order by info.pk`.execute(db)
    // A table that is its primary key has no other number of its rows.
    const rowid = found.rows[0]?.keyed === 1 ? [] : ['rowid']
    const key = rowid.length > 0 ? rowid : found.rows.map((column) => column.name)
    const row = key.map((column) => `'"${column}" = ' || quote(new."${column}")`).join(" || ' and ' || ")
    const names = [...rowid, ...columns.map((column) => `"${column.name}"`)].join(', ')
    const values = [
      ...rowid.map(() => 'old.rowid'),
      ...columns.map((column) => `quote(old."${column.name}")`),
    ]
    const undo = {
      insert: `'delete from "${name}" where ' || ${row}`,
      update: `'update "${name}" set ' || ${old((column, value) => `'"${column}" = ' || ${value}`).join(" || ', ' || ")} || ' where ' || ${row}`,
      delete: `'insert into "${name}" (${names}) values (' || ${values.join(" || ', ' || ")} || ')'`,
    }
    for (const [kind, text] of Object.entries(undo))
      await run(
        `create temp trigger "undo_${kind}_${name}" after ${kind} on main."${name}" begin ` +
          `insert into undo_log (place, text) values ('${name}', ${text}); end`,
      )
  }
}

async function backSqlite(db: Kysely<Schema>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`pragma defer_foreign_keys = on`.execute(tx)
    const { rows } = await sql<{ text: string }>`select text from undo_log order by id desc`.execute(tx)
    for (const { text } of rows) await sql.raw(text).execute(tx)
    await sql`delete from undo_log`.execute(tx)
  })
}

/** The log holds each row before and after. */
async function watchPostgres(db: Kysely<Schema>, tables: readonly Table[]): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run('create table undo_log (id bigserial primary key, place text, was jsonb, became jsonb)')
  await run(`create function undo_note() returns trigger language plpgsql as $$ begin
    insert into undo_log (place, was, became) values (tg_table_name, to_jsonb(old), to_jsonb(new));
    return null;
  end $$`)
  await run(`create function undo_all() returns void language plpgsql as $$ declare entry record; begin
    for entry in select * from undo_log order by id desc loop
      if entry.became is not null then
        execute format('delete from %I as it where to_jsonb(it) = $1', entry.place) using entry.became;
      end if;
      if entry.was is not null then
        execute format('insert into %I select * from jsonb_populate_record(null::%I, $1)', entry.place, entry.place) using entry.was;
      end if;
    end loop;
    delete from undo_log;
  end $$`)
  for (const { name } of tables)
    await run(
      `create trigger undo_it after insert or update or delete on "${name}" for each row execute function undo_note()`,
    )
}

async function backPostgres(db: Kysely<Schema>): Promise<void> {
  const back = () =>
    db.transaction().execute(async (tx) => {
      // Neither our own triggers nor foreign keys while rows come back one by one.
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`select undo_all()`.execute(tx)
    })
  // a job of the server may hold a row meanwhile: the one that gives way begins again, as the server's own transactions do
  for (let tries = 1; ; tries++)
    try {
      return await back()
    } catch (error) {
      if (tries === 5 || (error as { code?: string }).code !== '40P01') throw error
    }
}
