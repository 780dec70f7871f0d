// What a member may read today, and how everybody who keeps a copy of it hears that it changed (rulings A9, A13, A14).

import { createHash } from 'node:crypto'
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import {
  type Access,
  type AccessPath,
  accessOn,
  EXPIRING_DAYS,
  type Span,
  stateOf,
} from '#contract/access.ts'
import type { EventData } from '#contract/events.ts'
import type { Member } from '#contract/membership.ts'
import type { Role } from '#contract/permissions.ts'
import { addDays, taipei } from '#trading/calendar.ts'
import type { AccessMap, App, Membership, Tx } from '../context.ts'
import { partsOf } from '../db/bulk.ts'
import type { AccessChangeRow, Db, MembershipRow, Schema, StrategyRow } from '../db/schema.ts'
import { newId } from '../ids.ts'

// Who could see what from when on, for any past moment (ruling C42, docs/decisions/access.md): what differs from what was noted last is noted,
// with who made it differ (docs/decisions/access.md).

type Fact = Pick<
  AccessChangeRow,
  'fact' | 'user_id' | 'group_id' | 'strategy_id' | 'role' | 'starts_on' | 'ends_on'
>
type Noted = Selectable<AccessChangeRow>
/** What is to be noted: a fact that holds from now on, or no more; `last` is the note of the same that holds until now. */
type Note = { fact: Fact; gone: 0 | 1; last?: Noted | undefined }
type Owned = Pick<StrategyRow, 'id' | 'owner_type' | 'owner_id'>
/** In the place of a person: it came about by itself, a day that ended for example. */
const BY_ITSELF = 'system'
const NOBODY = { user_id: null, group_id: null, strategy_id: null, role: null }

/**
 * Notes what has changed for these people, and what the organization's groups give. Call after the change, in its transaction;
 * what came of it by itself (places of a group that went) is found as well.
 */
async function noteAccess(tx: Tx, organization_id: string, uids: readonly string[]): Promise<void> {
  // What was noted is read first: what another transaction commits in between is then noted twice, and never as its opposite.
  const noted = byKey(await notedOf(tx.db, organization_id, uids))
  const stands = byKey(await factsOf(tx.db, organization_id, uids))
  const notes: Note[] = []
  for (const [key, fact] of stands) {
    const last = noted.get(key)
    const same =
      last?.role === fact.role && last.starts_on === fact.starts_on && last.ends_on === fact.ends_on
    if (!same) notes.push({ fact, gone: 0, last })
  }
  for (const [key, last] of noted) if (!stands.has(key)) notes.push({ fact: last, gone: 1, last })
  await store(tx, organization_id, notes)
}

/**
 * Notes that the organization has a strategy from now on, or no more: its admins see all there are. In the transaction that makes or
 * deletes it; it asks for nothing but this strategy, which that transaction holds.
 */
export async function noteStrategy(
  tx: Tx,
  { id: strategy_id, owner_type, owner_id: organization_id }: Owned,
  gone: 0 | 1,
): Promise<void> {
  if (owner_type !== 'organization') return
  const last = await tx.db
    .selectFrom('access_changes')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('strategy_id', '=', strategy_id)
    .where('fact', '=', 'strategy')
    .where('over_at', 'is', null)
    .where('gone', '=', 0)
    .executeTakeFirst()
  if ((last === undefined) === (gone === 1)) return
  const fact = { ...NOBODY, fact: 'strategy', strategy_id, starts_on: null, ends_on: null } as const
  await store(tx, organization_id, [{ fact, gone, last }])
}

/** Writes notes down: each follows the last of the same, which is over with it. */
async function store(tx: Tx, organization_id: string, notes: readonly Note[]): Promise<void> {
  // Never before what it follows, also when the clock was put back in between.
  const at = notes.reduce((latest, { last }) => (last && last.at > latest ? last.at : latest), tx.at)
  const changed_by = tx.by ?? BY_ITSELF
  for (const some of partsOf(notes)) {
    const rows = some.map(({ fact: of, gone, last }) => {
      const { fact, user_id, group_id, strategy_id, role, starts_on, ends_on } = of
      const told = { fact, user_id, group_id, strategy_id, role, starts_on, ends_on }
      const follows = last?.id ?? null
      return { ...told, id: newId(), organization_id, at, gone, changed_by, follows, over_at: null }
    })
    const over = rows.flatMap(({ follows }) => follows ?? [])
    if (over.length > 0) {
      await tx.db.updateTable('access_changes').set({ over_at: at }).where('id', 'in', over).execute()
      await tx.db.deleteFrom('access_standing').where('change_id', 'in', over).execute()
    }
    await tx.db.insertInto('access_changes').values(rows).execute()
    const holds = rows.filter(({ gone }) => gone === 0)
    if (holds.length > 0)
      await tx.db
        .insertInto('access_standing')
        .values(holds.map(({ id, user_id }) => ({ change_id: id, organization_id, user_id })))
        .execute()
  }
}

function byKey<F extends Fact>(facts: readonly F[]): Map<string, F> {
  return new Map(
    facts.map((fact) => [[fact.fact, fact.user_id, fact.group_id, fact.strategy_id].join(' '), fact]),
  )
}

/** As it stands now: these people, and what every group of the organization gives. */
async function factsOf(db: Db, organization_id: string, uids: readonly string[]): Promise<Fact[]> {
  const gifts = await db
    .selectFrom('group_strategies as given')
    .innerJoin('strategy_groups as groups', 'groups.id', 'given.group_id')
    .select(['given.group_id', 'given.strategy_id', 'given.starts_on', 'given.ends_on'])
    .where('groups.organization_id', '=', organization_id)
    .execute()
  const facts: Fact[] = gifts.map((gift) => ({ ...NOBODY, fact: 'gift', ...gift }))
  for (const some of partsOf(uids)) {
    const memberships = await db
      .selectFrom('memberships')
      .select(['user_id', 'role', 'starts_on', 'expires_on as ends_on'])
      .where('organization_id', '=', organization_id)
      .where('user_id', 'in', some)
      .execute()
    const places = await db
      .selectFrom('group_members as member')
      .innerJoin('strategy_groups as groups', 'groups.id', 'member.group_id')
      .select(['member.group_id', 'member.user_id', 'member.starts_on', 'member.ends_on'])
      .where('groups.organization_id', '=', organization_id)
      .where('member.user_id', 'in', some)
      .execute()
    facts.push(
      ...memberships.map((one): Fact => ({ ...NOBODY, fact: 'membership', ...one })),
      ...places.map((one): Fact => ({ ...NOBODY, fact: 'place', ...one })),
    )
  }
  return facts
}

/** What was noted last and holds still. */
async function notedOf(db: Db, organization_id: string, uids: readonly string[]): Promise<Noted[]> {
  const all: Noted[] = []
  // What groups give is nobody's, and read with the first of them, or by itself.
  for (const [n, some] of (uids.length > 0 ? [...partsOf(uids)] : [[]]).entries()) {
    const rows = await db
      .selectFrom('access_standing as standing')
      .innerJoin('access_changes as noted', 'noted.id', 'standing.change_id')
      .selectAll('noted')
      .where('standing.organization_id', '=', organization_id)
      // Strategies that there are: noteStrategy.
      .where('noted.fact', '!=', 'strategy')
      .where((eb) =>
        eb.or([
          ...(n === 0 ? [eb('standing.user_id', 'is', null)] : []),
          ...(some.length > 0 ? [eb('standing.user_id', 'in', some)] : []),
        ]),
      )
      .execute()
    all.push(...rows)
  }
  return all
}

/** The membership of a person on a day (Asia/Taipei), null when there is none that day. */
export async function membershipOn(
  db: Db,
  organization_id: string,
  uid: string,
  day: string,
): Promise<Membership | null> {
  const row = await db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['role', 'starts_on', 'expires_on', 'share_statistics'])
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', uid)
    .where('starts_on', '<=', day)
    .where((eb) => eb.or([eb('expires_on', 'is', null), eb('expires_on', '>=', day)]))
    .executeTakeFirst()
  if (!row) return null
  const span = { starts_on: row.starts_on, ends_on: row.expires_on }
  return { organization_id, uid, role: row.role, span, shares: row.share_statistics === 1 }
}

/** The rows on which groups of an organization lead members to strategies: of one member or of one strategy, as the caller asks on. */
export function groupPaths(db: Db, organization_id: string) {
  return db
    .selectFrom('group_members as member')
    .innerJoin('strategy_groups as groups', 'groups.id', 'member.group_id')
    .innerJoin('group_strategies as given', 'given.group_id', 'member.group_id')
    .select([
      'given.starts_on as given_from',
      'given.ends_on as given_until',
      'member.starts_on as member_from',
      'member.ends_on as member_until',
    ])
    .where('groups.organization_id', '=', organization_id)
}

/** The three spans of such a row. */
export function spansOf(
  row: Record<'given_from' | 'member_from', string> & Record<'given_until' | 'member_until', string | null>,
  membership: Membership['span'],
): AccessPath {
  return {
    membership,
    group_member: { starts_on: row.member_from, ends_on: row.member_until },
    group_strategy: { starts_on: row.given_from, ends_on: row.given_until },
  }
}

/** The paths on which a member's groups lead to strategies, whatever the day: the three spans of each, and the group. */
export async function pathsOf(
  db: Db,
  { organization_id, uid, span }: Pick<Membership, 'organization_id' | 'uid' | 'span'>,
): Promise<{ strategy_id: string; group: { id: string; name: string }; spans: AccessPath }[]> {
  const rows = await groupPaths(db, organization_id)
    .select(['given.strategy_id', 'groups.id', 'groups.name'])
    .where('member.user_id', '=', uid)
    .orderBy('groups.name')
    .execute()
  return rows.map((row) => ({
    strategy_id: row.strategy_id,
    group: { id: row.id, name: row.name },
    spans: spansOf(row, span),
  }))
}

/** What a member's groups give on a day; an admin needs none of it. Strategies taken away keep their records for members (ruling C27). */
export async function accessMap(
  db: Db,
  membership: Pick<Membership, 'organization_id' | 'uid' | 'span'>,
  day: string,
): Promise<AccessMap> {
  return accessBy(await pathsOf(db, membership), day)
}

function accessBy(paths: readonly { strategy_id: string; spans: AccessPath }[], day: string): AccessMap {
  const map = new Map<string, Access>()
  for (const [strategy_id, some] of Map.groupBy(paths, (path) => path.strategy_id)) {
    const access = accessOn(
      some.map(({ spans }) => spans),
      day,
    )
    if (access) map.set(strategy_id, access)
  }
  return map
}

/** A number that is another one as soon as anything of this list is: also by a day that passes. Below 2^48. */
export function versionOf(
  role: Role | 'owner',
  entries: readonly (readonly [string, Access | null])[],
): number {
  const sorted = entries
    .map(([id, access]) => [id, access?.visible_from ?? '', access?.valid_until ?? ''].join(' '))
    .sort()
  const digest = createHash('sha256')
    .update([role, ...sorted].join('\n'))
    .digest('hex')
  return Number.parseInt(digest.slice(0, 12), 16)
}

/** The access version of each of these people in an organization today; 0 = none. Three queries for some hundred of them. */
async function accessVersions(
  db: Db,
  organization_id: string,
  uids: readonly string[],
  day: string,
): Promise<Map<string, number>> {
  const versions = new Map(uids.map((uid) => [uid, 0]))
  let of_admins: number | undefined
  for (const some of partsOf(uids)) {
    const memberships = await db
      .selectFrom('memberships')
      .select(['user_id', 'role', 'starts_on', 'expires_on'])
      .where('organization_id', '=', organization_id)
      .where('user_id', 'in', some)
      .where('starts_on', '<=', day)
      .where((eb) => eb.or([eb('expires_on', 'is', null), eb('expires_on', '>=', day)]))
      .execute()
    const rows = await groupPaths(db, organization_id)
      .select(['given.strategy_id', 'member.user_id'])
      .where('member.user_id', 'in', some)
      .execute()
    const paths = Map.groupBy(rows, ({ user_id }) => user_id)
    for (const { user_id, role, starts_on, expires_on } of memberships) {
      if (role === 'member') {
        const span = { starts_on, ends_on: expires_on }
        const own = (paths.get(user_id) ?? []).map((row) => ({ ...row, spans: spansOf(row, span) }))
        versions.set(user_id, versionOf('member', [...accessBy(own, day)]))
      } else {
        of_admins ??= await versionOfAdmins(db, organization_id)
        versions.set(user_id, of_admins)
      }
    }
  }
  return versions
}

async function versionOfAdmins(db: Db, organization_id: string): Promise<number> {
  const rows = await db
    .selectFrom('strategies')
    .select('id')
    .where('scope', '=', `o:${organization_id}`)
    .where('deleted_at', 'is', null)
    .execute()
  return versionOf(
    'admin',
    rows.map(({ id }) => [id, null] as const),
  )
}

/** Tells the organization and each of these people that their access is another one; call after the change, in its transaction. */
export async function tellAccess(
  tx: Tx,
  organization_id: string,
  uids: readonly string[],
  change: EventData['membership']['change'],
  role?: Role,
): Promise<void> {
  await noteAccess(tx, organization_id, uids)
  const people = [...new Set(uids)]
  const versions = await accessVersions(tx.db, organization_id, people, taipei(tx.at).date)
  await tx.appendMany(
    people.flatMap((user_id) => {
      const access_version = versions.get(user_id) ?? 0
      const data = { organization_id, user_id, change, access_version, ...(role && { role }) }
      const news = { kind: 'membership', data } as const
      return [
        { scope: `o:${organization_id}`, ...news } as const,
        { scope: `p:${user_id}`, ...news } as const,
      ]
    }),
  )
}

/**
 * Ends a membership: the row and its places in groups go (an expired one stays listed and can be renewed), the organization
 * and the person hear of it, and open streams lose the organization with that event.
 */
export async function endMembership(
  tx: Tx,
  organization_id: string,
  user_id: string,
  reason: EventData['context-revoked']['reason'],
): Promise<void> {
  if (reason !== 'expired') {
    await leaveGroups(tx, organization_id, user_id)
    await tx.db
      .deleteFrom('memberships')
      .where('organization_id', '=', organization_id)
      .where('user_id', '=', user_id)
      .execute()
  }
  await noteAccess(tx, organization_id, [user_id])
  await tx.append(`o:${organization_id}`, 'membership', {
    organization_id,
    user_id,
    change: 'removed',
    access_version: 0,
  })
  await tx.append(`p:${user_id}`, 'context-revoked', { organization_id, reason })
}

/** Takes a person out of every group of an organization. */
export async function leaveGroups(tx: Tx, organization_id: string, user_id: string): Promise<void> {
  await tx.db
    .deleteFrom('group_members')
    .where('user_id', '=', user_id)
    .where('group_id', 'in', (eb) =>
      eb.selectFrom('strategy_groups').select('id').where('organization_id', '=', organization_id),
    )
    .execute()
}

/** The day in Taipei at this moment of the server's clock. */
export function today(app: Pick<App, 'now'>): string {
  return taipei(new Date(app.now()).toISOString()).date
}

// Where a membership stands on a day, as a word and as a condition in SQL.

type MemberState = Member['status']

/** The state of a membership; `day` in Taipei. */
export function memberState(span: Span, day: string): MemberState {
  const state = stateOf(span, day)
  return state === 'ended' ? 'expired' : state
}

/** True when the membership is valid on the day. */
export function isInside(row: Pick<MembershipRow, 'starts_on' | 'expires_on'>, day: string): boolean {
  return row.starts_on <= day && (row.expires_on === null || row.expires_on >= day)
}

/** Rows of `memberships` that are in this state on the day. */
export function membershipInState(
  eb: ExpressionBuilder<Schema, 'memberships'>,
  state: MemberState,
  day: string,
): Expression<SqlBool> {
  const last = addDays(day, EXPIRING_DAYS)
  const started = eb('memberships.starts_on', '<=', day)
  const open = eb('memberships.expires_on', 'is', null)
  switch (state) {
    case 'upcoming':
      return eb('memberships.starts_on', '>', day)
    case 'active':
      return eb.and([started, eb.or([open, eb('memberships.expires_on', '>', last)])])
    case 'expiring':
      return eb.and([
        started,
        eb('memberships.expires_on', '>=', day),
        eb('memberships.expires_on', '<=', last),
      ])
    case 'expired':
      return eb.and([started, eb('memberships.expires_on', '<', day)])
  }
}

/** Who is a member on a day (Taipei): all, the admins among them, and those in their last seven days. */
export async function countMembers(db: Db, organization_id: string, day: string) {
  const rows = await db
    .selectFrom('memberships')
    .select(['starts_on', 'expires_on as ends_on', 'role'])
    .where('organization_id', '=', organization_id)
    .execute()
  const inside = rows
    .map((row) => ({ role: row.role, state: stateOf(row, day) }))
    .filter(({ state }) => state === 'active' || state === 'expiring')
  return {
    members: inside.length,
    admins: inside.filter(({ role }) => role === 'admin').length,
    expiring_7d: inside.filter(({ state }) => state === 'expiring').length,
  }
}
