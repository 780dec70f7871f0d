// Every table: whose its rows are, and what keeps one owner from filling the disk with them. A table that is missing here does not
// compile, and turns tests/server/room.test.ts red.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  ACCESS_NOTES_PER_OWNER,
  NOTIFICATIONS_PER_ACCOUNT,
  RECEIVERS_PER_ACCOUNT,
  SIGN_INS_PER_ACCOUNT,
  STRATEGIES_KEPT_PER_OWNER,
} from '#contract/limits.ts'
import type { Schema } from '../db/schema.ts'
import type { OwnerRoom } from './rooms.ts'

/** `account`: the person whose id stands in it; `room`: what takes the room of whoever leads; `server`: of nobody, a fixed number. */
type Owner = 'account' | 'room' | 'server'

/** Over the bound the oldest and least needed rows go. */
export interface Trimmed {
  readonly owner: Exclude<Owner, 'server'>
  readonly bound: 'trimmed'
  /** Rows of one owner. */
  readonly most: number
  /** The columns that name a row. */
  readonly key: readonly [string, ...string[]]
  /** Which rows are this owner's; null where it can have none. */
  readonly of: (room: OwnerRoom) => RawBuilder<SqlBool> | null
  /** Only these may go. */
  readonly may?: (now: string) => RawBuilder<SqlBool>
  /** What goes first. */
  readonly first: (now: string) => RawBuilder<unknown>
}

type Kept =
  | Trimmed
  | {
      readonly owner: Owner
      /**
       * `counted`: by bytes or numbers, in a file of its own; `refused`: one more is refused with a sentence; `hangs`: so many for
       * each row of something that is bounded; `good`: records are never deleted, what bounds them is the rate of the intake;
       * `time`: it goes by its age, and the limits of rate bound what comes in that time.
       */
      readonly bound: 'counted' | 'refused' | 'hangs' | 'good' | 'time'
      readonly why: string
    }

const list = (values: readonly string[]) => sql.join(values.map((value) => sql`${value}`))
const byAccount =
  (column: string) =>
  ({ uid }: OwnerRoom) =>
    uid === null ? null : sql<SqlBool>`${sql.ref(column)} = ${uid}`
const byOrganization = ({ organization_ids }: OwnerRoom) =>
  organization_ids.length === 0 ? null : sql<SqlBool>`organization_id in (${list(organization_ids)})`
const strategies = ({ scopes }: OwnerRoom) => sql`select id from strategies where scope in (${list(scopes)})`
const byStrategy = (room: OwnerRoom) => sql<SqlBool>`strategy_id in (${strategies(room)})`

const hangs = (owner: Owner, why: string): Kept => ({ owner, bound: 'hangs', why })
const trimmed = (of: Omit<Trimmed, 'bound'>): Trimmed => ({ ...of, bound: 'trimmed' })

export const TABLES: Readonly<Record<keyof Schema, Kept>> = {
  users: hangs('account', 'one row an account; how many register from one address is limited'),
  sessions: trimmed({
    ...{ owner: 'account', most: SIGN_INS_PER_ACCOUNT, key: ['id'], of: byAccount('uid') },
    first: (now) => sql`case when ended_at is null and expires_at > ${now} then 1 else 0 end, last_seen_at`,
  }),
  codes: hangs('account', 'one of each kind'),
  password_resets: trimmed({
    ...{
      owner: 'account',
      most: 200,
      key: ['token_hash'],
      of: byAccount('uid'),
      first: () => sql`expires_at`,
    },
  }),
  identities: hangs('account', 'one for each account that the person has at another provider'),
  tickets: trimmed({
    ...{
      owner: 'account',
      most: 1_000,
      key: ['id_hash'],
      of: byAccount('uid'),
      first: () => sql`expires_at`,
    },
  }),
  oidc_rows: trimmed({
    ...{ owner: 'account', most: 2_000, key: ['model', 'id_hash'], of: byAccount('account') },
    first: () => sql`expires_at`,
  }),
  idempotency: { owner: 'account', bound: 'counted', why: 'by bytes, server/usage/answers.ts' },
  notification_settings: hangs('account', 'one row'),
  strategy_notify: hangs('account', 'one for each strategy that the person sees'),
  channel_receivers: trimmed({
    ...{ owner: 'account', most: RECEIVERS_PER_ACCOUNT, key: ['id'], of: byAccount('uid') },
    // Of the others there are at most so many of each channel.
    may: () => sql`state = 'gone'`,
    first: () => sql`created_at`,
  }),
  channel_usage: hangs('account', 'one for each channel and month'),
  receiver_rests: hangs('account', 'one for each receiver that fails'),
  lost_mailboxes: hangs('account', 'one row'),
  binding_codes: trimmed({
    ...{
      owner: 'account',
      most: 500,
      key: ['code_hash'],
      of: byAccount('uid'),
      first: () => sql`expires_at`,
    },
  }),
  // Warnings and what waits to be sent go last; deliveries go with their notification.
  notifications: trimmed({
    ...{ owner: 'account', most: NOTIFICATIONS_PER_ACCOUNT, key: ['id'], of: byAccount('uid') },
    first: () => sql`case
      when exists (select 1 from notification_deliveries as d where d.notification_id = notifications.id and d.next_at is not null) then 3
      when read_at is not null or listed = 0 then 0 when kind = 'signal' then 1 else 2 end, created_at`,
  }),
  notification_deliveries: hangs('account', 'one for each notification and receiver'),
  announcement_reads: hangs('account', 'one for each announcement that the person sees'),
  join_requests: trimmed({
    ...{ owner: 'account', most: 500, key: ['id'], of: byAccount('user_id') },
    may: (now) => sql`(status <> 'pending' or expires_at < ${now})`,
    first: () => sql`updated_at`,
  }),
  memberships: hangs('account', 'one for each organization that the person belongs to'),

  organizations: { owner: 'room', bound: 'refused', why: 'a person leads at most twenty' },
  strategies: trimmed({
    ...{ owner: 'room', most: STRATEGIES_KEPT_PER_OWNER, key: ['id'] },
    of: ({ scopes }) => sql`scope in (${list(scopes)})`,
    // Those without a single record: records are never deleted. How many are not deleted is refused beyond its own bound.
    may: () =>
      sql`deleted_at is not null and chain_seq = 0 and not exists (select 1 from owed_erasures as o where o.id = strategies.id)`,
    first: () => sql`deleted_at`,
  }),
  note_images: hangs('room', 'a note shows at most ten'),
  files: { owner: 'room', bound: 'refused', why: 'by bytes' },
  stock_signal_settings: {
    owner: 'room',
    bound: 'refused',
    why: 'so many rules of an owner, and of a person',
  },
  stock_rule_passes: trimmed({
    ...{ owner: 'room', most: 100_000, key: ['rule_id', 'signal_id'], first: () => sql`at` },
    of: (room) => sql`rule_id in (select id from stock_signal_settings where ${byStrategy(room)})`,
  }),
  webhooks: trimmed({
    ...{ owner: 'room', most: 20_000, key: ['id'], of: byStrategy },
    // What a deleted one received stays for as long as deliveries do.
    may: () => sql`deleted_at is not null and kept = 0`,
    first: () => sql`deleted_at`,
  }),
  webhook_tokens: trimmed({
    ...{ owner: 'room', most: 40_000, key: ['token_hash'] },
    of: (room) => sql`webhook_id in (select id from webhooks where ${byStrategy(room)})`,
    may: (now) => sql`valid_until is not null and valid_until < ${now}`,
    first: () => sql`valid_until`,
  }),
  webhook_formats: {
    owner: 'room',
    bound: 'refused',
    why: 'so many of a webhook that wait, the oldest go; so many confirmed, one more is refused',
  },
  deliveries: { owner: 'room', bound: 'counted', why: 'by bytes and rows, server/usage/messages.ts' },
  signals: {
    owner: 'room',
    bound: 'good',
    why: 'never deleted; so many messages a minute, and of one room together',
  },
  original_batches: {
    owner: 'room',
    bound: 'refused',
    why: 'so many files of a strategy, so many records that they brought',
  },
  original_rows: { owner: 'room', bound: 'refused', why: 'by bytes' },
  strategy_folds: hangs('room', 'one for each strategy'),
  strategy_figures: hangs('room', 'one for each strategy'),
  fold_marks: hangs('room', 'a few for each strategy'),
  fold_chapters: hangs('room', 'worked out of the records'),
  owed_folds: hangs('room', 'one for each strategy'),
  owed_erasures: hangs('room', 'one for each strategy'),
  gap_answers: trimmed({
    ...{ owner: 'room', most: 20_000, key: ['id'], of: byStrategy },
    // The last answer to a signal counts.
    may: () =>
      sql`exists (select 1 from gap_answers as newer where newer.strategy_id = gap_answers.strategy_id and newer.signal_id = gap_answers.signal_id and newer.id > gap_answers.id)`,
    first: () => sql`answered_at`,
  }),
  events: { owner: 'room', bound: 'counted', why: 'by their numbers, server/usage/events.ts' },
  counters: hangs('room', 'one for each scope'),
  notify_cursors: hangs('room', 'one for each scope'),
  invites: trimmed({
    ...{ owner: 'room', most: 10_000, key: ['id'], of: byOrganization },
    first: (now) => sql`case when status = 'pending' and valid_until > ${now} then 1 else 0 end, created_at`,
  }),
  invite_links: { owner: 'room', bound: 'refused', why: 'fifty for each organization' },
  strategy_groups: { owner: 'room', bound: 'refused', why: 'so many groups of an owner' },
  group_members: hangs('room', 'one for each member and group'),
  group_strategies: { owner: 'room', bound: 'refused', why: 'so many gifts of an owner' },
  access_changes: trimmed({
    ...{ owner: 'room', most: ACCESS_NOTES_PER_OWNER, key: ['id'], of: byOrganization },
    // What holds stays.
    may: () => sql`(over_at is not null or gone = 1)`,
    first: () => sql`at, id`,
  }),
  access_standing: hangs('room', 'one for each note that holds'),
  gone_groups: trimmed({
    ...{ owner: 'room', most: 20_000, key: ['id'], of: byOrganization, first: () => sql`id` },
  }),
  announcements: {
    owner: 'room',
    bound: 'refused',
    why: 'so many of an organization, so many signs of an owner',
  },
  announcement_groups: hangs('room', 'one for each announcement and group'),

  guesses: {
    owner: 'server',
    bound: 'time',
    why: 'misses of the last ten minutes, and no more than 100,000 rows: server/limits/guesses.ts',
  },
  ground: { owner: 'server', bound: 'time', why: 'a few rows' },
  lineage: { owner: 'server', bound: 'time', why: 'one for each start' },
  lineage_heads: { owner: 'server', bound: 'time', why: 'one for each start and scope' },
  notify_processes: { owner: 'server', bound: 'time', why: 'one for each process' },
  channel_facts: { owner: 'server', bound: 'time', why: 'a few for each channel' },
}
