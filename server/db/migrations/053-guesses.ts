// Misses at what can be guessed (server/limits/guesses.ts): so many in a window that began with the first. Its readers: the primary key,
// with every guess; `guesses_until`, what is over.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('guesses')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('misses', 'integer', (c) => c.notNull())
    .addColumn('most', 'integer', (c) => c.notNull())
    .addColumn('until', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('guesses_until').on('guesses').column('until').execute()
}
