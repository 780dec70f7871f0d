// Who could see what at a past moment, from the notes alone: the same three spans and the same rule as today (docs/decisions/access.md).
import { type Access, accessOn } from '#contract/access.ts'
import type { Role } from '#contract/permissions.ts'
import { taipei } from '#trading/calendar.ts'
import type { AccessChangeRow, Db } from '../db/schema.ts'
import { spansOf } from './membership.ts'

/** One strategy that one person could see; `groups` is empty for an admin, who sees all there are. */
export interface Sight {
  readonly user_id: string
  readonly strategy_id: string
  readonly role: Role
  readonly access: { readonly visible_from: string | null; readonly valid_until: string | null }
  readonly groups: readonly (Access & { readonly id: string })[]
}

/** Where a page ended. */
export type SightPlace = Pick<Sight, 'user_id' | 'strategy_id'>

export interface SightQuestion {
  readonly organization_id: string
  readonly at: string
  readonly user_id?: string | undefined
  readonly strategy_id?: string | undefined
}

/** People read at once. */
const PEOPLE = 100

/**
 * By person, then strategy; no more than `limit`, and whether there are more. Reads what concerns the people of the page, some at a
 * time, however many the organization has and however long its log is.
 */
export async function sightsAt(
  db: Db,
  question: SightQuestion,
  after: SightPlace | null,
  limit: number,
): Promise<{ sights: Sight[]; more: boolean }> {
  const giving = question.strategy_id === undefined ? null : await groupsGiving(db, question)
  const sights: Sight[] = []
  let from: From = { user_id: after?.user_id ?? '', itself: true }
  for (;;) {
    const people = await peopleAt(db, question, giving, from)
    for (const own of await ofPeople(db, question, people))
      if (!after || own.user_id !== after.user_id || own.strategy_id > after.strategy_id) sights.push(own)
    const last = people.at(-1)
    if (sights.length > limit) return { sights: sights.slice(0, limit), more: true }
    if (!last || people.length < PEOPLE) return { sights, more: false }
    from = { user_id: last.user_id, itself: false }
  }
}

/** Whom to go on with: with this person again, or with whoever comes behind. */
type From = { readonly user_id: string; readonly itself: boolean }
type Person = Awaited<ReturnType<typeof peopleAt>>[number]

async function ofPeople(db: Db, question: SightQuestion, people: readonly Person[]): Promise<Sight[]> {
  const members = people.filter(({ role }) => role === 'member').map(({ user_id }) => user_id)
  const places = await placesOf(db, question, members)
  const by_uid = Map.groupBy(places, ({ user_id }) => user_id)
  const group_ids = [...new Set(places.map(({ group_id }) => group_id))]
  const gifts = Map.groupBy(await giftsOf(db, question, group_ids), ({ group_id }) => group_id)
  const all = members.length < people.length ? await strategiesAt(db, question) : []
  const day = taipei(question.at).date
  return people.flatMap(({ user_id, role, span }) =>
    role === 'admin'
      ? all.map((strategy_id) => ({
          ...{ user_id, strategy_id, role, groups: [] },
          access: { visible_from: null, valid_until: span.ends_on },
        }))
      : sightsOf(user_id, span, by_uid.get(user_id) ?? [], gifts, day),
  )
}

type Place = Awaited<ReturnType<typeof placesOf>>[number]
type Gift = Awaited<ReturnType<typeof giftsOf>>[number]

/** What a member's places lead to on a day, by strategy. */
function sightsOf(
  user_id: string,
  membership: { starts_on: string; ends_on: string | null },
  places: readonly Place[],
  gifts: ReadonlyMap<string, Gift[]>,
  day: string,
): Sight[] {
  const paths = places.flatMap((place) =>
    (gifts.get(place.group_id) ?? []).map(({ strategy_id, given_from, given_until }) => ({
      strategy_id,
      group_id: place.group_id,
      spans: spansOf({ ...place, given_from, given_until }, membership),
    })),
  )
  const sights: Sight[] = []
  for (const [strategy_id, own] of Map.groupBy(paths, (path) => path.strategy_id)) {
    const access = accessOn(
      own.map(({ spans }) => spans),
      day,
    )
    if (!access) continue
    const groups = own
      .flatMap(({ group_id, spans }) => {
        const given = accessOn([spans], day)
        return given ? [{ id: group_id, ...given }] : []
      })
      .sort((a, b) => (a.visible_from + a.id < b.visible_from + b.id ? -1 : 1))
    sights.push({ user_id, strategy_id, role: 'member', access, groups })
  }
  return sights.sort((a, b) => (a.strategy_id < b.strategy_id ? -1 : 1))
}

/** Notes of an organization that held at the moment, and whose days cover its day. */
function heldAt(db: Db, { organization_id, at }: SightQuestion, fact: AccessChangeRow['fact']) {
  const day = taipei(at).date
  return db
    .selectFrom('access_changes as noted')
    .where('noted.organization_id', '=', organization_id)
    .where('noted.fact', '=', fact)
    .where('noted.at', '<=', at)
    .where('noted.gone', '=', 0)
    .where((eb) => eb.or([eb('noted.over_at', 'is', null), eb('noted.over_at', '>', at)]))
    .where((eb) => eb.or([eb('noted.starts_on', 'is', null), eb('noted.starts_on', '<=', day)]))
    .where((eb) => eb.or([eb('noted.ends_on', 'is', null), eb('noted.ends_on', '>=', day)]))
}

/** The groups that gave the strategy asked for. */
async function groupsGiving(db: Db, question: SightQuestion): Promise<string[]> {
  const rows = await heldAt(db, question, 'gift')
    .where('noted.strategy_id', '=', question.strategy_id ?? '')
    .select('noted.group_id')
    .execute()
  return rows.flatMap(({ group_id }) => group_id ?? [])
}

/** Who belonged to the organization, from an id on; `giving`: admins, and who was in one of these groups. */
async function peopleAt(db: Db, question: SightQuestion, giving: readonly string[] | null, from: From) {
  let found = heldAt(db, question, 'membership').where(
    'noted.user_id',
    from.itself ? '>=' : '>',
    from.user_id,
  )
  if (question.user_id !== undefined) found = found.where('noted.user_id', '=', question.user_id)
  if (giving !== null)
    found = found.where((eb) =>
      eb.or([
        eb('noted.role', '=', 'admin'),
        ...(giving.length === 0
          ? []
          : [
              eb.exists(
                eb
                  .selectFrom('access_changes as place')
                  .select('place.id')
                  .whereRef('place.organization_id', '=', 'noted.organization_id')
                  .whereRef('place.user_id', '=', 'noted.user_id')
                  .where('place.fact', '=', 'place')
                  .where('place.group_id', 'in', giving)
                  .where('place.at', '<=', question.at)
                  .where('place.gone', '=', 0)
                  .where((or) =>
                    or.or([or('place.over_at', 'is', null), or('place.over_at', '>', question.at)]),
                  ),
              ),
            ]),
      ]),
    )
  const rows = await found
    .select(['noted.user_id', 'noted.role', 'noted.starts_on', 'noted.ends_on'])
    .orderBy('noted.user_id')
    .limit(PEOPLE)
    .execute()
  return rows.map(({ user_id, role, starts_on, ends_on }) => ({
    user_id: user_id ?? '',
    role: role ?? 'member',
    span: { starts_on: starts_on ?? '', ends_on },
  }))
}

/** The places of these people in groups. */
async function placesOf(db: Db, question: SightQuestion, uids: readonly string[]) {
  if (uids.length === 0) return []
  const rows = await heldAt(db, question, 'place')
    .where('noted.user_id', 'in', uids)
    .select(['noted.user_id', 'noted.group_id', 'noted.starts_on', 'noted.ends_on'])
    .execute()
  return rows.map(({ user_id, group_id, starts_on, ends_on }) => ({
    user_id: user_id ?? '',
    group_id: group_id ?? '',
    member_from: starts_on ?? '',
    member_until: ends_on,
  }))
}

/** The strategies given to these groups. */
async function giftsOf(db: Db, question: SightQuestion, group_ids: readonly string[]) {
  if (group_ids.length === 0) return []
  let found = heldAt(db, question, 'gift').where('noted.group_id', 'in', group_ids)
  if (question.strategy_id !== undefined) found = found.where('noted.strategy_id', '=', question.strategy_id)
  const rows = await found
    .select(['noted.group_id', 'noted.strategy_id', 'noted.starts_on', 'noted.ends_on'])
    .execute()
  return rows.map(({ group_id, strategy_id, starts_on, ends_on }) => ({
    group_id: group_id ?? '',
    strategy_id: strategy_id ?? '',
    given_from: starts_on ?? '',
    given_until: ends_on,
  }))
}

/** The strategies that there were. */
async function strategiesAt(db: Db, question: SightQuestion): Promise<string[]> {
  let found = heldAt(db, question, 'strategy')
  if (question.strategy_id !== undefined) found = found.where('noted.strategy_id', '=', question.strategy_id)
  const rows = await found.select('noted.strategy_id').orderBy('noted.strategy_id').execute()
  return rows.flatMap(({ strategy_id }) => strategy_id ?? [])
}
