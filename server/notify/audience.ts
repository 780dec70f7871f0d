// Who is told of something in a scope today (rulings A9, A15): members with their bells, asked once a plan, and their own rules.
import { sql } from 'kysely'
import { accessOn, covers } from '#contract/access.ts'
import type { Scope } from '#contract/events.ts'
import type { SignalRecord } from '#contract/signal.ts'
import { isPointer } from '#trading/fold/sequence.ts'
import { ASSET_FACTS, assetOf } from '#trading/kinds.ts'
import type { NormalSignal } from '#trading/record.ts'
import { hasLimits, ruled, volumeOf } from '#trading/stock-rules.ts'
import { groupPaths, spansOf } from '../access/membership.ts'
import { type BellState, bellOf, bellUntouched, startOf } from '../access/strategies.ts'
import type { AccessMap } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { ownRulesOf, Passes } from '../record/stock-rules.ts'

/** A person who may hear of a strategy today, and what they may read of it. */
export interface Recipient {
  readonly uid: string
  /** null = everything of the scope. */
  readonly access: AccessMap | null
  /** The figures of the whole record are shown (ruling A11). */
  readonly shares: boolean
  /** May change the strategy: alarms are for these. */
  readonly edits: boolean
}

/**
 * Members of an organization who are looked at, and told, in one go: nobody else writes meanwhile. With 200 another owner's webhook
 * waits for 108 ms at p99, with 50 for 67 to 73, and all are told as fast (docs/figures.md).
 */
const AT_ONCE = 50

/** Some of those who hear, with their bells; `next` goes into the next call, null when these were the last. */
interface RecipientPage {
  readonly recipients: readonly { readonly recipient: Recipient; readonly bell: BellState }[]
  readonly next: string | null
}

/**
 * Which members may hear of an organization's strategy on a day, with its bell, a part at a time: `after` is the last uid looked at, '' at first. An admin
 * who did not make it hears after switching the bell on.
 */
async function recipientsOf(
  db: Db,
  scope: Scope,
  strategy: { readonly id: string; readonly created_by: string },
  day: string,
  after: string,
): Promise<RecipientPage> {
  const uids = await memberIds(db, scope.slice(2), after)
  if (uids.length === 0) return { recipients: [], next: null }
  const rows = await db
    .selectFrom('strategy_notify')
    .selectAll()
    .where('strategy_id', '=', strategy.id)
    .where('uid', 'in', uids)
    .execute()
  const bells = new Map(rows.map((row) => [row.uid, bellOf(row)]))
  const recipients = await membersOf(db, scope.slice(2), strategy.id, day, uids)
  const with_bells = recipients.flatMap((recipient) => {
    const bell = bells.get(recipient.uid)
    const untouched = bellUntouched(recipient, strategy)
    return bell || untouched.enabled ? [{ recipient, bell: bell ?? untouched }] : []
  })
  return { recipients: with_bells, next: uids.length === AT_ONCE ? (uids.at(-1) as string) : null }
}

async function memberIds(db: Db, organization_id: string, after: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .select('user_id')
    .where('organization_id', '=', organization_id)
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(AT_ONCE)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** The admins of an organization on a day, or the person whose scope it is: whom its alarms are for. */
export async function editorsOf(db: Db, scope: Scope, day: string): Promise<string[]> {
  if (scope.startsWith('p:')) return [scope.slice(2)]
  const rows = await db
    .selectFrom('memberships')
    .select(['user_id', 'starts_on', 'expires_on'])
    .where('organization_id', '=', scope.slice(2))
    .where('role', '=', 'admin')
    .execute()
  return rows
    .filter(({ starts_on, expires_on }) => covers({ starts_on, ends_on: expires_on }, day))
    .map(({ user_id }) => user_id)
}

/** True when a record of this time lies within what the hearer may read (ruling A10). */
export function mayRead({ access }: Recipient, strategy_id: string, occurred_at: string): boolean {
  if (access === null) return true
  const found = access.get(strategy_id)
  return found !== undefined && occurred_at >= startOf(found.visible_from)
}

/** Those of these people of an organization who may see one of its strategies on a day. */
export async function membersOf(
  db: Db,
  organization_id: string,
  strategy_id: string,
  day: string,
  uids: readonly string[],
): Promise<Recipient[]> {
  const query = db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['user_id', 'role', 'starts_on', 'expires_on', 'share_statistics'])
    .where('organization_id', '=', organization_id)
    .where('user_id', 'in', [...uids])
  const through_groups = groupPaths(db, organization_id)
    .select('member.user_id')
    .where('given.strategy_id', '=', strategy_id)
    .where('member.user_id', 'in', [...uids])
  const [members, rows] = [await query.execute(), await through_groups.execute()]
  const by_member = Map.groupBy(rows, ({ user_id }) => user_id)
  return members.flatMap(({ user_id: uid, role, starts_on, expires_on, share_statistics }): Recipient[] => {
    const membership = { starts_on, ends_on: expires_on }
    if (!covers(membership, day)) return []
    const shares = share_statistics === 1
    if (role === 'admin') return [{ uid, access: null, shares: true, edits: true }]
    const paths = (by_member.get(uid) ?? []).map((row) => spansOf(row, membership))
    const access = accessOn(paths, day)
    return access === null ? [] : [{ uid, access: new Map([[strategy_id, access]]), shares, edits: false }]
  })
}

// Who hears of a strategy, asked once for all records of one plan: nothing of it changes within a transaction.

interface Audience extends RecipientPage {
  readonly strategy: StrategyRow
}

/** A part of those who hear of a strategy of the scope, `after` as in `recipientsOf`; null when it is deleted. */
export type AudienceOf = (scope: Scope, strategy_id: string, after: string) => Promise<Audience | null>

/** For one transaction and one day in Taipei; the strategies that will be asked about are read together. */
export async function audiences(db: Db, day: string, strategy_ids: readonly string[]): Promise<AudienceOf> {
  if (strategy_ids.length === 0) return () => Promise.resolve(null)
  const ids = [...new Set(strategy_ids)]
  const rows = await db
    .selectFrom('strategies')
    .selectAll()
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
  const own = await db
    .selectFrom('strategy_notify')
    .innerJoin('strategies', 'strategies.id', 'strategy_notify.strategy_id')
    .selectAll('strategy_notify')
    .where('strategy_id', 'in', ids)
    .where(sql<boolean>`strategies.scope = 'p:' || strategy_notify.uid`)
    .execute()
  const strategies = new Map(rows.map((row) => [row.id, row]))
  const bells = new Map(own.map((row) => [row.strategy_id, bellOf(row)]))
  const cached = new Map<string, Promise<Audience | null>>()
  const read = async (scope: Scope, strategy_id: string, after: string): Promise<Audience | null> => {
    const strategy = strategies.get(strategy_id)
    if (!strategy) return null
    if (!scope.startsWith('p:')) return { strategy, ...(await recipientsOf(db, scope, strategy, day, after)) }
    const recipient = { uid: scope.slice(2), access: null, shares: true, edits: true }
    const bell = bells.get(strategy_id) ?? bellUntouched(recipient, strategy)
    const hears = bells.has(strategy_id) || bell.enabled
    return { strategy, recipients: hears ? [{ recipient, bell }] : [], next: null }
  }
  return (scope, strategy_id, after) => {
    const key = `${strategy_id} ${after}`
    const found = cached.get(key) ?? read(scope, strategy_id, after)
    cached.set(key, found)
    return found
  }
}

// What people want to be told of single stocks: their own rules for a strategy (domain §8.1), beside its bell.

/**
 * Who of these is told of a record by their own rules, in the transaction that tells; what a limit counts is noted. A void or
 * correction is told to whom the rules would tell of what it points at, limits aside.
 */
export async function ownRules(
  db: Db,
  strategy: StrategyRow,
  record: SignalRecord,
  uids: readonly string[],
): Promise<(uid: string) => boolean> {
  if (ASSET_FACTS[assetOf(strategy)].rules === null) return () => true
  const by_person = await ownRulesOf(db, strategy, uids)
  if (by_person.size === 0) return () => true
  const all = [...by_person.values()].flat()
  const pointer = isPointer(record)
  const { id: signal_id, symbol, action, received_at: at } = record
  const passes = await Passes.of(db, pointer ? [] : all, [symbol], at)
  const asks_volume = all.some(({ match }) => match.min_volume !== null)
  const signal = { ...record, volume: asks_volume ? await volumeIn(db, record) : null }
  const wanting = new Set<string>()
  for (const uid of uids) {
    const rules = by_person.get(uid) ?? []
    const { rule, result } = ruled(rules, signal, { at, told: passes.told(record), held: 0 })
    if (result !== 'record_notify') continue
    wanting.add(uid)
    if (rule && !pointer && hasLimits(rule)) passes.add({ rule_id: rule.id, signal_id, symbol, action, at })
  }
  await passes.store(db)
  return (uid) => wanting.has(uid)
}

/** 張 traded, as its message said. */
async function volumeIn(db: Db, { webhook_id, delivery_id }: SignalRecord): Promise<number | null> {
  if (delivery_id === null) return null
  const found = await db
    .selectFrom('deliveries')
    .select('normal')
    .where('webhook_id', '=', webhook_id)
    .where('id', '=', delivery_id)
    .executeTakeFirst()
  return found?.normal == null ? null : volumeOf(JSON.parse(found.normal) as NormalSignal)
}
