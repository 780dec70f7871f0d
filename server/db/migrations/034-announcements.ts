// Announcements of the platform and of organizations, to whom each goes, and who has read it.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('announcements')
    .addColumn('id', 'text', (c) => c.primaryKey())
    // null: the platform's
    .addColumn('organization_id', 'text', (c) => c.references('organizations.id').onDelete('cascade'))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('search_key', 'text', (c) => c.notNull())
    .addColumn('tags', 'text', (c) => c.notNull())
    .addColumn('pinned', 'integer', (c) => c.notNull())
    .addColumn('publish_at', 'text')
    .addColumn('expire_at', 'text')
    .addColumn('for_groups', 'integer', (c) => c.notNull())
    .addColumn('notify', 'integer', (c) => c.notNull())
    .addColumn('created_by', 'text')
    // when the server did publish it: nobody sees it before
    .addColumn('published_at', 'text')
    // of the platform's: what every person is still to be told, and up to whom that was done
    .addColumn('owes', 'text')
    .addColumn('told_to', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('announcements_organization')
    .on('announcements')
    .columns(['organization_id', 'publish_at'])
    .execute()
  await db.schema
    .createTable('announcement_groups')
    .addColumn('announcement_id', 'text', (c) =>
      c.notNull().references('announcements.id').onDelete('cascade'),
    )
    // without a reference: when a group goes, what was written for it is not everybody's
    .addColumn('group_id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('announcement_groups_pk', ['announcement_id', 'group_id'])
    .execute()
  await db.schema
    .createTable('announcement_reads')
    .addColumn('announcement_id', 'text', (c) =>
      c.notNull().references('announcements.id').onDelete('cascade'),
    )
    .addColumn('uid', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('read_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('announcement_reads_pk', ['announcement_id', 'uid'])
    .execute()
  await db.schema.createIndex('announcement_reads_uid').on('announcement_reads').column('uid').execute()
  // What was told of an announcement goes with it.
  await db.schema
    .createIndex('notifications_announcement')
    .on('notifications')
    .column('announcement_id')
    .execute()
}
