// Many rows in one statement whose text is made once: for what runs with every signal, where building SQL costs more than running it.
import { CompiledQuery, PostgresAdapter } from 'kysely'
import type { Db } from './schema.ts'

export type ColumnType = 'text' | 'integer' | 'bigint' | 'double precision'
type Value = string | number | null
/** A row by column. */
export type BulkRow<C extends string> = Readonly<Record<C, Value>>

/** What runs over many rows at once; made once per module. */
export interface Bulk<C extends string> {
  readonly columns: readonly C[]
  readonly types: readonly ColumnType[]
  /** The statement around the rows: `source` is a table of the columns above, to be named `v` («from ${source} as v»). */
  readonly sql: (source: string) => string
  /** Texts by engine and number of rows. */
  readonly texts: Map<number, string>
}

/** PostgreSQL takes one parameter and as many rows as it likes: its text is kept under this number. */
const ANY = 0
/** Most rows of one statement on SQLite (32,766 parameters, none of ours has more than 30 columns). */
const MOST = 512
/** A lone surrogate is no text to PostgreSQL; JSON writes it as an escape. */
const LONE = /\\ud[89a-f]/i

/** Declares a statement over rows of these columns and types. */
export function bulk<C extends string>(
  columns: Readonly<Record<C, ColumnType>>,
  sql: Bulk<C>['sql'],
): Bulk<C> {
  const names = Object.keys(columns) as C[]
  return { columns: names, types: names.map((name) => columns[name]), sql, texts: new Map() }
}

/** Declares a plain insert. */
export function bulkInsert<C extends string>(
  table: string,
  columns: Readonly<Record<C, ColumnType>>,
): Bulk<C> {
  const names = Object.keys(columns).map(quoted).join(', ')
  return bulk(columns, (source) => `insert into ${table} (${names}) select ${names} from ${source} as v`)
}

/**
 * Runs the statement over all rows and gives what it returned. SQLite gets as few statements as powers of two allow, so that
 * a handful of prepared texts serves every number of rows; PostgreSQL gets the rows as one JSON parameter.
 */
export async function runBulk<C extends string, R = never>(
  db: Db,
  statement: Bulk<C>,
  rows: readonly BulkRow<C>[],
): Promise<R[]> {
  if (rows.length === 0) return []
  if (isPostgres(db)) {
    const json = JSON.stringify(rows)
    const whole = LONE.test(json) ? JSON.stringify(rows.map(wellFormed)) : json
    const text = textOf(statement, ANY, () => recordset(statement))
    return (await db.executeQuery<R>(compiled(text, [whole]))).rows
  }
  const found: R[] = []
  for (let from = 0; from < rows.length; ) {
    const size = Math.min(MOST, 2 ** Math.floor(Math.log2(rows.length - from)))
    const parameters = new Array<Value>(size * statement.columns.length)
    let at = 0
    for (let i = from; i < from + size; i++)
      for (const column of statement.columns) parameters[at++] = (rows[i] as BulkRow<C>)[column]
    const text = textOf(statement, size, () => values(statement, size))
    const result = await db.executeQuery<R>(compiled(text, parameters))
    if (result.rows.length > 0) found.push(...result.rows)
    from += size
  }
  return found
}

/** Whether this database is PostgreSQL. */
export function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** A text that is ready with its parameters, past every builder. */
export function compiled(text: string, parameters: readonly Value[]): CompiledQuery<never> {
  let made = kept.get(text)
  if (!made) {
    made = CompiledQuery.raw(text)
    kept.set(text, made)
  }
  return { ...made, parameters } as CompiledQuery<never>
}
const kept = new Map<string, CompiledQuery>()

function textOf<C extends string>(statement: Bulk<C>, size: number, make: () => string): string {
  let text = statement.texts.get(size)
  if (text === undefined) {
    text = statement.sql(make())
    statement.texts.set(size, text)
  }
  return text
}

function recordset({ columns, types }: Bulk<string>): string {
  const typed = columns.map((column, i) => `${quoted(column)} ${types[i]}`).join(', ')
  return `(select * from json_to_recordset($1::json) as r(${typed}))`
}

/** Numbers are bound as floating ones; an integer column makes integers of them. */
function values({ columns }: Bulk<string>, size: number): string {
  const named = columns.map((column, i) => `column${i + 1} as ${quoted(column)}`).join(', ')
  const row = `(${columns.map(() => '?').join(',')})`
  return `(select ${named} from (values ${new Array<string>(size).fill(row).join(',')}))`
}

function wellFormed<C extends string>(row: BulkRow<C>): BulkRow<C> {
  const pairs = Object.entries<Value>(row).map(([key, value]) => [
    key,
    typeof value === 'string' ? value.toWellFormed() : value,
  ])
  return Object.fromEntries(pairs) as BulkRow<C>
}

const quoted = (name: string): string => `"${name}"`
