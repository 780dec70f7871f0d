// Every table: whose its rows are, and what keeps one owner from filling the disk with them. A table that is missing here does not
// compile, and turns tests/server/room.test.ts red.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '#contract/events.ts'
import {
  ACCESS_NOTES_PER_OWNER,
  ANSWERS_PER_ACCOUNT_BYTES,
  EVENTS_PER_OWNER,
  NOTIFICATIONS_PER_ACCOUNT,
  RECEIVERS_PER_ACCOUNT,
  SIGN_INS_PER_ACCOUNT,
  STRATEGIES_KEPT_PER_OWNER,
} from '#contract/limits.ts'
import type { Db, TableName } from '../db/schema.ts'

// Whose room a scope takes: a person's own is the person's, an organization's is that of the admin who was there first. So whoever
// leads twenty organizations has one room, not twenty-one.

export interface OwnerRoom {
  /** `p:<uid>`; the scope itself where nobody leads the organization. */
  readonly key: Scope
  /** The account; null where nobody leads the organization. */
  readonly uid: string | null
  /** Everything that is counted together. */
  readonly scopes: readonly Scope[]
  /** Of those, the organizations. */
  readonly organization_ids: readonly string[]
}

/** The room that the scope belongs to, with everything else that does. */
export async function roomOf(db: Db, scope: Scope): Promise<OwnerRoom> {
  const uid = scope.startsWith('p:') ? scope.slice(2) : await leaderOf(db, scope.slice(2))
  if (uid === null) return { key: scope, uid, scopes: [scope], organization_ids: [scope.slice(2)] }
  const led = await db
    .selectFrom('memberships as led')
    .select('led.organization_id as id')
    .where('led.user_id', '=', uid)
    .where('led.role', '=', 'admin')
    .where(
      sql<SqlBool>`not exists (select 1 from memberships as other where other.organization_id = led.organization_id
        and other.role = 'admin' and (other.created_at, other.user_id) < (led.created_at, led.user_id))`,
    )
    .execute()
  const organization_ids = led.map(({ id }) => id)
  const scopes: Scope[] = [`p:${uid}`, ...organization_ids.map((id): Scope => `o:${id}`)]
  return { key: `p:${uid}`, uid, scopes, organization_ids }
}

async function leaderOf(db: Db, organization_id: string): Promise<string | null> {
  const first = await db
    .selectFrom('memberships')
    .select('user_id')
    .where('organization_id', '=', organization_id)
    .where('role', '=', 'admin')
    .orderBy('created_at')
    .orderBy('user_id')
    .limit(1)
    .executeTakeFirst()
  return first?.user_id ?? null
}

/** How long it is believed who leads what. */
const KNOWN_MS = 60_000
const KNOWN_MOST = 10_000

/** The rooms of scopes, without asking for every message. */
export class Rooms {
  readonly #known = new Map<Scope, { room: OwnerRoom; until: number }>()

  async of(db: Db, scope: Scope): Promise<OwnerRoom> {
    const known = this.#known.get(scope)
    if (known && performance.now() < known.until) return known.room
    const room = await roomOf(db, scope)
    if (this.#known.size >= KNOWN_MOST) this.#known.clear()
    this.#known.set(scope, { room, until: performance.now() + KNOWN_MS })
    return room
  }
}

// Answers that are kept for the keys of calls: so many bytes of one account, then the oldest go. No call is refused for it.

/** What a row takes besides its answer. */
const ROW_BYTES = 300
const ANSWERS_AT_ONCE = 200

export const answerBytes = (body: string): number => Buffer.byteLength(body) + ROW_BYTES

export async function answersOf(db: Db, uid: string): Promise<number> {
  const { sum } = await db
    .selectFrom('idempotency')
    .select(({ fn }) => fn.sum('bytes').as('sum'))
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

/** A piece of it; true when there is more to do. */
export async function letAnswersGo(db: Db, { uid }: OwnerRoom, share: number): Promise<boolean> {
  if (uid === null) return false
  const over = (await answersOf(db, uid)) - ANSWERS_PER_ACCOUNT_BYTES * share
  if (over <= 0) return false
  const rows = await db
    .selectFrom('idempotency')
    .select(['key', 'bytes'])
    .where('uid', '=', uid)
    .where('status', '!=', 0)
    .orderBy('created_at')
    .limit(ANSWERS_AT_ONCE)
    .execute()
  let freed = 0
  const gone = rows.filter(({ bytes }) => {
    if (freed >= over) return false
    freed += bytes
    return true
  })
  if (gone.length === 0) return false
  await db
    .deleteFrom('idempotency')
    .where('uid', '=', uid)
    .where(
      'key',
      'in',
      gone.map(({ key }) => key),
    )
    .execute()
  return true
}

// Events of an owner, counted by their numbers: a scope's have no gaps but what was erased. Whoever is further behind than they reach
// reads anew, as after seven days.

interface Span {
  readonly scope: string
  readonly first: number
  readonly count: number
}

async function spansOf(db: Db, scopes: readonly string[]): Promise<Span[]> {
  const spans: Span[] = []
  for (const scope of scopes) {
    const end = (order: 'asc' | 'desc') =>
      db
        .selectFrom('events')
        .select('seq')
        .where('scope', '=', scope)
        .orderBy('seq', order)
        .limit(1)
        .executeTakeFirst()
    const [first, last] = [await end('asc'), await end('desc')]
    if (first && last)
      spans.push({ scope, first: Number(first.seq), count: Number(last.seq) - Number(first.seq) + 1 })
  }
  return spans
}

/** How many the scopes have. */
export async function eventsOf(db: Db, scopes: readonly string[]): Promise<number> {
  return (await spansOf(db, scopes)).reduce((sum, { count }) => sum + count, 0)
}

const EVENTS_AT_ONCE = 1_000

/** Over the bound the oldest of the scope with most go, but none that nobody was told of yet. A piece; true when there is more. */
export async function letEventsGo(db: Db, { scopes }: OwnerRoom, share: number): Promise<boolean> {
  const most = EVENTS_PER_OWNER * share
  const spans = await spansOf(db, scopes)
  const sum = spans.reduce((all, { count }) => all + count, 0)
  if (sum <= most) return false
  for (const { scope, first } of spans.sort((a, b) => b.count - a.count)) {
    const planned = await db
      .selectFrom('notify_cursors')
      .select('seq')
      .where('scope', '=', scope)
      .executeTakeFirst()
    // Where nobody is told for so long, the disk counts for more.
    const told = sum > 2 * most ? Number.MAX_SAFE_INTEGER : Number(planned?.seq ?? 0)
    const to = Math.min(first + Math.min(EVENTS_AT_ONCE, Math.ceil(sum - most)) - 1, told)
    if (to < first) continue
    await db.deleteFrom('events').where('scope', '=', scope).where('seq', '<=', to).execute()
    return true
  }
  return false
}

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

export const TABLES: Readonly<Record<TableName, Kept>> = {
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
  idempotency: { owner: 'account', bound: 'counted', why: 'by bytes, server/usage/tables.ts' },
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
      sql`deleted_at is not null and chain_seq = 0 and not exists (select 1 from jobs as j where j.kind = 'erase' and j.key = strategies.id)`,
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
  messages: { owner: 'room', bound: 'counted', why: 'by bytes and rows, server/usage/messages.ts' },
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
  snapshots: hangs('room', 'worked out of the records: some for each strategy'),
  daily_sums: hangs('room', 'one for each strategy and trading date with records'),
  jobs: hangs('room', 'a few for each strategy, file and webhook, and some of the server'),
  gap_answers: trimmed({
    ...{ owner: 'room', most: 20_000, key: ['id'], of: byStrategy },
    // The last answer to a signal counts.
    may: () =>
      sql`exists (select 1 from gap_answers as newer where newer.strategy_id = gap_answers.strategy_id and newer.signal_id = gap_answers.signal_id and newer.id > gap_answers.id)`,
    first: () => sql`answered_at`,
  }),
  events: { owner: 'room', bound: 'counted', why: 'by their numbers, server/usage/tables.ts' },
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
  channel_facts: { owner: 'server', bound: 'time', why: 'a few for each channel' },
}
