// Every table whole: to see that nothing changed, or that something is nowhere.
import { type Kysely, sql } from 'kysely'
import type { Schema } from '#server/db/schema.ts'

/** The tables, with their columns; views have no rows of their own. */
export async function tablesOf(db: Kysely<Schema>) {
  return (await db.introspection.getTables()).filter(({ isView }) => !isView)
}

/** All rows of all tables, or of `only` these, by table, sorted. */
export async function dump(db: Kysely<Schema>, only?: readonly string[]): Promise<Map<string, string[]>> {
  const names = only ?? (await tablesOf(db)).map(({ name }) => name)
  const found = new Map<string, string[]>()
  for (const name of names) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db)
    found.set(name, rows.map((row) => JSON.stringify(row)).sort())
  }
  return found
}
