// How the tables came to be, up to September 2026: what ran stays as it is, for people have data. What is new is a file of its own beside this one.

import { randomUUID } from 'node:crypto'
import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { isPostgres } from '../bulk.ts'
import type { Schema } from '../schema.ts'

// People, sessions, strategies, webhooks, deliveries, signals and events.
async function up001(db: Kysely<unknown>): Promise<void> {
  const table = (name: string) => db.schema.createTable(name)
  await table('users')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('email', 'text', (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('email_verified', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('need_force_update_password', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('avatar', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute()
  await table('sessions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('uid', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('device_label', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('last_seen_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('ended_at', 'text')
    .execute()
  await db.schema.createIndex('sessions_uid').on('sessions').column('uid').execute()
  await table('codes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('uid', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('code_hash', 'text', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('sent_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('codes_one_open', ['uid', 'kind'])
    .execute()
  await table('organizations')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('logo', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute()
  await table('memberships')
    .addColumn('organization_id', 'text', (c) =>
      c.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('starts_on', 'text', (c) => c.notNull())
    .addColumn('expires_on', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('memberships_pk', ['organization_id', 'user_id'])
    .execute()
  await db.schema.createIndex('memberships_user').on('memberships').column('user_id').execute()
  await table('strategies')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('owner_type', 'text', (c) => c.notNull())
    .addColumn('owner_id', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_key', 'text', (c) => c.notNull())
    .addColumn('search_key', 'text', (c) => c.notNull())
    .addColumn('summary', 'text', (c) => c.notNull())
    .addColumn('note', 'text', (c) => c.notNull())
    .addColumn('tags', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('direction', 'text', (c) => c.notNull())
    .addColumn('trade_style', 'text')
    .addColumn('timeframe', 'text')
    .addColumn('initial_capital', 'bigint', (c) => c.notNull())
    .addColumn('quantity_mode', 'text', (c) => c.notNull())
    .addColumn('default_quantity', 'integer', (c) => c.notNull())
    .addColumn('max_position', 'integer', (c) => c.notNull())
    .addColumn('allow_pyramiding', 'integer', (c) => c.notNull())
    .addColumn('allow_reversal', 'integer', (c) => c.notNull())
    .addColumn('slippage_ticks', 'integer', (c) => c.notNull())
    .addColumn('stop_loss', 'text')
    .addColumn('take_profit', 'text')
    .addColumn('late_after_s', 'integer', (c) => c.notNull())
    .addColumn('on_symbol_mismatch', 'text', (c) => c.notNull())
    .addColumn('silence_alarm', 'text', (c) => c.notNull())
    .addColumn('settings', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('chain_seq', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('chain_hash', 'text', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addColumn('deleted_at', 'text')
    .execute()
  await db.schema.createIndex('strategies_scope').on('strategies').columns(['scope', 'status']).execute()
  // One name per owner among the living.
  await sql`create unique index strategies_name on strategies (scope, name_key) where deleted_at is null`.execute(
    db,
  )
  await table('strategy_folds')
    .addColumn('strategy_id', 'text', (c) => c.primaryKey().references('strategies.id').onDelete('cascade'))
    .addColumn('chain_seq', 'integer', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('positions', 'text', (c) => c.notNull())
    .addColumn('summary', 'text', (c) => c.notNull())
    .addColumn('curve', 'text', (c) => c.notNull())
    .addColumn('last_signal_id', 'text')
    .addColumn('last_occurred_at', 'text')
    .addColumn('signal_count', 'integer', (c) => c.notNull())
    .addColumn('pending_price_count', 'integer', (c) => c.notNull())
    .addColumn('position_gap_id', 'text')
    .addColumn('net_profit', 'double precision', (c) => c.notNull())
    .addColumn('win_rate', 'double precision')
    .addColumn('max_drawdown', 'double precision', (c) => c.notNull())
    .addColumn('figures_seq', 'integer', (c) => c.notNull())
    .execute()
  await table('strategy_notify')
    .addColumn('strategy_id', 'text', (c) => c.notNull().references('strategies.id').onDelete('cascade'))
    .addColumn('uid', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('channels', 'text')
    .addColumn('actions', 'text', (c) => c.notNull())
    .addColumn('important', 'integer', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('strategy_notify_pk', ['strategy_id', 'uid'])
    .execute()
  await table('webhooks')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('strategy_id', 'text', (c) => c.notNull().references('strategies.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('token_cipher', 'text', (c) => c.notNull())
    .addColumn('format', 'text', (c) => c.notNull())
    .addColumn('mapping', 'text')
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('secret_hash', 'text')
    .addColumn('ip_allow', 'text', (c) => c.notNull())
    .addColumn('unparsed_rule', 'text')
    .addColumn('old_url_until', 'text')
    .addColumn('accepted', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('late', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('duplicate', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('ignored', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('rejected', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('last_accepted_at', 'text')
    .addColumn('last_rejected_at', 'text')
    .addColumn('last_duplicate_at', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addColumn('deleted_at', 'text')
    .execute()
  await db.schema.createIndex('webhooks_strategy').on('webhooks').column('strategy_id').execute()
  await table('webhook_tokens')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('webhook_id', 'text', (c) => c.notNull().references('webhooks.id').onDelete('cascade'))
    .addColumn('valid_until', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('webhook_tokens_webhook').on('webhook_tokens').column('webhook_id').execute()
  await table('deliveries')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('webhook_id', 'text', (c) => c.notNull().references('webhooks.id').onDelete('cascade'))
    .addColumn('strategy_id', 'text', (c) => c.notNull())
    .addColumn('received_at', 'text', (c) => c.notNull())
    .addColumn('source_ip', 'text', (c) => c.notNull())
    .addColumn('content_type', 'text', (c) => c.notNull())
    .addColumn('size', 'integer', (c) => c.notNull())
    .addColumn('body', 'text')
    .addColumn('body_encoding', 'text', (c) => c.notNull())
    .addColumn('body_sha256', 'text', (c) => c.notNull())
    .addColumn('dedupe_key', 'text')
    .addColumn('outcome', 'text', (c) => c.notNull())
    .addColumn('http_status', 'integer', (c) => c.notNull())
    .addColumn('reason_code', 'text')
    .addColumn('reason', 'text')
    .addColumn('field', 'text')
    .addColumn('duplicate_of', 'text')
    .addColumn('signal_id', 'text')
    .addColumn('normal', 'text')
    .addColumn('duration_ms', 'double precision', (c) => c.notNull())
    .addColumn('test', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('replayed_at', 'text')
    .execute()
  await db.schema.createIndex('deliveries_webhook').on('deliveries').columns(['webhook_id', 'id']).execute()
  await db.schema
    .createIndex('deliveries_dedupe')
    .on('deliveries')
    .columns(['webhook_id', 'dedupe_key', 'received_at'])
    .execute()
  await db.schema.createIndex('deliveries_received').on('deliveries').column('received_at').execute()
  await table('signals')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('strategy_id', 'text', (c) => c.notNull().references('strategies.id').onDelete('cascade'))
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .addColumn('chain_seq', 'integer', (c) => c.notNull())
    .addColumn('prev_hash', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('facts', 'text', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('refers_to', 'text')
    .addColumn('symbol', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('effect', 'text', (c) => c.notNull())
    .addColumn('webhook_id', 'text')
    .addColumn('delivery_id', 'text')
    .addColumn('symbol_name', 'text', (c) => c.notNull())
    .addColumn('trading_date', 'text', (c) => c.notNull())
    .addColumn('session', 'text', (c) => c.notNull())
    .addColumn('flags', 'text', (c) => c.notNull())
    .addColumn('derived', 'text', (c) => c.notNull())
    .addColumn('realised_pnl', 'double precision')
    .addColumn('occurred_at', 'text', (c) => c.notNull())
    .addColumn('received_at', 'text', (c) => c.notNull())
    .addColumn('stored_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('signals_chain', ['strategy_id', 'chain_seq'])
    .addUniqueConstraint('signals_seq', ['scope', 'seq'])
    .execute()
  await db.schema.createIndex('signals_by_date').on('signals').columns(['scope', 'trading_date']).execute()
  await db.schema.createIndex('signals_delivery').on('signals').column('delivery_id').execute()
  await table('events')
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('data', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('events_pk', ['scope', 'seq'])
    .execute()
  await db.schema.createIndex('events_at').on('events').column('at').execute()
  await table('counters')
    .addColumn('scope', 'text', (c) => c.primaryKey())
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .execute()
  await table('idempotency')
    .addColumn('uid', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('status', 'integer', (c) => c.notNull())
    .addColumn('body', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotency_pk', ['uid', 'key'])
    .execute()
  await db.schema.createIndex('idempotency_created').on('idempotency').column('created_at').execute()
}

// Folds remember which closed days they were derived with; rows of before do not say, so the next look folds them again.
async function up002(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('strategy_folds')
    .addColumn('calendar', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
}

// What moves with every signal is a narrow row of its own: summary and curve, which move only when somebody looks, go beside it.
// With them in it every signal wrote 3 KB anew. The index on signals.delivery_id was read by nobody.
const MOVED = ['summary', 'curve', 'net_profit', 'win_rate', 'max_drawdown', 'figures_seq', 'calendar']

async function up003(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('strategy_figures')
    .addColumn('strategy_id', 'text', (c) =>
      c.primaryKey().references('strategy_folds.strategy_id').onDelete('cascade'),
    )
    .addColumn('summary', 'text', (c) => c.notNull())
    .addColumn('curve', 'text', (c) => c.notNull())
    .addColumn('net_profit', 'double precision', (c) => c.notNull())
    .addColumn('win_rate', 'double precision')
    .addColumn('max_drawdown', 'double precision', (c) => c.notNull())
    .addColumn('figures_seq', 'integer', (c) => c.notNull())
    .addColumn('calendar', 'text', (c) => c.notNull())
    .execute()
  await sql`insert into strategy_figures
    (strategy_id, summary, curve, net_profit, win_rate, max_drawdown, figures_seq, calendar)
    select strategy_id, summary, curve, net_profit, win_rate, max_drawdown, figures_seq, calendar from strategy_folds`.execute(
    db,
  )
  for (const column of MOVED) await db.schema.alterTable('strategy_folds').dropColumn(column).execute()
  await db.schema.dropIndex('signals_delivery').execute()
}

// Sign-in for and by others: what the OpenID provider keeps, who signs in through whom, and one-time tickets.
async function up004(db: Kysely<unknown>): Promise<void> {
  const table = (name: string) => db.schema.createTable(name)
  await table('oidc_rows')
    .addColumn('model', 'text', (c) => c.notNull())
    .addColumn('id_hash', 'text', (c) => c.notNull())
    .addColumn('grant_hash', 'text')
    .addColumn('uid_hash', 'text')
    .addColumn('account', 'text', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('client_id', 'text')
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('consumed_at', 'text')
    .addPrimaryKeyConstraint('oidc_rows_pk', ['model', 'id_hash'])
    .execute()
  await db.schema.createIndex('oidc_rows_grant').on('oidc_rows').column('grant_hash').execute()
  await db.schema.createIndex('oidc_rows_account').on('oidc_rows').columns(['account', 'model']).execute()
  await db.schema.createIndex('oidc_rows_expiry').on('oidc_rows').column('expires_at').execute()
  await table('identities')
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('uid', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('confirmed', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('last_used_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('identities_pk', ['provider', 'subject'])
    .execute()
  await db.schema.createIndex('identities_uid').on('identities').column('uid').execute()
  await table('tickets')
    .addColumn('id_hash', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('uid', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('provider', 'text')
    .addColumn('subject', 'text')
    .addColumn('binding_hash', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('used_at', 'text')
    .addColumn('sid', 'text')
    .execute()
  await db.schema.createIndex('tickets_uid').on('tickets').column('uid').execute()
  await db.schema.createIndex('tickets_expiry').on('tickets').column('expires_at').execute()
}

// Accounts whole: when a field was last edited, links for a forgotten password, files of people, accounts that were given up.
async function up005(db: Kysely<unknown>): Promise<void> {
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

// Organizations whole: their settings, invitations, strategy groups with dates.
async function up006(db: Kysely<unknown>): Promise<void> {
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

// Copies are looked for by key first: keys begin with the sender's own id and time, so that what many webhooks send at one
// moment stands together. Led by the webhook, every message of a commit wrote a page of its own, and split it again and again.
async function up007(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('deliveries_dedupe').execute()
  await db.schema
    .createIndex('deliveries_key')
    .on('deliveries')
    .columns(['dedupe_key', 'webhook_id', 'received_at'])
    .execute()
}

// Holding times were floored to minutes: figures made before count no calendar as theirs, so the next look folds them again.
async function up008(db: Kysely<unknown>): Promise<void> {
  await sql`update strategy_figures set calendar = ''`.execute(db)
}

// Counts of messages about another product beside those refused, records that alarm nobody, and the two ways a replay looks back:
// what was a copy of a delivery, what points at a record. Both indexes hold few rows, so that an ordinary signal pays nothing.
async function up009(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of [
    ['webhooks', 'mismatch'],
    ['signals', 'quiet'],
  ] as const)
    await db.schema
      .alterTable(table)
      .addColumn(column, 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  await sql`update webhooks set mismatch = (select count(*) from deliveries as d
    where d.webhook_id = webhooks.id and d.test = 0 and d.reason_code = 'symbol_mismatch')`.execute(db)
  await sql`create index deliveries_copies on deliveries (duplicate_of) where duplicate_of is not null`.execute(
    db,
  )
  await sql`create index signals_pointers on signals (refers_to) where refers_to is not null`.execute(db)
}

// What the database knows about itself. Its epoch: which of its pasts this is; a restored copy begins another one, so that whoever
// was ahead of it notices.
async function up010(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('ground')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute()
  await sql`insert into ground (name, value) values ('epoch', ${randomUUID()})`.execute(db)
}

// Of a body that nobody could read only the beginning is kept.
async function up011(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('deliveries')
    .addColumn('body_cut', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}

// Folds go on from what is stored: the state says which closed days it was made with, and states of earlier are kept from time
// to time, so that a late record never has to be folded in from the first one.
async function up012(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('strategy_folds')
    .addColumn('calendar', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  // Figures that were worked out since the first record came from a fold with their days; the others are folded again once.
  await sql`update strategy_folds set calendar = coalesce((select figures.calendar from strategy_figures as figures
    where figures.strategy_id = strategy_folds.strategy_id and (figures.figures_seq > 0 or strategy_folds.chain_seq = 0)), '')`.execute(
    db,
  )
  await db.schema
    .createTable('fold_marks')
    .addColumn('strategy_id', 'text', (c) => c.notNull().references('strategies.id').onDelete('cascade'))
    .addColumn('chain_seq', 'integer', (c) => c.notNull())
    .addColumn('last_at', 'bigint', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('tally', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('fold_marks_pk', ['strategy_id', 'chain_seq'])
    .execute()
}

// Each webhook knows how many bytes it keeps of messages that became no signal: the owner's room is the sum.
async function up013(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('webhooks')
    .addColumn('refused_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`update webhooks set refused_bytes = coalesce((select sum(octet_length(body)) from deliveries
    where deliveries.webhook_id = webhooks.id and test = 0 and outcome in ('rejected', 'ignored', 'duplicate')), 0)`.execute(
    db,
  )
}

// Addresses stored before they were compared by what is mailed are written that way now. Where two accounts would become one address,
// the one that is written so already keeps it, then a proven one, then the older; the other stays as it is and loses nothing (docs/decisions/accounts.md).
interface Account {
  id: string
  email: string
  email_verified: number
  created_at: string
}

const AT_ONCE = 1_000

/** As `email()` of the contract wrote it when this was made; without the signs that no address may have any more. */
export function asMailed(stored: string): string {
  return stored
    .normalize('NFKC')
    .replace(/[\p{C}\s]/gu, '')
    .toLowerCase()
}

/** Accounts whose address is not written as it is mailed: the proven ones first, then the older. */
export async function oddAccounts(db: QueryExecutorProvider): Promise<Account[]> {
  const odd: Account[] = []
  for (let after = ''; ; ) {
    const { rows } = await sql<Account>`select id, email, email_verified, created_at from users
      where id > ${after} order by id limit ${AT_ONCE}`.execute(db)
    odd.push(...rows.filter(({ email }) => asMailed(email) !== email))
    if (rows.length < AT_ONCE) break
    after = rows.at(-1)?.id as string
  }
  return odd.sort(
    (a, b) =>
      b.email_verified - a.email_verified || (a.created_at < b.created_at ? -1 : 1) || (a.id < b.id ? -1 : 1),
  )
}

async function up014(db: QueryExecutorProvider): Promise<void> {
  for (const { id, email } of await oddAccounts(db)) {
    // Proven was the mailbox of the other writing: the code proves this one.
    await sql`update users set email = ${asMailed(email)}, email_verified = 0
      where id = ${id} and not exists (select 1 from users as other where other.email = ${asMailed(email)})`.execute(
      db,
    )
  }
  const { rows: invites } = await sql<{
    id: string
    email: string
  }>`select id, email from invites order by id`.execute(db)
  for (const { id, email } of invites.filter((one) => asMailed(one.email) !== one.email))
    await sql`update invites set email = ${asMailed(email)} where id = ${id} and not exists (select 1 from invites as other
      where other.organization_id = invites.organization_id and other.email = ${asMailed(email)}
      and other.status = 'pending')`.execute(db)
}

// Who could see what from when on: every change of a membership, a place in a group or a strategy given to a group is noted, and
// nothing of it is changed afterwards. Noted from this day on: what stands today is the first entry of each (docs/decisions/access.md).
async function up015(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('access_changes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) =>
      c.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('fact', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text')
    .addColumn('group_id', 'text')
    .addColumn('strategy_id', 'text')
    .addColumn('role', 'text')
    .addColumn('starts_on', 'text')
    .addColumn('ends_on', 'text')
    .addColumn('gone', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createIndex('access_changes_of')
    .on('access_changes')
    .columns(['organization_id', 'user_id', 'id'])
    .execute()
  await noteToday(db as Kysely<Schema>, new Date().toISOString())
}

/** Ids made of what a row is about: the same on every engine, before all that come later (those begin with the time). */
export async function noteToday(db: Kysely<Schema>, at: string): Promise<void> {
  const into = sql`insert into access_changes
    (id, organization_id, at, fact, user_id, group_id, strategy_id, role, starts_on, ends_on, gone)`
  await sql`${into} select '0:' || organization_id || ':' || user_id, organization_id, ${at}, 'membership',
    user_id, null, null, role, starts_on, expires_on, 0 from memberships`.execute(db)
  await sql`${into} select '0:' || g.id || ':' || m.user_id, g.organization_id, ${at}, 'place',
    m.user_id, g.id, null, null, m.starts_on, m.ends_on, 0
    from group_members as m inner join strategy_groups as g on g.id = m.group_id`.execute(db)
  await sql`${into} select '0:' || g.id || ':' || s.strategy_id, g.organization_id, ${at}, 'gift',
    null, g.id, s.strategy_id, null, s.starts_on, s.ends_on, 0
    from group_strategies as s inner join strategy_groups as g on g.id = s.group_id`.execute(db)
}

// Pictures of notes: which strategy shows which, and since when nobody shows one.
async function up018(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('files').addColumn('unused_since', 'text').execute()
  await db.schema
    .createTable('note_images')
    .addColumn('strategy_id', 'text', (c) => c.notNull().references('strategies.id').onDelete('cascade'))
    .addColumn('image_id', 'text', (c) =>
      c.notNull().references('files.name').onDelete('cascade').onUpdate('cascade'),
    )
    .addPrimaryKeyConstraint('note_images_pk', ['strategy_id', 'image_id'])
    .execute()
  await db.schema.createIndex('note_images_image').on('note_images').column('image_id').execute()
}

// What was answered to a position that the source reported differently (wire §14): each answer a row, the last one counts.
async function up019(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('gap_answers')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('strategy_id', 'text', (c) => c.notNull().references('strategies.id').onDelete('cascade'))
    .addColumn('signal_id', 'text', (c) => c.notNull())
    .addColumn('answer', 'text', (c) => c.notNull())
    .addColumn('answered_by', 'text', (c) => c.notNull())
    .addColumn('answered_at', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('gap_answers_of')
    .on('gap_answers')
    .columns(['strategy_id', 'signal_id', 'id'])
    .execute()
}

// Notifications (docs/decisions/notifications.md): how far events were planned, inbox, deliveries, settings, receivers of every channel, codes that bind one.
async function up020(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('notify_cursors')
    .addColumn('scope', 'text', (c) => c.primaryKey())
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .execute()
  // What happened before there were notifications is news to nobody.
  await sql`insert into notify_cursors (scope, seq) select scope, seq from counters`.execute(db)
  await schema
    .createTable('notifications')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('uid', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('seq', 'bigint', (c) => c.notNull())
    // The same thing is told once: planned by two processes or twice by one.
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('organization_id', 'text')
    .addColumn('strategy_id', 'text')
    .addColumn('signal_id', 'text')
    .addColumn('announcement_id', 'text')
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('link', 'text', (c) => c.notNull())
    // 0: the person wants none of this kind in the inbox; it stands for its deliveries.
    .addColumn('listed', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('read_at', 'text')
    .addUniqueConstraint('notifications_once', ['uid', 'key'])
    .execute()
  await schema.createIndex('notifications_inbox').on('notifications').columns(['uid', 'seq']).execute()
  await schema.createIndex('notifications_signal').on('notifications').columns(['signal_id', 'uid']).execute()
  await schema.createIndex('notifications_age').on('notifications').columns(['created_at']).execute()
  await sql`create index notifications_unread on notifications (uid) where read_at is null and listed = 1`.execute(
    db,
  )
  await schema
    .createTable('notification_deliveries')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('notification_id', 'text', (c) =>
      c.notNull().references('notifications.id').onDelete('cascade'),
    )
    .addColumn('uid', 'text', (c) => c.notNull())
    .addColumn('channel', 'text', (c) => c.notNull())
    // A row of channel_receivers; a channel whose receivers are no rows (mail, inbox) has the person's id here.
    .addColumn('receiver_id', 'text', (c) => c.notNull())
    .addColumn('device_label', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('attempts', 'integer', (c) => c.notNull())
    // Its place among channels that come one after the other; 0 = at once.
    .addColumn('rank', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('next_at', 'text')
    .addColumn('lease_holder', 'text')
    .addColumn('sent_at', 'text')
    .addColumn('shown_at', 'text')
    .addColumn('opened_at', 'text')
    .execute()
  await schema
    .createIndex('notification_deliveries_of')
    .on('notification_deliveries')
    .columns(['notification_id'])
    .execute()
  await schema
    .createIndex('notification_deliveries_mine')
    .on('notification_deliveries')
    .columns(['uid', 'id'])
    .execute()
  // What is due, of each channel: `next_at` is null where nothing is left to do; while sending it is the end of the lease.
  await sql`create index notification_deliveries_due on notification_deliveries (channel, next_at) where next_at is not null`.execute(
    db,
  )
  await sql`create index notification_deliveries_held on notification_deliveries (lease_holder) where lease_holder is not null`.execute(
    db,
  )
  // Processes that deliver, and when they last said that they live.
  await schema
    .createTable('notify_processes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('seen_at', 'text', (c) => c.notNull())
    .execute()
  await schema
    .createTable('notification_settings')
    .addColumn('uid', 'text', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    // Fields by path: value, when it was edited, on which device.
    .addColumn('fields', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute()
  await schema
    .createTable('channel_receivers')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('uid', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    // Shown: @username, the device, the host.
    .addColumn('name', 'text')
    // Sealed: whoever has it may write to the person.
    .addColumn('address', 'text', (c) => c.notNull())
    // Mark of the channel's own id of it: one receiver belongs to one person.
    .addColumn('address_mark', 'text', (c) => c.notNull())
    // JSON, sealed where it holds a secret: which strategies, signing secrets.
    .addColumn('config', 'text')
    // The session that brought it: it ends with it.
    .addColumn('sid', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('last_ok_at', 'text')
    .addColumn('reason', 'text')
    .addUniqueConstraint('channel_receivers_once', ['channel', 'address_mark'])
    .execute()
  await schema
    .createIndex('channel_receivers_of')
    .on('channel_receivers')
    .columns(['uid', 'channel'])
    .execute()
  await schema
    .createTable('binding_codes')
    .addColumn('code_hash', 'text', (c) => c.primaryKey())
    .addColumn('uid', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('channel', 'text', (c) => c.notNull())
    // Sealed: the link is shown again while it lives.
    .addColumn('code', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('used_at', 'text')
    .addColumn('reason', 'text')
    .execute()
  await schema.createIndex('binding_codes_of').on('binding_codes').columns(['uid', 'channel']).execute()
  // What a channel keeps for the whole server: the place in its updates, how many messages went this month.
  await schema
    .createTable('channel_facts')
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('channel_facts_pk', ['channel', 'name'])
    .execute()
}

// Every unsettled report of a position that did not fit, not only the newest (wire §4); and states of strategies that were erased
// before one eraser took all of them (docs/decisions/jobs.md).
async function up021(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('strategy_folds')
    .addColumn('position_gaps', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute()
  // Whose position it was is read off the record, as the fold does it.
  const gaps = await sql<{ strategy_id: string; id: string; facts: string }>`
    select folds.strategy_id, signals.id, signals.facts from strategy_folds as folds
    join signals on signals.id = folds.position_gap_id`.execute(db)
  for (const { strategy_id, id, facts } of gaps.rows) {
    const { symbol, contract } = JSON.parse(facts) as { symbol: string; contract: string | null }
    const open = JSON.stringify([{ id, of: `${symbol}|${contract ?? ''}` }])
    await sql`update strategy_folds set position_gaps = ${open} where strategy_id = ${strategy_id}`.execute(
      db,
    )
  }
  await db.schema.alterTable('strategy_folds').dropColumn('position_gap_id').execute()
  // States of earlier know the newest only: where one was open they are made anew when a late record wants one.
  await sql`delete from fold_marks where tally like '%"position_gap_id":"%'`.execute(db)
  await sql`delete from fold_marks where strategy_id in (select id from strategies where deleted_at is not null)`.execute(
    db,
  )
}

// Mailboxes that the other side says do not exist: no notification is sent there until the person proves it anew, or a letter passes.
async function up022(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('lost_mailboxes')
    .addColumn('uid', 'text', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    // Another address of the same person is another mailbox.
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('lost_at', 'text', (c) => c.notNull())
    .execute()
  // How soon a receiver may be written to again is asked of what was sent to it, by whichever process.
  await db.schema
    .createIndex('notification_deliveries_to')
    .on('notification_deliveries')
    .columns(['receiver_id', 'sent_at'])
    .execute()
}

// What is read of deliveries again and again finds its rows without looking at all of them: those that went in one message, and
// those that nothing has confirmed yet.
async function up023(db: Kysely<unknown>): Promise<void> {
  await sql`create index notification_deliveries_together on notification_deliveries (receiver_id, sent_at) where sent_at is not null and channel <> 'in_app'`.execute(
    db,
  )
  await sql`create index notification_deliveries_open on notification_deliveries (sent_at) where state = 'sent'`.execute(
    db,
  )
}

// A chat that came with a binding code waits for the person's yes before it is bound (threat T23).
async function up024(db: Kysely<unknown>): Promise<void> {
  // Sealed: the chat's address and name. null = none has come.
  await db.schema.alterTable('binding_codes').addColumn('claim', 'text').execute()
}

// Closed trades in chapters, written when somebody has looked: the first look after a start goes on from them (docs/decisions/snapshots.md).
async function up025(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fold_chapters')
    .addColumn('strategy_id', 'text', (c) => c.notNull().references('strategies.id').onDelete('cascade'))
    .addColumn('chapter', 'integer', (c) => c.notNull())
    .addColumn('chain_seq', 'integer', (c) => c.notNull())
    .addColumn('chain_hash', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('rest_seq', 'integer', (c) => c.notNull())
    .addColumn('last_at', 'bigint', (c) => c.notNull())
    .addColumn('sum', 'text', (c) => c.notNull())
    // The long ones last: SQLite reads a row only as far as it is asked for.
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('trades', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('fold_chapters_pk', ['strategy_id', 'chapter'])
    .execute()
}

// Strategies whose stored records are still to be brought to what folding says (docs/decisions/snapshots.md).
async function up026(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('owed_folds')
    .addColumn('strategy_id', 'text', (c) => c.primaryKey().references('strategies.id').onDelete('cascade'))
    .addColumn('since', 'text', (c) => c.notNull())
    .addColumn('from_seq', 'integer')
    .execute()
}

// When a delivery was first to go, and whether the person asked for it once more: its patience and its figures begin there.
async function up027(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('notification_deliveries').addColumn('due_at', 'text').execute()
  await db.schema.alterTable('notification_deliveries').addColumn('asked_at', 'text').execute()
}

// A chat that was bound under an earlier password opens no session any more, until its person binds it again.
async function up028(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('channel_receivers')
    .addColumn('doubted', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}

// Which notes of access_changes hold today: a change is compared with these, not with everything that was ever noted.
async function up029(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('access_standing')
    .addColumn('change_id', 'text', (c) => c.primaryKey().references('access_changes.id').onDelete('cascade'))
    .addColumn('organization_id', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text')
    .execute()
  await db.schema
    .createIndex('access_standing_of')
    .on('access_standing')
    .columns(['organization_id', 'user_id'])
    .execute()
  await standAsNoted(db)
}

/**
 * The newest note of each fact, where it holds. By its time first: the ids that migration 015 made (`0:…`) sort behind those that
 * came later.
 */
export async function standAsNoted(db: Kysely<never> | Kysely<unknown>): Promise<void> {
  await sql`insert into access_standing (change_id, organization_id, user_id)
    select id, organization_id, user_id from (
      select id, organization_id, user_id, gone, row_number() over (
        partition by organization_id, fact, user_id, group_id, strategy_id
        order by at desc, case when id like '0:%' then 1 else 0 end, id desc) as place
      from access_changes) as noted
    where place = 1 and gone = 0`.execute(db)
}

// What holds for every process, every month and every session (docs/decisions/notifications.md): until when receivers are left alone, what an
// account took of a channel's messages, and which session a chat, and which chat a session, came from.
async function up031(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('receiver_rests')
    .addColumn('channel', 'text', (c) => c.notNull())
    // '' = the whole channel; mail has the person's id here.
    .addColumn('receiver_id', 'text', (c) => c.notNull())
    // The other side said so.
    .addColumn('asked_until', 'text')
    // It failed so often in a row, which rests it.
    .addColumn('failed', 'integer', (c) => c.notNull())
    .addColumn('rests_until', 'text')
    .addColumn('noted_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('receiver_rests_pk', ['channel', 'receiver_id'])
    .execute()
  await db.schema
    .createTable('channel_usage')
    .addColumn('channel', 'text', (c) => c.notNull())
    // `YYYY-MM` by the clock of the other side's account.
    .addColumn('month', 'text', (c) => c.notNull())
    .addColumn('uid', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('used', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('channel_usage_pk', ['channel', 'month', 'uid'])
    .execute()
  // The session whose person last said that the chat is theirs; null = before this was kept.
  await db.schema.alterTable('channel_receivers').addColumn('bound_sid', 'text').execute()
  await db.schema.alterTable('binding_codes').addColumn('sid', 'text').execute()
  // The chat that asked for the ticket, and the session that it opened.
  await db.schema.alterTable('tickets').addColumn('receiver_id', 'text').execute()
  await db.schema.alterTable('sessions').addColumn('receiver_id', 'text').execute()
}

// What is still to be erased after somebody deleted it, so that no stop forgets it (docs/decisions/jobs.md); and who made a change of access.
async function up032(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('owed_erasures')
    // A strategy's id, or the scope of an organization that was dissolved.
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('since', 'text', (c) => c.notNull())
    .execute()
  // What was told of a strategy goes with it, some rows at a time: found without reading everybody's inbox each time.
  await db.schema.createIndex('notifications_strategy').on('notifications').column('strategy_id').execute()
  await db.schema.alterTable('access_changes').addColumn('changed_by', 'text').execute()
}

// When each field of a bell was edited, and by which session: of two devices the later edit stands, not the one that comes later.
async function up033(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('strategy_notify').addColumn('edits', 'text').execute()
}

// Announcements of the platform and of organizations, to whom each goes, and who has read it.
async function up034(db: Kysely<unknown>): Promise<void> {
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

// When the source of a webhook was last heard, from when on a strategy's source is watched, and since which message it is silent.
async function up035(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('webhooks').addColumn('last_heard_at', 'text').execute()
  await db.schema.alterTable('strategies').addColumn('watched_from', 'text').execute()
  await db.schema.alterTable('strategies').addColumn('silent_since', 'text').execute()
  await sql`create index strategies_watched on strategies (id) where watched_from is not null`.execute(db)
  for (const column of ['last_accepted_at', 'last_rejected_at', 'last_duplicate_at'])
    await sql`update webhooks set last_heard_at = ${sql.ref(column)}
      where ${sql.ref(column)} is not null and ${sql.ref(column)} > coalesce(last_heard_at, '')`.execute(db)
  // The switch stood in the form once: who has it on is watched.
  await sql`update strategies set watched_from = updated_at
    where status = 'active' and deleted_at is null and silence_alarm like '%"enabled":true%'`.execute(db)
}

// The notes of access as a log that is read: what each follows and until when it held, by what it is looked for; strategies that there
// are, for admins see all of them; and what deleted groups were called (docs/decisions/access.md).
async function up036(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('access_changes').addColumn('follows', 'text').execute()
  await db.schema.alterTable('access_changes').addColumn('over_at', 'text').execute()
  await noteStrategies(db)
  await linkNotes(db)
  await db.schema.dropIndex('access_changes_of').execute()
  for (const [name, columns] of Object.entries(INDEXES))
    await db.schema
      .createIndex(name)
      .on('access_changes')
      .columns(['organization_id', ...columns])
      .execute()
  await db.schema
    .createTable('gone_groups')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) =>
      c.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('gone_groups_of').on('gone_groups').columns(['organization_id', 'id']).execute()
}

const INDEXES = {
  access_changes_at: ['at', 'id'],
  access_changes_fact: ['fact', 'at', 'id'],
  access_changes_people: ['fact', 'user_id', 'at', 'id'],
  access_changes_user: ['user_id', 'at', 'id'],
  access_changes_group: ['group_id', 'fact', 'at', 'id'],
  access_changes_strategy: ['strategy_id', 'fact', 'at', 'id'],
}

/** Strategies of organizations since they were made, but not before the first note of their organization; and when they were deleted. */
export async function noteStrategies(db: Kysely<never> | Kysely<unknown>): Promise<void> {
  const since = sql`(select organization_id, min(at) as at from access_changes group by organization_id)`
  const into = sql`insert into access_changes (id, organization_id, at, fact, strategy_id, gone, changed_by)`
  const owned = sql`from strategies as s inner join ${since} as since on since.organization_id = s.owner_id
    where s.owner_type = 'organization' and s.name <> ''`
  await sql`${into} select '0:' || s.id, s.owner_id, case when s.created_at > since.at then s.created_at else since.at end,
    'strategy', s.id, 0, s.created_by ${owned} and (s.deleted_at is null or s.deleted_at > since.at)`.execute(
    db,
  )
  await sql`${into} select '1:' || s.id, s.owner_id, s.deleted_at, 'strategy', s.id, 1, null ${owned}
    and s.deleted_at > since.at`.execute(db)
  await sql`insert into access_standing (change_id, organization_id, user_id)
    select '0:' || s.id, s.owner_id, null ${owned} and s.deleted_at is null`.execute(db)
}

/** By time, those that migrations wrote first, as standAsNoted of 029 has it. */
export async function linkNotes(db: Kysely<never> | Kysely<unknown>): Promise<void> {
  await sql`update access_changes set over_at = case when linked.gone = 0 then linked.next_at end,
      follows = case when linked.before_gone = 0 then linked.before_id end
    from (select id, gone, lead(at) over same as next_at, lag(id) over same as before_id, lag(gone) over same as before_gone
      from access_changes
      window same as (partition by organization_id, fact, user_id, group_id, strategy_id
        order by at, case when id like '0:%' then 0 else 1 end, id)) as linked
    where linked.id = access_changes.id`.execute(db)
}

// Ways into an organization besides mail: links, its join code, and requests to join.
async function up037(db: Kysely<unknown>): Promise<void> {
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

// Events of notifications keep the id only, as those of signals and deliveries do: what was told stands in the inbox, and goes with what
// it was about (docs/decisions/jobs.md); what was told of an organization is found when it is dissolved.
async function up038(db: Kysely<unknown>): Promise<void> {
  const id = isPostgres(db)
    ? sql`json_build_object('id', data::json ->> 'id')::text`
    : sql`json_object('id', json_extract(data, '$.id'))`
  await sql`update events set data = ${id} where kind = 'notification'`.execute(db)
  await sql`create index notifications_organization on notifications (organization_id)
    where organization_id is not null and strategy_id is null`.execute(db)
}

// In which claim a delivery was first tried: what went as one message goes as one again (docs/decisions/notifications.md).
async function up039(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('notification_deliveries').addColumn('tried_in', 'text').execute()
}

// From which start on which numbers were given: cursors name the start they were given under (docs/decisions/databases.md).
async function up040(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('lineage')
    .addColumn('no', 'integer', (c) => c.primaryKey())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('begun_at', 'text', (c) => c.notNull())
    .addColumn('alone', 'integer', (c) => c.notNull())
    .execute()
  // Where a scope stood at that start, when it had moved since an earlier one wrote it down.
  await db.schema
    .createTable('lineage_heads')
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('no', 'integer', (c) => c.notNull())
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('lineage_heads_pk', ['scope', 'no'])
    .execute()
}

// 個股訊號設定 (domain §8.1): rules on which signals of stocks count and which are told, what they told, and the size that one gave.
async function up041(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('stock_signal_settings')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('strategy_id', 'text', (c) => c.notNull().references('strategies.id').onDelete('cascade'))
    .addColumn('uid', 'text')
    .addColumn('place', 'integer', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('match', 'text', (c) => c.notNull())
    .addColumn('result', 'text', (c) => c.notNull())
    .addColumn('limits', 'text', (c) => c.notNull())
    .addColumn('quantity_override', 'integer')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('stock_signal_settings_of')
    .on('stock_signal_settings')
    .columns(['strategy_id', 'uid', 'place'])
    .execute()
  await db.schema
    .createTable('stock_rule_passes')
    .addColumn('rule_id', 'text', (c) =>
      c.notNull().references('stock_signal_settings.id').onDelete('cascade'),
    )
    .addColumn('signal_id', 'text', (c) => c.notNull())
    .addColumn('symbol', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('stock_rule_passes_once', ['rule_id', 'signal_id'])
    .execute()
  await db.schema
    .createIndex('stock_rule_passes_of')
    .on('stock_rule_passes')
    .columns(['rule_id', 'symbol', 'at'])
    .execute()
  await db.schema.createIndex('stock_rule_passes_at').on('stock_rule_passes').column('at').execute()
  await db.schema.createIndex('stock_signal_settings_own').on('stock_signal_settings').column('uid').execute()
  await db.schema
    .alterTable('strategies')
    .addColumn('rules_version', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('deliveries').addColumn('ruled_quantity', 'integer').execute()
}

// A session has an end that renewing its token does not move. Those that are open get theirs from their beginning, but none before
// its person could be told.
const DAY_MS = 86_400_000
const DAYS = 180
/** Seven days of notice, counted from the first day that begins after the upgrade. */
const NOTICE_DAYS = 9

async function up042(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sessions')
    .addColumn('ends_at', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  const sessions = await (db as Kysely<Schema>)
    .selectFrom('sessions')
    .select(['id', 'created_at', 'expires_at'])
    .execute()
  const soonest = Date.now() + NOTICE_DAYS * DAY_MS
  for (const { id, created_at, expires_at } of sessions) {
    const ends = Math.max(soonest, Date.parse(created_at) + DAYS * DAY_MS)
    const ends_at = new Date(ends).toISOString()
    await (db as Kysely<Schema>)
      .updateTable('sessions')
      // A token from before is longer than what is left.
      .set({ ends_at, expires_at: expires_at < ends_at ? expires_at : ends_at })
      .where('id', '=', id)
      .execute()
  }
  await db.schema.createIndex('sessions_ends').on('sessions').column('ends_at').execute()
}

// Each webhook knows what it keeps of messages that became signals, and how many rows; an answer kept for a key how much it takes.
async function up043(db: Kysely<unknown>): Promise<void> {
  for (const column of ['signal_bytes', 'kept'])
    await db.schema
      .alterTable('webhooks')
      .addColumn(column, 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
  await db.schema
    .alterTable('webhooks')
    .addColumn('let_go', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  await sql`update webhooks set kept = (select count(*) from deliveries where deliveries.webhook_id = webhooks.id),
    signal_bytes = coalesce((select sum(octet_length(body)) from deliveries where deliveries.webhook_id = webhooks.id
      and not (test = 0 and outcome in ('rejected', 'ignored', 'duplicate'))), 0)`.execute(db)
  await db.schema
    .alterTable('idempotency')
    .addColumn('bytes', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`update idempotency set bytes = 300 + coalesce(octet_length(body), 0)`.execute(db)
  await db.schema
    .createIndex('idempotency_room')
    .on('idempotency')
    .columns(['uid', 'created_at', 'bytes'])
    .execute()
}

// 原始資料 (domain §8.3): files of XQ and their rows; and what of a record is not shown before all of a file is there
// (docs/decisions/stock-strategies.md).
async function up048(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('original_batches')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('strategy_id', 'text', (c) => c.notNull().references('strategies.id').onDelete('cascade'))
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('file_name', 'text', (c) => c.notNull())
    .addColumn('encoding', 'text', (c) => c.notNull())
    .addColumn('layout', 'text', (c) => c.notNull())
    .addColumn('size', 'integer', (c) => c.notNull())
    .addColumn('kept_bytes', 'integer', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('imported', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('duplicate', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('ignored_by_rule', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('invalid', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('pending', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('made', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('done_at', 'text')
    .execute()
  await db.schema
    .createIndex('original_batches_of')
    .on('original_batches')
    .columns(['strategy_id', 'id'])
    .execute()
  await db.schema
    .createIndex('original_batches_scope')
    .on('original_batches')
    .columns(['scope', 'state'])
    .execute()
  await db.schema
    .createTable('original_rows')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('strategy_id', 'text', (c) => c.notNull().references('strategies.id').onDelete('cascade'))
    .addColumn('batch_id', 'text', (c) => c.notNull().references('original_batches.id').onDelete('cascade'))
    .addColumn('place', 'integer', (c) => c.notNull())
    .addColumn('row_no', 'integer', (c) => c.notNull())
    .addColumn('leg', 'text')
    .addColumn('raw', 'text', (c) => c.notNull())
    .addColumn('parsed', 'text')
    .addColumn('signal', 'text')
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('error', 'text')
    .addColumn('signal_id', 'text')
    .addColumn('symbol', 'text')
    .addColumn('occurred_at', 'text')
    .execute()
  await db.schema
    .createIndex('original_rows_next')
    .on('original_rows')
    .columns(['batch_id', 'status', 'place'])
    .execute()
  await db.schema.createIndex('original_rows_of').on('original_rows').columns(['strategy_id', 'id']).execute()
  await db.schema.alterTable('strategies').addColumn('shown_seq', 'integer').execute()
  await db.schema.alterTable('strategies').addColumn('shown_hash', 'text').execute()
  await db.schema.alterTable('signals').addColumn('import_id', 'text').execute()
  await sql`create index strategies_hiding on strategies (id) where shown_seq is not null`.execute(db)
}

// The sender's own count of its messages (domain §5.5): the newest number of a webhook, and those that are missing.
async function up049(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('webhooks').addColumn('sequence', 'text').execute()
}

// Confirmed formats (docs/decisions/reader.md). Webhooks that are there keep being read the old way for ninety days, while what their
// senders write is asked about; and what they wrote lately is looked through once (server/webhook/learned-formats.ts).
const GRACE_MS = 90 * 86_400_000

async function up050(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_formats')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('webhook_id', 'text', (c) => c.notNull().references('webhooks.id').onDelete('cascade'))
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('shape', 'text', (c) => c.notNull())
    .addColumn('extends', 'text')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('format', 'text')
    .addColumn('mapping', 'text')
    .addColumn('sample_delivery_id', 'text')
    .addColumn('taken_before', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('confirmed_at', 'text')
    .addColumn('confirmed_by', 'text')
    .addUniqueConstraint('webhook_formats_shape', ['webhook_id', 'state', 'shape'])
    .execute()
  await sql`create index webhook_formats_waiting on webhook_formats (webhook_id) where state = 'waiting'`.execute(
    db,
  )
  const webhooks = () => db.schema.alterTable('webhooks')
  await webhooks()
    .addColumn('held', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await webhooks()
    .addColumn('formats_rev', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await webhooks().addColumn('formats_grace_until', 'text').execute()
  await webhooks()
    .addColumn('formats_due', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await webhooks()
    .addColumn('formats_used', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute()
  await webhooks().addColumn('asked_at', 'text').execute()
  await db.schema.alterTable('deliveries').addColumn('format_id', 'text').execute()
  await sql`create index deliveries_held on deliveries (webhook_id, format_id, id) where outcome = 'held'`.execute(
    db,
  )
  const until = new Date(Date.now() + GRACE_MS).toISOString()
  await sql`update webhooks set formats_grace_until = ${until}, formats_due = 1 where deleted_at is null`.execute(
    db,
  )
}

// Records whose price is in doubt are counted; states of earlier know no last prices and go (docs/decisions/figures.md). What stands is folded
// again when somebody looks or the next record comes: its key is another one since FOLDED_AS was raised.
async function up051(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('strategy_folds')
    .addColumn('price_suspect_count', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`delete from fold_marks`.execute(db)
}

// Refused messages by strategy and time: few among many, and asked for with every list of strategies and every dashboard. Its readers:
// `rejectedSince` (strategy/present.ts), `rejectedByStrategy` (dashboard/store.ts).
async function up052(db: Kysely<unknown>): Promise<void> {
  await sql`create index deliveries_refused on deliveries (strategy_id, received_at) where outcome = 'rejected' and test = 0`.execute(
    db,
  )
}

// Misses at what can be guessed (server/limits/guesses.ts): so many in a window that began with the first. Its readers: the primary key,
// with every guess; `guesses_until`, what is over.
async function up053(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('guesses')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('misses', 'integer', (c) => c.notNull())
    .addColumn('most', 'integer', (c) => c.notNull())
    .addColumn('until', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('guesses_until').on('guesses').column('until').execute()
}

// Work that is done later, again, or at a time: one table (docs/decisions/jobs.md). What was owed in tables and columns of its own until
// then is carried over, so that nothing is lost by the upgrade; two of those tables go.
async function up054(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('jobs')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    // What it is about: the same work waits once.
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('data', 'text', (c) => c.notNull())
    .addColumn('due_at', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('asked', 'integer', (c) => c.notNull())
    .addColumn('lease', 'text')
    .addColumn('lease_until', 'text')
    .addColumn('last_error', 'text')
    .execute()
  await db.schema.createIndex('jobs_key').unique().on('jobs').columns(['kind', 'key']).execute()
  await db.schema.createIndex('jobs_due').on('jobs').columns(['kind', 'due_at']).execute()
  await db.schema.createIndex('jobs_turn').on('jobs').columns(['kind', 'owner', 'due_at']).execute()
  const carry = (kind: string, from: string) =>
    sql`insert into jobs (id, kind, key, owner, data, due_at, attempts, asked)
      select ${sql.lit(`${kind} `)} || key, ${sql.lit(kind)}, key, owner, data, '', 0, 1
      from (${sql.raw(from)}) as owed`.execute(db)
  await carry(
    'refold',
    `select o.strategy_id as key, s.scope as owner,
       '{"from_seq":' || coalesce(cast(o.from_seq as text), 'null') || '}' as data
     from owed_folds as o join strategies as s on s.id = o.strategy_id`,
  )
  await carry('erase', `select id as key, scope as owner, 'null' as data from owed_erasures`)
  await carry(
    'erase-account',
    `select id as key, 'p:' || id as owner, 'null' as data from users where deleted_at is not null and erased_at is null`,
  )
  await carry(
    'import',
    `select id as key, scope as owner, 'null' as data from original_batches where state in ('receiving', 'importing', 'deleting')`,
  )
  await carry(
    'learn-formats',
    `select w.id as key, s.scope as owner, 'null' as data
     from webhooks as w join strategies as s on s.id = w.strategy_id where w.formats_due = 1`,
  )
  await db.schema.dropTable('owed_folds').execute()
  await db.schema.dropTable('owed_erasures').execute()
}

export const UNTIL_054 = {
  '001-first': { up: up001 },
  '002-calendar': { up: up002 },
  '003-moving': { up: up003 },
  '004-oidc': { up: up004 },
  '005-accounts': { up: up005 },
  '006-organizations': { up: up006 },
  '007-keys': { up: up007 },
  '008-exact-holding': { up: up008 },
  '009-replays': { up: up009 },
  '010-ground': { up: up010 },
  '011-bodies': { up: up011 },
  '012-marks': { up: up012 },
  '013-refused': { up: up013 },
  '014-addresses': { up: up014 },
  '015-access-changes': { up: up015 },
  '018-note-images': { up: up018 },
  '019-gap-answers': { up: up019 },
  '020-notify': { up: up020 },
  '021-gaps': { up: up021 },
  '022-lost-mailboxes': { up: up022 },
  '023-notify-reads': { up: up023 },
  '024-binding-claims': { up: up024 },
  '025-chapters': { up: up025 },
  '026-owed-folds': { up: up026 },
  '027-notify-due': { up: up027 },
  '028-doubted-chats': { up: up028 },
  '029-access-standing': { up: up029 },
  '031-rests': { up: up031 },
  '032-owed-erasures': { up: up032 },
  '033-bell-edits': { up: up033 },
  '034-announcements': { up: up034 },
  '035-silence': { up: up035 },
  '036-access-log': { up: up036 },
  '037-joining': { up: up037 },
  '038-short-notifications': { up: up038 },
  '039-tried-in': { up: up039 },
  '040-lineage': { up: up040 },
  '041-stock-rules': { up: up041 },
  '042-session-ends': { up: up042 },
  '043-room': { up: up043 },
  '048-original-data': { up: up048 },
  '049-sequence': { up: up049 },
  '050-formats': { up: up050 },
  '051-price-fence': { up: up051 },
  '052-refused': { up: up052 },
  '053-guesses': { up: up053 },
  '054-jobs': { up: up054 },
} satisfies Record<string, Migration>
