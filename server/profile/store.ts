// A person's profile with the organizations of today.

import { type RawBuilder, sql } from 'kysely'
import type { Profile } from '#contract/profile.ts'
import { taipei } from '#trading/calendar.ts'
import type { App, Tx } from '../context.ts'
import type { TableName } from '../db/schema.ts'
import { mailStays } from '../mail/messages.ts'
import { openUntil } from '../session/codes.ts'

/** The profile; its owner exists, the session row says so. */
export async function loadProfile(app: Pick<App, 'config'>, tx: Tx, uid: string): Promise<Profile> {
  const user = await tx.db.selectFrom('users').selectAll().where('id', '=', uid).executeTakeFirstOrThrow()
  const today = taipei(tx.at).date
  const organizations = await tx.db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['organizations.id', 'organizations.name', 'organizations.logo', 'role', 'expires_on'])
    .where('user_id', '=', uid)
    .where('starts_on', '<=', today)
    .where((eb) => eb.or([eb('expires_on', 'is', null), eb('expires_on', '>=', today)]))
    .orderBy('organizations.name')
    .orderBy('organizations.id')
    .execute()
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    email_verified: user.email_verified === 1,
    need_force_update_password: user.need_force_update_password === 1,
    has_password: user.password_hash !== null,
    avatar: user.avatar,
    organizations,
    ...(user.email_verified !== 1 && {
      verification: {
        sent_until: await openUntil(tx, uid, user.email),
        in_folder: mailStays(app.config),
      },
    }),
  }
}

// Every table that names a person: what of it the person may take along, and what becomes of it when the account is given up.
// A table that is missing here fails tests/server/account-delete.test.ts.

interface HoldingTable {
  readonly table: TableName
  /** The column with the person's id. */
  readonly by: string
  /** Columns of the export; none = nothing in it tells the person anything (or it is a secret). */
  readonly show: readonly string[]
  /** `keep`: it belongs to somebody else, or goes in another way; the row of the person stays behind it without a name. */
  readonly on_leave: 'delete' | 'keep'
  /** Thousands of rows, which nobody can see once the account has ended: taken away in small steps after that. */
  readonly many?: true
}

export const HOLDINGS: readonly HoldingTable[] = [
  {
    table: 'sessions',
    by: 'uid',
    show: ['device_label', 'created_at', 'last_seen_at', 'ended_at'],
    on_leave: 'delete',
  },
  {
    table: 'memberships',
    by: 'user_id',
    show: ['organization_id', 'role', 'starts_on', 'expires_on', 'created_at'],
    on_leave: 'delete',
  },
  {
    table: 'group_members',
    by: 'user_id',
    show: ['group_id', 'starts_on', 'ends_on', 'created_at'],
    on_leave: 'delete',
  },
  {
    table: 'strategy_notify',
    by: 'uid',
    show: ['strategy_id', 'enabled', 'channels', 'actions', 'important', 'updated_at'],
    on_leave: 'delete',
  },
  {
    table: 'notifications',
    by: 'uid',
    // What it says of an organization stays the organization's, also when the access has ended.
    show: ['kind', 'created_at', 'read_at', 'shown_at', 'opened_at'],
    on_leave: 'delete',
    many: true,
  },
  {
    table: 'notification_deliveries',
    by: 'uid',
    show: ['channel', 'device_label', 'state', 'reason', 'created_at', 'sent_at', 'shown_at', 'opened_at'],
    on_leave: 'delete',
    many: true,
  },
  // Which ones it was tells of an organization, also when the access has ended.
  { table: 'announcement_reads', by: 'uid', show: ['read_at'], on_leave: 'delete' },
  // The organization's.
  { table: 'announcements', by: 'created_by', show: [], on_leave: 'keep' },
  { table: 'notification_settings', by: 'uid', show: ['fields', 'updated_at'], on_leave: 'delete' },
  {
    table: 'channel_receivers',
    by: 'uid',
    show: ['channel', 'state', 'name', 'created_at', 'last_ok_at'],
    on_leave: 'delete',
  },
  { table: 'channel_usage', by: 'uid', show: ['channel', 'month', 'used'], on_leave: 'delete' },
  // Of mail the receiver is the person; of the other channels it goes within an hour or so by itself.
  { table: 'receiver_rests', by: 'receiver_id', show: [], on_leave: 'delete' },
  { table: 'binding_codes', by: 'uid', show: [], on_leave: 'delete' },
  { table: 'lost_mailboxes', by: 'uid', show: ['email', 'reason', 'lost_at'], on_leave: 'delete' },
  {
    table: 'identities',
    by: 'uid',
    show: ['provider', 'confirmed', 'created_at', 'last_used_at'],
    on_leave: 'delete',
  },
  {
    table: 'oidc_rows',
    by: 'account',
    show: ['model', 'client_id', 'created_at', 'expires_at'],
    on_leave: 'delete',
  },
  // Pictures of the person go with the scope; those brought for an organization are the organization's.
  { table: 'files', by: 'uid', show: ['name', 'kind', 'size', 'created_at'], on_leave: 'keep' },
  { table: 'strategies', by: 'created_by', show: [], on_leave: 'keep' },
  {
    table: 'stock_signal_settings',
    by: 'uid',
    show: ['strategy_id', 'name', 'enabled', 'match', 'result', 'limits', 'created_at', 'updated_at'],
    on_leave: 'delete',
  },
  // The strategy's, with its rows.
  { table: 'original_batches', by: 'created_by', show: [], on_leave: 'keep' },
  { table: 'webhook_formats', by: 'confirmed_by', show: [], on_leave: 'keep' },
  // What was answered about a strategy belongs to the strategy.
  {
    table: 'gap_answers',
    by: 'answered_by',
    show: ['strategy_id', 'signal_id', 'answer', 'answered_at'],
    on_leave: 'keep',
  },
  // The organization's, and with other people's addresses.
  { table: 'invites', by: 'invited_by', show: [], on_leave: 'keep' },
  { table: 'invite_links', by: 'created_by', show: [], on_leave: 'keep' },
  {
    table: 'join_requests',
    by: 'user_id',
    // Why it was refused is the organization's word.
    show: ['source', 'message', 'status', 'created_at', 'decided_at'],
    on_leave: 'delete',
  },
  { table: 'join_requests', by: 'decided_by', show: [], on_leave: 'keep' },
  // The organization's own account of who could see what; of the person it has only the id.
  { table: 'access_changes', by: 'user_id', show: [], on_leave: 'keep' },
  { table: 'access_changes', by: 'changed_by', show: [], on_leave: 'keep' },
  // Which of those notes holds today: leaving is a change, and takes its row away itself.
  { table: 'access_standing', by: 'user_id', show: [], on_leave: 'keep' },
  { table: 'codes', by: 'uid', show: [], on_leave: 'delete' },
  { table: 'password_resets', by: 'uid', show: [], on_leave: 'delete' },
  { table: 'tickets', by: 'uid', show: [], on_leave: 'delete' },
  { table: 'idempotency', by: 'uid', show: [], on_leave: 'delete' },
]

/** The rows of a holding, as the export shows them. */
export function rowsOf({ table, by, show }: HoldingTable, uid: string): RawBuilder<Record<string, unknown>> {
  const columns = sql.join(show.map((name) => sql.ref(name)))
  return sql`select ${columns} from ${sql.table(table)} where ${sql.ref(by)} = ${uid}`
}

/** Takes the rows of a holding away. */
export function deletionOf({ table, by }: HoldingTable, uid: string): RawBuilder<unknown> {
  return sql`delete from ${sql.table(table)} where ${sql.ref(by)} = ${uid}`
}
