// Rows read to be changed: nobody else changes them until the transaction ends.

/** The query with its rows held. SQLite has one writer anyway, and no words for it. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { isPostgres } from './bulk.ts'
import type { Db, Schema } from './schema.ts'

export function held<Q extends { forUpdate(): Q }>(
  { engine }: { readonly engine: 'sqlite' | 'postgres' },
  query: Q,
): Q {
  return engine === 'postgres' ? query.forUpdate() : query
}

// One after the other: what counts and then adds needs that nobody adds in between.

/** Waits until every other transaction that took this turn has ended. SQLite has one writer anyway. */
export async function takeTurn(db: Db, name: string): Promise<void> {
  if (isPostgres(db)) await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(db)
}

// Searching in texts, the same on both engines.

/** True where the column contains what was typed; ASCII letters of either case, and the wildcards of LIKE mean themselves. */
export function contains(column: string, typed: string): RawBuilder<boolean> {
  const pattern = `%${typed.normalize('NFC').toLowerCase().replace(/[!%_]/g, '!$&')}%`
  return sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '!'`
}

/** What two names must differ in. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

// One page of a list whose newest comes first, with how many there are in all.

/** Of rows that say when they were made; of the same moment the later id comes first. */
export async function newestOf<T extends 'invites' | 'join_requests'>(
  found: SelectQueryBuilder<Schema, T, object>,
  { page, page_size }: { page: number; page_size: number },
) {
  const { total } = await found.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow()
  const rows = await found
    .selectAll()
    .orderBy(sql.ref('created_at'), 'desc')
    .orderBy(sql.ref('id'), 'desc')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  return { rows, total: Number(total) }
}
