// Accounts whole: when a field was last edited, links for a forgotten password, files of people, accounts that were given up.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const users = db.schema.alterTable('users')
  // `deleted_at`: the person is gone; `erased_at`: so is everything of theirs.
  for (const name of ['name_edited_at', 'avatar_edited_at', 'deleted_at', 'erased_at'])
    await users.addColumn(name, 'text').execute()

  await db.schema
    .createTable('password_resets')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    // Null for an address without an account: asking costs the same work either way.
    .addColumn('uid', 'text', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('used_at', 'text')
    .execute()
  await db.schema.createIndex('password_resets_uid').on('password_resets').column('uid').execute()
  await db.schema.createIndex('password_resets_expires').on('password_resets').column('expires_at').execute()

  await db.schema
    .createTable('files')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('size', 'integer', (c) => c.notNull())
    .addColumn('uid', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('files_scope').on('files').column('scope').execute()
}
