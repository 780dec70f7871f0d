// Organizations whole: their settings, invitations, strategy groups with dates.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const organizations = db.schema.alterTable('organizations')
  for (const [name, value] of [
    ['introduction', ''],
    ['contact_links', '[]'],
  ] as const)
    await organizations.addColumn(name, 'text', (c) => c.notNull().defaultTo(value)).execute()
  for (const name of ['contact_email', 'join_code']) await organizations.addColumn(name, 'text').execute()
  for (const [name, value] of [
    ['share_statistics', 1],
    ['join_code_enabled', 0],
    ['requires_review', 1],
  ] as const)
    await organizations.addColumn(name, 'integer', (c) => c.notNull().defaultTo(value)).execute()
  await organizations.addColumn('default_member_days', 'integer').execute()
  // The last day whose end was told to the member, so that an expiry is told once.
  await db.schema.alterTable('memberships').addColumn('ended_told', 'text').execute()

  await db.schema
    .createTable('invites')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) =>
      c.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('code_hash', 'text', (c) => c.notNull().unique())
    .addColumn('code_cipher', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('group_ids', 'text', (c) => c.notNull())
    .addColumn('expires_on', 'text')
    .addColumn('valid_until', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('sent_at', 'text', (c) => c.notNull())
    .addColumn('send_count', 'integer', (c) => c.notNull())
    .addColumn('invited_by', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('answered_at', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('invites_email').on('invites').columns(['email', 'status']).execute()
  await db.schema
    .createIndex('invites_organization')
    .on('invites')
    .columns(['organization_id', 'status'])
    .execute()

  await db.schema
    .createTable('strategy_groups')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) =>
      c.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_key', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('strategy_groups_name', ['organization_id', 'name_key'])
    .execute()
  await db.schema
    .createTable('group_members')
    .addColumn('group_id', 'text', (c) => c.notNull().references('strategy_groups.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('starts_on', 'text', (c) => c.notNull())
    .addColumn('ends_on', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('group_members_pk', ['group_id', 'user_id'])
    .execute()
  await db.schema.createIndex('group_members_user').on('group_members').column('user_id').execute()
  await db.schema
    .createTable('group_strategies')
    .addColumn('group_id', 'text', (c) => c.notNull().references('strategy_groups.id').onDelete('cascade'))
    .addColumn('strategy_id', 'text', (c) => c.notNull().references('strategies.id').onDelete('cascade'))
    .addColumn('starts_on', 'text', (c) => c.notNull())
    .addColumn('ends_on', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('group_strategies_pk', ['group_id', 'strategy_id'])
    .execute()
  await db.schema
    .createIndex('group_strategies_strategy')
    .on('group_strategies')
    .column('strategy_id')
    .execute()
}
