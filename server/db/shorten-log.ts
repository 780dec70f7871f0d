// SQLite's log is moved into the file in small portions beside long work that writes: the whole of it, as it comes by itself after 8,000
// pages (docs/decisions/009), holds everybody for thirty milliseconds, and such work fills it three times a second.
import { sql } from 'kysely'
import { isPostgres } from './bulk.ts'
import type { Db } from './schema.ts'

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
