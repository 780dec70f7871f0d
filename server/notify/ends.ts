// What ends for members of an organization: the membership itself, and strategies that groups give until a day. Asked when they are
// reminded, and once more before a reminder goes.

import { type AccessPath, accessOn, covers } from '#contract/access.ts'
import { addDays } from '#trading/calendar.ts'
import { groupPaths, spansOf } from '../access/membership.ts'
import type { Db } from '../db/schema.ts'
import type { NotificationRow } from '../db/schema-notify.ts'
import { partsOf } from '../parts.ts'

/** What of an organization ends for one member with this day. */
export interface Ending {
  readonly organization_id: string
  readonly organization: string
  readonly uid: string
  readonly ends_on: string
  /** null: the membership, and everything with it; else these strategies. */
  readonly strategies: readonly { readonly id: string; readonly name: string }[] | null
}

/** Members who are looked at in one go. */
const AT_ONCE = 200

/** Everything that ends on one of these days, of everybody who is a member on `day`. What ends with the membership is said with it. */
export async function endingsOn(db: Db, day: string, ends: readonly string[]): Promise<Ending[]> {
  const members = await db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['organization_id', 'user_id', 'expires_on', 'organizations.name'])
    .where('expires_on', 'in', [...ends])
    .execute()
  const given = await db
    .selectFrom('group_members as member')
    .innerJoin('strategy_groups as groups', 'groups.id', 'member.group_id')
    .innerJoin('group_strategies as given', 'given.group_id', 'member.group_id')
    .select(['groups.organization_id', 'member.user_id'])
    .distinct()
    .where((eb) => eb.or([eb('member.ends_on', 'in', [...ends]), eb('given.ends_on', 'in', [...ends])]))
    .execute()
  const found: Ending[] = members.map(({ organization_id, name, user_id, expires_on }) => ({
    ...{ organization_id, organization: name, uid: user_id, ends_on: expires_on ?? day, strategies: null },
  }))
  for (const [organization_id, all] of Map.groupBy(given, (one) => one.organization_id)) {
    const uids = [...new Set(all.map(({ user_id }) => user_id))]
    for (const some of partsOf(uids, AT_ONCE))
      found.push(...(await accessEnds(db, organization_id, some, day, ends)))
  }
  return found
}

/** The strategies that these members may see until one of these days and not after it, by member and day. */
async function accessEnds(
  db: Db,
  organization_id: string,
  uids: readonly string[],
  day: string,
  ends: readonly string[],
): Promise<Ending[]> {
  const members = await db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['user_id', 'starts_on', 'expires_on', 'organizations.name'])
    .where('organization_id', '=', organization_id)
    .where('user_id', 'in', [...uids])
    // An admin sees everything as long as they are one.
    .where('role', '=', 'member')
    .execute()
  const paths = await groupPaths(db, organization_id)
    .innerJoin('strategies', 'strategies.id', 'given.strategy_id')
    .select(['member.user_id', 'given.strategy_id', 'strategies.name'])
    .where('member.user_id', 'in', [...uids])
    .where('strategies.deleted_at', 'is', null)
    .orderBy('strategies.name')
    .execute()
  const paths_of = Map.groupBy(paths, ({ user_id }) => user_id)
  return members.flatMap(({ user_id: uid, starts_on, expires_on, name: organization }) => {
    const membership = { starts_on, ends_on: expires_on }
    if (!covers(membership, day)) return []
    const by_end = new Map<string, { id: string; name: string }[]>()
    for (const [id, own] of Map.groupBy(paths_of.get(uid) ?? [], (path) => path.strategy_id)) {
      const end = endOf(
        own.map((row) => spansOf(row, membership)),
        day,
      )
      if (end === null || end === expires_on || !ends.includes(end)) continue
      by_end.set(end, [...(by_end.get(end) ?? []), { id, name: own[0]?.name ?? '' }])
    }
    return [...by_end].map(([ends_on, strategies]) => ({
      ...{ organization_id, organization, uid, ends_on, strategies },
    }))
  })
}

/** The last day on which these paths give the strategy without a break; null = no end, or not today. */
function endOf(paths: readonly AccessPath[], day: string): string | null {
  let end = accessOn(paths, day)?.valid_until ?? null
  for (;;) {
    // Another path may begin where this one ends.
    const next = end === null ? null : accessOn(paths, addDays(end, 1))
    if (next === null) return end
    end = next.valid_until
  }
}

/** Under which key a reminder stands, so that it is told once; `left` days before. */
export function keyOf({ organization_id, ends_on, strategies }: Ending, left: number): string {
  return `${strategies === null ? 'expiring' : 'access'} ${organization_id} ${ends_on} ${left}`
}

/** Whether what a reminder says is true no more: renewed meanwhile. Its rows may be anybody's. */
export async function renewedOf(
  db: Db,
  rows: readonly Pick<NotificationRow, 'uid' | 'kind' | 'key'>[],
  day: string,
): Promise<(row: Pick<NotificationRow, 'uid' | 'kind' | 'key'>) => boolean> {
  const reminders = rows.filter(({ kind, key }) => kind === 'organization' && REMINDER.test(key))
  const ends = [...new Set(reminders.map(({ key }) => key.split(' ')[2] as string))]
  if (ends.length === 0) return () => false
  const still = new Set(
    (await endingsOn(db, day, ends)).map((one) => `${one.uid} ${keyOf(one, 0).slice(0, -1)}`),
  )
  return ({ uid, kind, key }) =>
    kind === 'organization' && REMINDER.test(key) && !still.has(`${uid} ${key.replace(/\d{1,9}$/, '')}`)
}
const REMINDER = /^(?:expiring|access) /
