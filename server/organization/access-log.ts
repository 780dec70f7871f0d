// The log of access: the changes up to a moment, newest first, read in as many ordered lists as the question has sides.
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import type { AccessChange, Named, readAccessLog, SeenStrategy } from '#contract/access.ts'
import type { ParsedInputOf } from '#contract/endpoint.ts'
import { invalid } from '#contract/errors.ts'
import { type Sight, type SightPlace, type SightQuestion, sightsAt } from '../access/past.ts'
import type { AccessChangeRow, Db, Schema } from '../db/schema.ts'
import { partsOf } from '../parts.ts'

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
export async function ownNames(
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
export function presentSight(
  { user_id, strategy_id, role, access, groups }: Sight,
  names: Names,
): SeenStrategy {
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
export function presentChange(note: Noted, last: Noted | undefined, names: Names): AccessChange {
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

type Place = Pick<Noted, 'at' | 'id'>
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

function isOlder(a: Place, b: Place): boolean {
  return a.at < b.at || (a.at === b.at && a.id < b.id)
}

function older(
  db: Db,
  { organization_id, at }: SightQuestion,
  side: Side,
  from: Place | null,
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

async function placeOf(db: Db, organization_id: string, id: string): Promise<Place> {
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
