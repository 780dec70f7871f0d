// What a member may read today, and how everybody who keeps a copy of it hears that it changed (rulings A9, A13, A14).
import { createHash } from 'node:crypto'
import { type Access, type AccessPath, accessOn } from '#contract/access.ts'
import type { EventData } from '#contract/events.ts'
import type { Role } from '#contract/permissions.ts'
import { taipei } from '#trading/calendar.ts'
import type { AccessMap, App, Membership, Tx } from '../context.ts'
import type { Db } from '../db/schema.ts'
import { partsOf } from '../parts.ts'
import { noteAccess } from './changes.ts'

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

/** What paths give on a day, by strategy. */
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
