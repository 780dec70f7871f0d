// One after the other: what counts and then adds needs that nobody adds in between.
import { sql } from 'kysely'
import { isPostgres } from './bulk.ts'
import type { Db } from './schema.ts'

/** Waits until every other transaction that took this turn has ended. SQLite has one writer anyway. */
export async function takeTurn(db: Db, name: string): Promise<void> {
  if (isPostgres(db)) await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(db)
}
