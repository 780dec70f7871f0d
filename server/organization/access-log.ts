// The log of access: the changes up to a moment, newest first, read in as many ordered lists as the question has sides.

import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import {
  type Access,
  type AccessChange,
  accessOn,
  type Named,
  type readAccessLog,
  type SeenStrategy,
} from '#contract/access.ts'
import type { ParsedInputOf } from '#contract/endpoint.ts'
import { invalid } from '#contract/errors.ts'
import type { Role } from '#contract/permissions.ts'
import { taipei } from '#trading/calendar.ts'
import { spansOf } from '../access/membership.ts'
import { partsOf } from '../db/bulk.ts'
import type { AccessChangeRow, Db, Schema } from '../db/schema.ts'

// Who could see what at a past moment, from the notes alone: the same three spans and the same rule as today (docs/decisions/access.md).

/** One strategy that one person could see; `groups` is empty for an admin, who sees all there are. */
interface Sight {
  readonly user_id: string
  readonly strategy_id: string
  readonly role: Role
  readonly access: { readonly visible_from: string | null; readonly valid_until: string | null }
  readonly groups: readonly (Access & { readonly id: string })[]
}

/** Where a page ended. */
type SightPlace = Pick<Sight, 'user_id' | 'strategy_id'>

interface SightQuestion {
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
async function sightsAt(
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

// The log of access as it travels: people, strategies and groups by their names, as far as they still have one.

export type Noted = Selectable<AccessChangeRow>

const SYSTEM = 'system'

export interface Names {
  user(id: string): Named
  strategy(id: string): Named
  group(id: string): Named
}

/** The names of everybody and everything these name; the notes of an organization name nobody else. */
export async function namesOf(
  db: Db,
  ids: Record<'user' | 'strategy' | 'group', Iterable<string | null | undefined>>,
): Promise<Names> {
  const users = await read(ids.user, (some) =>
    db.selectFrom('users').select(['id', 'name']).where('id', 'in', some).execute(),
  )
  const strategies = await read(ids.strategy, (some) =>
    db.selectFrom('strategies').select(['id', 'name']).where('id', 'in', some).execute(),
  )
  const groups = await read(ids.group, async (some) => [
    ...(await db.selectFrom('gone_groups').select(['id', 'name']).where('id', 'in', some).execute()),
    ...(await db.selectFrom('strategy_groups').select(['id', 'name']).where('id', 'in', some).execute()),
  ])
  // One without a name is being erased.
  const by = (known: Map<string, string>) => (id: string) => ({ id, name: known.get(id) || null })
  return { user: by(users), strategy: by(strategies), group: by(groups) }
}

async function read(
  ids: Iterable<string | null | undefined>,
  ask: (some: string[]) => Promise<{ id: string; name: string }[]>,
): Promise<Map<string, string>> {
  const all = [...new Set(ids)].filter((id): id is string => typeof id === 'string' && id !== SYSTEM)
  const known = new Map<string, string>()
  for (const some of partsOf(all)) for (const { id, name } of await ask(some)) known.set(id, name)
  return known
}

/** Names of the organization's own: of anybody and anything else only the id that was asked for is said. */
async function ownNames(
  db: Db,
  organization_id: string,
  { user_id, strategy_id }: { user_id?: string | undefined; strategy_id?: string | undefined },
): Promise<{ user: Named | null; strategy: Named | null }> {
  const noted = async (column: 'user_id' | 'strategy_id', id: string | undefined) =>
    id === undefined
      ? undefined
      : await db
          .selectFrom('access_changes')
          .select(column)
          .where('organization_id', '=', organization_id)
          .where(column, '=', id)
          .limit(1)
          .executeTakeFirst()
  const names = await namesOf(db, {
    user: [(await noted('user_id', user_id)) && user_id],
    strategy: [(await noted('strategy_id', strategy_id)) && strategy_id],
    group: [],
  })
  return {
    user: user_id === undefined ? null : names.user(user_id),
    strategy: strategy_id === undefined ? null : names.strategy(strategy_id),
  }
}

/** Who could see what, as it travels. */
function presentSight({ user_id, strategy_id, role, access, groups }: Sight, names: Names): SeenStrategy {
  const via_groups = groups.map(({ id, visible_from, valid_until }) => ({
    ...names.group(id),
    visible_from,
    valid_until,
  }))
  const [first] = groups
  return {
    user: names.user(user_id),
    strategy: names.strategy(strategy_id),
    role,
    ...access,
    via_group: first ? names.group(first.id) : null,
    via_groups,
  }
}

/** `last` is the note that this one follows. */
function presentChange(note: Noted, last: Noted | undefined, names: Names): AccessChange {
  const { id, at, fact, user_id, strategy_id, group_id, changed_by, gone } = note
  return {
    id,
    at,
    kind: fact === 'view' ? 'viewed' : gone === 1 ? 'ended' : last ? 'changed' : 'granted',
    fact,
    user: user_id === null ? null : names.user(user_id),
    strategy: strategy_id === null ? null : names.strategy(strategy_id),
    group: group_id === null ? null : names.group(group_id),
    actor:
      changed_by === null
        ? null
        : changed_by === SYSTEM
          ? { id: SYSTEM, name: null }
          : names.user(changed_by),
    before: last ? standing(last) : null,
    after: gone === 1 || fact === 'view' ? null : standing(note),
  }
}

const standing = ({ role, starts_on, ends_on }: Noted) => ({ role, starts_on, ends_on })

type NotePlace = Pick<Noted, 'at' | 'id'>
type Eb = ExpressionBuilder<Schema, 'access_changes'>
/** One ordered list of the notes; each is read by an index of its own. */
type Side = (eb: Eb) => Expression<SqlBool>[]

const LOST = '游標不正確，請從頭讀取'

/** The answer to one question: the list and the changes, or the next page of one of them. */
export async function readLog(db: Db, input: ParsedInputOf<typeof readAccessLog>, now: string) {
  const { id: organization_id, user_id, strategy_id, before, limit } = input
  const at = input.at ?? now
  if (at > now) throw invalid({ at: '這個時刻還沒有到，請選現在或更早' })
  const question = { organization_id, at, user_id, strategy_id }
  const after = readAfter(input.after)
  const { sights, more } =
    before === undefined ? await sightsAt(db, question, after, limit) : { sights: [], more: false }
  const { notes, next_before } =
    after === null ? await changesUpTo(db, question, before, limit) : { notes: [], next_before: null }
  const last = await followed(db, notes)
  const names = await namesOf(db, {
    user: [...sights.map((one) => one.user_id), ...notes.flatMap((one) => [one.user_id, one.changed_by])],
    strategy: [...sights, ...notes].map((one) => one.strategy_id),
    group: [...sights.flatMap((one) => one.groups.map(({ id }) => id)), ...notes.map((one) => one.group_id)],
  })
  const end = sights.at(-1)
  return {
    at,
    recorded_since: await recordedSince(db, organization_id),
    ...(await ownNames(db, organization_id, question)),
    rows: sights.map((one) => presentSight(one, names)),
    next_after: more && end ? cursorAfter(end) : null,
    items: notes.map((note) => presentChange(note, last.get(note.follows ?? ''), names)),
    next_before,
  }
}

/** The notes that these follow. */
async function followed(db: Db, notes: readonly Noted[]): Promise<Map<string, Noted>> {
  const ids = notes.flatMap(({ follows }) => follows ?? [])
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('access_changes').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** When the organization's log begins; null when nothing was noted yet. */
async function recordedSince(db: Db, organization_id: string): Promise<string | null> {
  const first = await db
    .selectFrom('access_changes')
    .select('at')
    .where('organization_id', '=', organization_id)
    .orderBy('at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return first?.at ?? null
}

/** The changes that concern the question, newest first, older than the cursor; and where the next ones begin. */
async function changesUpTo(
  db: Db,
  question: SightQuestion,
  before: string | undefined,
  limit: number,
): Promise<{ notes: Noted[]; next_before: string | null }> {
  const from = before === undefined ? null : await placeOf(db, question.organization_id, before)
  const lists: Noted[][] = []
  for (const side of await sidesOf(db, question)) lists.push(await older(db, question, side, from, limit + 1))
  const found = [...new Map(lists.flat().map((note) => [note.id, note])).values()].sort((a, b) =>
    isOlder(a, b) ? 1 : -1,
  )
  const notes = found.slice(0, limit)
  return { notes, next_before: found.length > limit ? (notes.at(-1)?.id ?? null) : null }
}

function isOlder(a: NotePlace, b: NotePlace): boolean {
  return a.at < b.at || (a.at === b.at && a.id < b.id)
}

function older(
  db: Db,
  { organization_id, at }: SightQuestion,
  side: Side,
  from: NotePlace | null,
  limit: number,
): Promise<Noted[]> {
  let found = db
    .selectFrom('access_changes')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('at', '<=', from?.at ?? at)
    .where((eb) => eb.and(side(eb)))
  if (from) found = found.where((eb) => eb.or([eb('at', '<', from.at), eb('id', '<', from.id)]))
  return found.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/**
 * What made it so: of a person the membership, the places, what their groups were given, and who looked at what they see; of a strategy where it was given, and
 * who came into those groups or was an admin.
 */
async function sidesOf(db: Db, { organization_id, user_id, strategy_id }: SightQuestion): Promise<Side[]> {
  if (user_id === undefined && strategy_id === undefined) return [() => []]
  const about = (column: 'user_id' | 'strategy_id', id: string) =>
    db
      .selectFrom('access_changes')
      .select('group_id')
      .where('organization_id', '=', organization_id)
      .where(column, '=', id)
      .where('fact', '=', column === 'user_id' ? 'place' : 'gift')
      .execute()
  const ids = async (column: 'user_id' | 'strategy_id', id: string | undefined) =>
    id === undefined
      ? null
      : [...new Set((await about(column, id)).flatMap(({ group_id }) => group_id ?? []))]
  const of_user = await ids('user_id', user_id)
  const of_strategy = await ids('strategy_id', strategy_id)
  const groups = of_user && of_strategy ? of_user.filter((id) => of_strategy.includes(id)) : null
  if (user_id !== undefined) {
    const given = groups ?? of_user ?? []
    return [
      (eb) => [eb('user_id', '=', user_id), eb('fact', '=', 'membership')],
      (eb) => [
        eb('user_id', '=', user_id),
        eb('fact', '=', 'place'),
        ...(groups ? [inGroups(eb, groups)] : []),
      ],
      ...(strategy_id === undefined
        ? [(eb: Eb) => [eb('user_id', '=', user_id), eb('fact', '=', 'view')]]
        : []),
      ...given.map(
        (group_id): Side =>
          (eb) => [
            ...[eb('fact', '=', 'gift'), eb('group_id', '=', group_id)],
            ...(strategy_id === undefined ? [] : [eb('strategy_id', '=', strategy_id)]),
          ],
      ),
      (eb) => [
        ...[eb('fact', '=', 'strategy'), eb.exists(asAdmin(eb, user_id))],
        ...(strategy_id === undefined ? [] : [eb('strategy_id', '=', strategy_id)]),
      ],
    ]
  }
  const given = of_strategy ?? []
  return [
    (eb) => [eb('strategy_id', '=', strategy_id ?? ''), eb('fact', '=', 'strategy')],
    (eb) => [eb('strategy_id', '=', strategy_id ?? ''), eb('fact', '=', 'gift')],
    ...given.map(
      (group_id): Side =>
        (eb) => [eb('fact', '=', 'place'), eb('group_id', '=', group_id)],
    ),
    (eb) => [
      eb('fact', '=', 'membership'),
      eb.or([
        eb.exists(asAdmin(eb, null)),
        ...(given.length === 0
          ? []
          : [
              eb.exists(
                eb
                  .selectFrom('access_changes as place')
                  .select('place.id')
                  .whereRef('place.organization_id', '=', 'access_changes.organization_id')
                  .whereRef('place.user_id', '=', 'access_changes.user_id')
                  .where('place.fact', '=', 'place')
                  .where('place.group_id', 'in', given),
              ),
            ]),
      ]),
    ],
  ]
}

const inGroups = (eb: Eb, groups: readonly string[]) =>
  eb('group_id', 'in', groups.length > 0 ? groups : [''])

/** That somebody (the person of the note for null) was an admin at any time. */
function asAdmin(eb: Eb, user_id: string | null) {
  const found = eb
    .selectFrom('access_changes as admin')
    .select('admin.id')
    .whereRef('admin.organization_id', '=', 'access_changes.organization_id')
    .where('admin.fact', '=', 'membership')
    .where('admin.role', '=', 'admin')
  return user_id === null
    ? found.whereRef('admin.user_id', '=', 'access_changes.user_id')
    : found.where('admin.user_id', '=', user_id)
}

async function placeOf(db: Db, organization_id: string, id: string): Promise<NotePlace> {
  const found = await db
    .selectFrom('access_changes')
    .select(['at', 'id'])
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw invalid({ before: LOST })
  return found
}

/** The cursor of the list of who could see what. */
function cursorAfter({ user_id, strategy_id }: SightPlace): string {
  return `${user_id}.${strategy_id}`
}

/** The place it means; 4220 for one this server never gave. */
function readAfter(cursor: string | undefined): SightPlace | null {
  if (cursor === undefined) return null
  const [, user_id, strategy_id] = /^([0-9a-f-]{36})\.([0-9a-f-]{36})$/.exec(cursor) ?? []
  if (user_id === undefined || strategy_id === undefined) throw invalid({ after: LOST })
  return { user_id, strategy_id }
}
