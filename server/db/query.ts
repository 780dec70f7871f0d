// Rows read to be changed: nobody else changes them until the transaction ends.

/** The query with its rows held. SQLite has one writer anyway, and no words for it. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type KindSettings, STARTS } from '#contract/strategy.ts'
import { isPostgres } from './bulk.ts'
import type { Db, Schema, StrategyRow } from './schema.ts'

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

/** One page of what was found, in an order, and how many there are in all. */
export async function pageOf<D, T extends keyof D, O>(
  found: SelectQueryBuilder<D, T, object>,
  ordered: SelectQueryBuilder<D, T, O>,
  { page, page_size }: { page: number; page_size: number },
): Promise<{ rows: O[]; total: number }> {
  const counted = await found.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow()
  const rows = await ordered
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  return { rows: rows as O[], total: Number((counted as { total: unknown }).total) }
}

/** Of rows that say when they were made, the newest; of the same moment the later id comes first. */
export function newestOf<T extends 'invites' | 'join_requests'>(
  found: SelectQueryBuilder<Schema, T, object>,
  page: { page: number; page_size: number },
) {
  const ordered = found.selectAll().orderBy(sql.ref('created_at'), 'desc').orderBy(sql.ref('id'), 'desc')
  return pageOf(found, ordered, page)
}

// The door to a strategy's stored settings: past it they are typed by their kind.

type Kind = StrategyRow['kind']
type Of<K extends Kind> = Extract<KindSettings, { kind: K }>
/** By their text: a strategy's settings are looked at with every message and change once in a while. */
const read: Record<Kind, Map<string, object>> = {
  futures: new Map(),
  stock: new Map(),
  'xq-stock': new Map(),
}
const READ_MOST = 2_000

/**
 * Kind and settings of a row, not to be changed in place: others look at the same object. A setting that did not exist when the
 * row was written is what it starts with.
 */
export function settingsOf(row: Pick<StrategyRow, 'kind' | 'settings'>): Readonly<Of<Kind>> {
  // What was stored went through the contract of its kind.
  return { kind: row.kind, settings: parsed(row.kind, row.settings) } as Of<Kind>
}

function parsed(kind: Kind, text: string): object {
  const known = read[kind].get(text)
  if (known) return known
  const stored = JSON.parse(text) as object
  // In the order of what is stored: written back unchanged it is the same text.
  const settings = { ...stored, ...STARTS[kind], ...stored }
  if (read[kind].size >= READ_MOST) read[kind].clear()
  read[kind].set(text, settings)
  return settings
}

// SQLite's log is moved into the file in small portions beside long work that writes: the whole of it, as it comes by itself after 8,000
// pages (docs/decisions/intake.md), holds everybody for thirty milliseconds, and such work fills it three times a second.

/** Transactions after which it is worth a piece: some hundred pages, some milliseconds. */
const EVERY = 6

/** Work in pieces (limits/fair-queue.ts). */
interface InPieces<K> {
  piece(account: string, work: () => Promise<unknown>, kind: K): Promise<unknown>
}

/** To be awaited after each transaction of such work, which is an account's, of a kind. */
export function shortensLog<K>(
  { db, background }: { db: Db; background: InPieces<K> },
  account: string,
  kind: K,
): () => Promise<void> {
  let count = 0
  return async () => {
    if (isPostgres(db) || ++count % EVERY > 0) return
    await background.piece(account, () => sql`pragma wal_checkpoint(passive)`.execute(db), kind)
  }
}
