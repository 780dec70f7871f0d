// Many rows in one statement whose text is made once: for what runs with every signal, where building SQL costs more than running it.
import { hash } from 'node:crypto'
import { CompiledQuery, PostgresAdapter } from 'kysely'
import type { Db } from './schema.ts'
import { EACH } from './sqlite.ts'

export type ColumnType = 'text' | 'integer' | 'bigint' | 'double precision'
type Value = string | number | null
/** A row by column. */
export type BulkRow<C extends string> = Readonly<Record<C, Value>>

/** What runs over many rows at once; made once per module. */
export interface Bulk<C extends string> {
  readonly columns: readonly C[]
  /** For one row at a time, its values as parameters. */
  readonly each: string
  /** For all rows at once, as one JSON parameter. */
  readonly all: string
}

/** A lone surrogate is no text to PostgreSQL; JSON writes it as an escape. */
const LONE = /\\ud[89a-f]/i

/** Declares a statement over rows of these columns: `sql` is handed a table of them, to be named `v` («from ${source} as v»). */
export function bulk<C extends string>(
  columns: Readonly<Record<C, ColumnType>>,
  sql: (source: string) => string,
): Bulk<C> {
  const names = Object.keys(columns) as C[]
  const typed = names.map((name) => `"${name}" ${columns[name]}`).join(', ')
  const one = names.map((name) => `? as "${name}"`).join(', ')
  return {
    columns: names,
    each: EACH + sql(`(select ${one})`),
    all: sql(`(select * from json_to_recordset($1::json) as r(${typed}))`),
  }
}

/** Declares a plain insert. */
export function bulkInsert<C extends string>(
  table: string,
  columns: Readonly<Record<C, ColumnType>>,
): Bulk<C> {
  const names = Object.keys(columns).map((name) => `"${name}"`)
  const into = `insert into ${table} (${names.join(', ')})`
  return {
    ...bulk(columns, (source) => `${into} select ${names.join(', ')} from ${source} as v`),
    each: `${EACH}${into} values (${names.map(() => '?').join(', ')})`,
  }
}

/**
 * Declares an update of the rows whose column `id` holds the value of the column `key`; the others are set to what is given, or
 * to what `how` makes of the column and the given value. One row at a time it is a plain update: from a table of one row, SQLite
 * would build that table anew for each.
 */
export function bulkUpdate<C extends string>(
  table: string,
  columns: Readonly<Record<C, ColumnType>>,
  {
    id,
    key,
    how = {},
    only,
  }: {
    id: string
    key: NoInfer<C>
    how?: Partial<Record<NoInfer<C>, How>>
    /** A condition on the row as it is, in SQL. */
    only?: string
  },
): Bulk<C> {
  const and = only === undefined ? '' : ` and ${only}`
  const names = (Object.keys(columns) as C[]).filter((name) => name !== key)
  const set = (given: (name: C) => string) =>
    names
      .map(
        (name) =>
          `${name} = ${(how as Partial<Record<C, How>>)[name]?.(`${table}.${name}`, given(name)) ?? given(name)}`,
      )
      .join(', ')
  return {
    ...bulk(
      columns,
      (source) =>
        `update ${table} set ${set((name) => `v.${name}`)} from ${source} as v where ${table}.${id} = v.${key}${and}`,
    ),
    columns: [...names, key],
    each: `${EACH}update ${table} set ${set(() => '?')} where ${id} = ?${and}`,
  }
}

/** The new value of a column, in SQL, from the column and the value given. */
type How = (column: string, given: string) => string

/**
 * Runs the statement over all rows and gives what it returned. SQLite runs a prepared statement for each: one statement of
 * many rows takes it twice as long. To PostgreSQL every statement is a journey: it gets all rows in one.
 */
export async function runBulk<C extends string, R = never>(
  db: Db,
  { columns, each, all }: Bulk<C>,
  rows: readonly BulkRow<C>[],
): Promise<R[]> {
  if (rows.length === 0) return []
  if (isPostgres(db)) {
    return (await db.executeQuery<R>(compiled(all, [asJson(rows)]))).rows
  }
  const list = rows.map((row) => columns.map((column) => row[column]))
  return (await db.executeQuery<R>(compiled(each, list))).rows
}

/** The same as one commit by itself: PostgreSQL has that for every statement, SQLite would commit each row. */
export async function runBulkAlone<C extends string>(
  db: Db,
  bulk: Bulk<C>,
  rows: readonly BulkRow<C>[],
): Promise<void> {
  if (isPostgres(db) || rows.length < 2) await runBulk(db, bulk, rows)
  else await db.transaction().execute((tx) => runBulk(tx, bulk, rows))
}

/** A statement with the rows it is to run over. */
export interface Work<C extends string = string> {
  readonly bulk: Bulk<C>
  readonly rows: readonly BulkRow<C>[]
}

/**
 * Runs statements whose results nobody needs, for PostgreSQL as parts of one: none may read what another writes, nor write a
 * row that another writes.
 */
export async function runTogether(db: Db, work: readonly Work[]): Promise<void> {
  const given = work.filter(({ rows }) => rows.length > 0)
  if (!isPostgres(db) || given.length < 2) {
    for (const { bulk, rows } of given) await runBulk(db, bulk, rows)
    return
  }
  const parts = given.map(({ bulk }, i) => `w${i} as (${bulk.all.replace('$1::json', `$${i + 1}::json`)})`)
  await db.executeQuery(
    compiled(
      `with ${parts.join(', ')} select 1`,
      given.map(({ rows }) => asJson(rows)),
    ),
  )
}

function asJson<C extends string>(rows: readonly BulkRow<C>[]): string {
  const json = JSON.stringify(rows)
  return LONE.test(json) ? JSON.stringify(rows.map(wellFormed)) : json
}

/** Whether this database is PostgreSQL. */
export function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** A text that is ready with its parameters, past every builder. The texts are few: PostgreSQL keeps each by its name (open.ts). */
export function compiled(
  text: string,
  parameters: readonly (Value | readonly Value[])[],
): CompiledQuery<never> {
  let made = kept.get(text)
  if (!made) {
    made = { query: CompiledQuery.raw(text), name: hash('sha1', text, 'base64url') }
    kept.set(text, made)
  }
  return { ...made.query, parameters } as CompiledQuery<never>
}
const kept = new Map<string, { query: CompiledQuery; name: string }>()

/**
 * Under which name PostgreSQL keeps this text, parsed and planned once a connection; none for what a builder made. Of the text
 * itself: behind a pooler another process may have named its own on the same connection.
 */
export function nameOf(text: string): string | undefined {
  return kept.get(text)?.name
}

function wellFormed<C extends string>(row: BulkRow<C>): BulkRow<C> {
  const pairs = Object.entries<Value>(row).map(([key, value]) => [
    key,
    typeof value === 'string' ? value.toWellFormed() : value,
  ])
  return Object.fromEntries(pairs) as BulkRow<C>
}

// Many ids or rows, a statement at a time: SQLite binds no more than some thousand values.

/** Ids or rows of one statement. */
const ONE_STATEMENT = 500

/** `all` in its order, in parts of at most `most`; nothing of nothing. */
export function* partsOf<T>(all: readonly T[], most = ONE_STATEMENT): Generator<T[], void, undefined> {
  for (let from = 0; from < all.length; from += most) yield all.slice(from, from + most)
}
