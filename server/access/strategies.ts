// Who may see and change which strategies. One gate: everything that reads strategies or their signals goes through it.

import { isIP } from 'node:net'
import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely'
import { ApiError, invalid } from '#contract/errors.ts'
import { may, type Permission } from '#contract/permissions.ts'
import type { Strategy } from '#contract/strategy.ts'
import { addDays, instantOf } from '#trading/calendar.ts'
import type { AccessMap, Actor, App } from '../context.ts'
import { held } from '../db/query.ts'
import type { Db, Schema, StrategyNotifyRow, StrategyRow, WebhookRow } from '../db/schema.ts'
import { membershipOn, today, versionOf } from './membership.ts'

declare const authorized: unique symbol
/** Something the caller may change now: made only by the checks of this room, the only thing update and delete accept. */
export type Authorized<T> = T & { readonly [authorized]: true }

/** True when the caller may change what this context shows; decides also what of a record is told. */
export function mayEdit(actor: Pick<Actor, 'identity'>): boolean {
  return may(actor.identity, 'strategy:edit')
}

/**
 * The strategies an actor sees, as the start of a query. A member sees what its groups give today (ruling A9), of which the
 * records stay readable when the strategy itself was taken away (ruling C27).
 */
export function visibleStrategies(
  db: Db,
  actor: Pick<Actor, 'scope' | 'access'>,
): SelectQueryBuilder<Schema, 'strategies', object> {
  const own = db.selectFrom('strategies').where('strategies.scope', '=', actor.scope)
  return actor.access === null
    ? own.where('strategies.deleted_at', 'is', null)
    : own.where('strategies.id', 'in', idsOf(actor.access))
}

/**
 * The signals an actor sees, as the start of a query: those of the strategies above, for a member since the day its access to
 * each began (ruling A10).
 */
export function visibleSignals(
  db: Db,
  actor: Pick<Actor, 'scope' | 'access'>,
): SelectQueryBuilder<Schema, 'signals', object> {
  const { access } = actor
  const own = db.selectFrom('signals').where('signals.scope', '=', actor.scope).where(isShown)
  // Asked of each signal, not as a list of ids: else the newest few would be found by sorting all records of all strategies.
  if (access === null)
    return own.where((eb) =>
      eb.exists(
        visibleStrategies(db, actor)
          .select('strategies.id')
          .where('strategies.id', '=', eb.ref('signals.strategy_id')),
      ),
    )
  return own.where((eb) =>
    eb.or(
      daysOf(access).map(({ start, ids }) =>
        eb.and([eb('signals.occurred_at', '>=', start), eb('signals.strategy_id', 'in', ids)]),
      ),
    ),
  )
}

/** The strategies of each first day, with its first instant. */
function daysOf(access: AccessMap) {
  const by_day = Map.groupBy(access, ([, { visible_from }]) => visible_from)
  return [...by_day].map(([day, entries]) => ({ start: startOf(day), ids: entries.map(([id]) => id) }))
}

/**
 * The newest of them, `most` at most. An owner's are the newest of its feed. In a feed of others' signals a member would look through
 * all that these sent: so many of each of its strategies are compared instead.
 */
export function newestSignals(
  db: Db,
  actor: Pick<Actor, 'scope' | 'access'>,
  most: number,
): SelectQueryBuilder<Schema, 'signals', object> {
  const seen = visibleSignals(db, actor).orderBy('signals.seq', 'desc').limit(most)
  const { access } = actor
  if (access === null || access.size === 0) return seen
  return seen.where('signals.id', 'in', (outer) =>
    outer
      .selectFrom('strategies as head')
      .innerJoin('signals as own', 'own.strategy_id', 'head.id')
      .select('own.id')
      .where('head.id', 'in', idsOf(access))
      .where('own.chain_seq', '>=', (eb) =>
        eb.fn.coalesce(
          eb
            .selectFrom('signals as least')
            .select('least.chain_seq')
            .whereRef('least.strategy_id', '=', 'head.id')
            .where((of) =>
              of.or([
                of('least.import_id', 'is', null),
                of('head.shown_seq', 'is', null),
                of('least.chain_seq', '<=', of.ref('head.shown_seq')),
              ]),
            )
            .where((of) =>
              of.or(
                daysOf(access).map(({ start, ids }) =>
                  of.and([of('least.occurred_at', '>=', start), of('head.id', 'in', ids)]),
                ),
              ),
            )
            .orderBy('least.chain_seq', 'desc')
            .limit(1)
            .offset(most - 1),
          eb.lit(0),
        ),
      ),
  )
}

/** Not of a file that is still coming in, or going: the whole of it shows at once (docs/decisions/stock-strategies.md). */
function isShown(eb: ExpressionBuilder<Schema, 'signals'>) {
  const behind = eb
    .selectFrom('strategies as hiding')
    .select('hiding.id')
    .whereRef('hiding.id', '=', 'signals.strategy_id')
    .whereRef('hiding.shown_seq', '<', 'signals.chain_seq')
  return eb.or([eb('signals.import_id', 'is', null), eb.not(eb.exists(behind))])
}

/** The strategy with its chain as far as it is shown. */
export function asShown(row: StrategyRow): StrategyRow {
  const { shown_seq, shown_hash } = row
  return shown_seq === null || shown_hash === null
    ? row
    : { ...row, chain_seq: shown_seq, chain_hash: shown_hash }
}

/** True when this record is old enough for the actor to know of; `occurred_at` as an ISO instant. */
export function seesRecord(access: AccessMap | null, strategy_id: string, occurred_at: string): boolean {
  if (access === null) return true
  const found = access.get(strategy_id)
  return found !== undefined && occurred_at >= startOf(found.visible_from)
}

/** The first instant of a day in Taipei. */
export function startOf(day: string): string {
  return instantOf(day, '00:00')
}

/** An id that no strategy has stands in for an empty list, which SQL does not know. */
function idsOf(access: AccessMap): string[] {
  return access.size === 0 ? [''] : [...access.keys()]
}

/** A strategy the actor sees, its chain as far as it is shown; 4040 for one that does not exist, is deleted or belongs to others. */
export async function findStrategy(db: Db, actor: Actor, id: string): Promise<StrategyRow> {
  const row = await visibleStrategies(db, actor)
    .where('strategies.id', '=', id)
    .selectAll()
    .executeTakeFirstOrThrow(() => new ApiError(4040))
  return asShown(row)
}

/**
 * 4031 or 4030 for somebody who was removed or stepped down since the call began: read in the transaction, so that whatever is
 * written comes before the removal, or not at all. `day` is today in Taipei.
 */
export async function requireStill(
  db: Db,
  { uid, organization_id }: Pick<Actor, 'uid' | 'organization_id'>,
  permission: Permission,
  day: string,
): Promise<void> {
  if (organization_id === null) return
  const membership = await membershipOn(db, organization_id, uid, day)
  if (!membership) throw new ApiError(4031)
  if (!may({ type: 'organization', role: membership.role }, permission))
    throw new ApiError(4030, { missing: permission })
}

/**
 * A strategy the actor may change, locked until the transaction ends: other changes, and the intake of other processes on
 * one PostgreSQL, take turns. SQLite has one writer anyway.
 */
export async function holdStrategy(
  app: Pick<App, 'engine' | 'now'>,
  db: Db,
  actor: Actor,
  id: string,
  permission: 'strategy:edit' | 'strategy:delete',
): Promise<Authorized<StrategyRow>> {
  if (!may(actor.identity, permission)) throw new ApiError(4030, { missing: permission })
  const query = visibleStrategies(db, actor).where('strategies.id', '=', id).selectAll()
  const row = await held(app, query).executeTakeFirstOrThrow(() => new ApiError(4040))
  await requireStill(db, actor, permission, today(app))
  return row as Authorized<StrategyRow>
}

// What a device may keep: which strategies, since when, until when, and how long without hearing from the server.

const OFFLINE_LEASE_MS = 7 * 86_400_000

/** Every strategy the actor sees, each with its days (null = all of it, always), and the number of this list. */
export async function accessOf(db: Db, actor: Actor) {
  const rows = await visibleStrategies(db, actor)
    .select(['strategies.id', 'strategies.chain_seq'])
    .orderBy('strategies.id')
    .execute()
  const access = rows.map(({ id, chain_seq }) => ({
    strategy_id: id,
    visible_from: actor.access?.get(id)?.visible_from ?? null,
    valid_until: actor.access?.get(id)?.valid_until ?? null,
    chain_seq,
  }))
  const role = actor.identity.type === 'personal' ? 'owner' : (actor.identity.role ?? 'member')
  const access_version = versionOf(
    role,
    rows.map(({ id }) => [id, actor.access?.get(id) ?? null] as const),
  )
  return { access, access_version }
}

/** Until when a device may show the context's copy: the earlier of the membership's end (Taipei) and seven days from now; null = own (ruling C23). */
export function leaseUntil(actor: Actor, now_ms: number): string | null {
  if (actor.membership === null) return null
  const { ends_on } = actor.membership.span
  const offline = new Date(now_ms + OFFLINE_LEASE_MS).toISOString()
  const end = ends_on === null ? offline : instantOf(addDays(ends_on, 1), '00:00')
  return end < offline ? end : offline
}

// A webhook belongs to whoever may edit its strategy; nobody else learns that it exists.

/** A webhook of a strategy the actor sees; 4040 else. */
export async function findWebhook(db: Db, actor: Actor, id: string): Promise<WebhookRow> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('strategy_id', 'in', visibleStrategies(db, actor).select('strategies.id'))
    .executeTakeFirstOrThrow(() => new ApiError(4040))
}

/** A webhook the actor sees, with its strategy as it stands. */
export async function seenWebhook(
  db: Db,
  actor: Actor,
  id: string,
): Promise<{ webhook: WebhookRow; strategy: StrategyRow }> {
  const webhook = await findWebhook(db, actor, id)
  return { webhook, strategy: await findStrategy(db, actor, webhook.strategy_id) }
}

/** A webhook the actor may change, its strategy locked until the transaction ends. */
export async function holdWebhook(
  app: Pick<App, 'engine' | 'now'>,
  db: Db,
  actor: Actor,
  id: string,
): Promise<{ webhook: Authorized<WebhookRow>; strategy: Authorized<StrategyRow> }> {
  const { strategy_id } = await findWebhook(db, actor, id)
  const strategy = await holdStrategy(app, db, actor, strategy_id, 'strategy:edit')
  // Read again behind the lock: another change may have come first.
  return { webhook: (await findWebhook(db, actor, id)) as Authorized<WebhookRow>, strategy }
}

/** 4220 for an entry that no address can match: it would shut every sender out without a word. */
export function checkIpList(list: readonly string[]): void {
  const problems = list.flatMap((entry, i) => {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address)
    const fits = family !== 0 && (prefix === undefined || Number(prefix) <= (family === 4 ? 32 : 128))
    return fits ? [] : [[`ip_allow.${i}`, '請填 IP 或 CIDR，例如 52.89.214.238'] as const]
  })
  if (problems.length > 0) throw invalid(Object.fromEntries(problems))
}

// The bell of a strategy: what one person wants to hear of it.

export type BellState = Strategy['my_notify']

/** Somebody who may hear of a strategy; `edits` = may change it. */
interface Listener {
  readonly uid: string
  readonly edits: boolean
}

/**
 * What holds for somebody who never said anything: on for who made the strategy and for whoever may only read it, off for the
 * other admins of the organization (ruling A15). Screens show it, and whoever plans and sends goes by it.
 */
export function bellUntouched(
  { uid, edits }: Listener,
  { id, created_by }: { readonly id: string; readonly created_by: string },
): BellState {
  const enabled = !edits || uid === created_by
  return { strategy_id: id, enabled, channels: null, actions: 'all', important: false }
}

/** In place of a member's own bell where somebody else looks at what the member sees. */
export const bellUntold = (strategy_id: string): BellState => ({
  ...{ strategy_id, enabled: false, channels: [], actions: 'all', important: false },
})

export function bellOf(row: StrategyNotifyRow): BellState {
  return {
    strategy_id: row.strategy_id,
    enabled: row.enabled === 1,
    channels: row.channels === null ? null : (JSON.parse(row.channels) as BellState['channels']),
    actions: row.actions as BellState['actions'],
    important: row.important === 1,
  }
}
