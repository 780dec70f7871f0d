// Ways into an organization besides mail: links, its join code, and requests to join.
import type { Kysely } from 'kysely'
import { sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('invite_links')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) =>
      c.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('code_hash', 'text', (c) => c.notNull().unique())
    .addColumn('code_cipher', 'text', (c) => c.notNull())
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('group_ids', 'text', (c) => c.notNull())
    .addColumn('expires_on', 'text')
    .addColumn('valid_until', 'text')
    .addColumn('max_uses', 'integer')
    .addColumn('used_count', 'integer', (c) => c.notNull())
    .addColumn('requires_review', 'integer', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('invite_links_organization')
    .on('invite_links')
    .column('organization_id')
    .execute()

  await db.schema
    .createTable('join_requests')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) =>
      c.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('link_id', 'text')
    .addColumn('group_ids', 'text', (c) => c.notNull())
    .addColumn('expires_on', 'text')
    .addColumn('message', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('decided_by', 'text')
    .addColumn('decided_at', 'text')
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute()
  // One open request per person and organization, whatever else goes wrong.
  await db.schema
    .createIndex('join_requests_open')
    .on('join_requests')
    .columns(['organization_id', 'user_id'])
    .unique()
    .where(sql.ref('status'), '=', sql.lit('pending'))
    .execute()
  await db.schema
    .createIndex('join_requests_organization')
    .on('join_requests')
    .columns(['organization_id', 'status', 'created_at'])
    .execute()
  await db.schema.createIndex('join_requests_user').on('join_requests').column('user_id').execute()
  await db.schema.createIndex('join_requests_link').on('join_requests').column('link_id').execute()
  // Found by what somebody types.
  await db.schema
    .createIndex('organizations_join_code')
    .on('organizations')
    .column('join_code')
    .unique()
    .execute()
}
