// Groups written: made, named, taken away; who is in them. Their organization is locked by the caller.
import { stateOf, within } from '#contract/access.ts'
import type { ParsedInputOf } from '#contract/endpoint.ts'
import { ApiError, invalid } from '#contract/errors.ts'
import type { EventData } from '#contract/events.ts'
import type {
  createGroup,
  GroupMember,
  GroupStrategy,
  StrategyGroup,
  setGroupStrategies,
  updateGroup,
} from '#contract/group.ts'
import { taipei } from '#trading/calendar.ts'
import { requireKnown } from '../access/members.ts'
import { tellAccess } from '../access/membership.ts'
import { seesOwnOnly } from '../access/organization.ts'
import type { Authorized } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import { nameKey } from '../db/query.ts'
import type { Db } from '../db/schema.ts'
import { newId } from '../ids.ts'
import { roomForGroup, roomForGroupStrategies } from '../usage/quotas.ts'
import { requireMembers, type SpanChange, type StoredGroup, spanOf } from './rules.ts'

// Groups as they travel: what somebody may see is what is counted.

/** Groups in the order given, with what of them this actor sees today. */
export async function presentGroups(
  db: Db,
  actor: Actor,
  rows: readonly StoredGroup[],
  day: string,
): Promise<StrategyGroup[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const members = Map.groupBy(
    await placeRows(db, actor.organization_id ?? '', ids, seesOwnOnly(actor) ? actor.uid : null),
    (row) => row.group_id,
  )
  const strategies = Map.groupBy(await strategyRows(db, actor, ids), (row) => row.group_id)
  return rows.map((row) => {
    const people = (members.get(row.id) ?? [])
      .map(({ span }) => stateOf(span, day))
      .filter((state) => state !== 'ended')
    const given = (strategies.get(row.id) ?? []).filter(({ ends_on }) => ends_on === null || ends_on >= day)
    return {
      id: row.id,
      created_at: row.created_at,
      updated_at: row.updated_at,
      name: row.name,
      description: row.description,
      member_count: people.length,
      strategy_count: given.length,
      expiring_count: people.filter((state) => state === 'expiring').length,
    }
  })
}

/** Strategies of groups: a member those it may read today, also such as were taken away (ruling C27). */
async function strategyRows(db: Db, actor: Actor, group_ids: readonly string[]) {
  const found = db
    .selectFrom('group_strategies')
    .innerJoin('strategies', 'strategies.id', 'group_strategies.strategy_id')
    .select([
      'group_strategies.group_id',
      'group_strategies.strategy_id',
      'group_strategies.starts_on',
      'group_strategies.ends_on',
      'strategies.name',
      'strategies.kind',
      'strategies.status',
    ])
    .where('group_strategies.group_id', 'in', group_ids)
    .orderBy('strategies.name_key')
    .orderBy('strategies.id')
  const { access } = actor
  if (access === null) return found.where('strategies.deleted_at', 'is', null).execute()
  return (await found.execute()).filter(({ strategy_id }) => access.has(strategy_id))
}

/** The strategies of a group that the actor sees, by name. */
export async function presentStrategies(
  db: Db,
  actor: Actor,
  group_id: string,
  day: string,
): Promise<GroupStrategy[]> {
  return (await strategyRows(db, actor, [group_id])).map(
    ({ strategy_id, name, kind, status, starts_on, ends_on }) => ({
      strategy_id,
      name,
      kind,
      status,
      starts_on,
      ends_on,
      state: stateOf({ starts_on, ends_on }, day),
    }),
  )
}

/** The members of a group, those whose time is over last, then by name: one page, or these; and how many there are. A member sees only itself. */
export async function presentMembers(
  db: Db,
  actor: Actor,
  group: StoredGroup,
  day: string,
  only: { page: number; page_size: number } | { user_ids: readonly string[] },
): Promise<{ items: GroupMember[]; total: number }> {
  let found = db
    .selectFrom('group_members')
    .innerJoin('users', 'users.id', 'group_members.user_id')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.user_id', '=', 'group_members.user_id')
        .on('memberships.organization_id', '=', group.organization_id),
    )
    .where('group_members.group_id', '=', group.id)
  if (seesOwnOnly(actor)) found = found.where('group_members.user_id', '=', actor.uid)
  if ('user_ids' in only) found = found.where('group_members.user_id', 'in', only.user_ids)
  const { total } = await found.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow()
  let page = found
    .select(['users.id as user_id', 'users.name', 'users.avatar'])
    .select(['group_members.starts_on', 'group_members.ends_on'])
    .select(['memberships.starts_on as member_starts_on', 'memberships.expires_on'])
    .orderBy((eb) =>
      eb
        .case()
        .when(eb.or([eb('group_members.ends_on', '<', day), eb('memberships.expires_on', '<', day)]))
        .then(1)
        .else(0)
        .end(),
    )
    .orderBy('users.name')
    .orderBy('users.id')
  if ('page' in only) page = page.limit(only.page_size).offset((only.page - 1) * only.page_size)
  const items = (await page.execute()).map(({ member_starts_on, expires_on, ...place }) => ({
    ...place,
    state: stateOf(within(place, { starts_on: member_starts_on, ends_on: expires_on }), day),
    member_expires_on: expires_on,
  }))
  return { items, total: Number(total) }
}

// Places of members in groups, and the days on which each holds.

/**
 * Places in groups of an organization, all of its groups or these; `span` = the days on which place and membership hold. Who is
 * no member any more has none.
 */
export async function placeRows(
  db: Db,
  organization_id: string,
  group_ids: readonly string[] | null,
  uid: string | null = null,
) {
  let found = db
    .selectFrom('group_members')
    .innerJoin('strategy_groups', 'strategy_groups.id', 'group_members.group_id')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.user_id', '=', 'group_members.user_id')
        .onRef('memberships.organization_id', '=', 'strategy_groups.organization_id'),
    )
    .select(['group_members.group_id', 'group_members.user_id'])
    .select(['group_members.starts_on', 'group_members.ends_on'])
    .select(['memberships.starts_on as member_starts_on', 'memberships.expires_on'])
    .where('strategy_groups.organization_id', '=', organization_id)
    .orderBy('group_members.user_id')
    .orderBy('group_members.group_id')
  if (group_ids !== null) found = found.where('group_members.group_id', 'in', group_ids)
  if (uid !== null) found = found.where('group_members.user_id', '=', uid)
  const rows = await found.execute()
  return rows.map(({ member_starts_on, expires_on, ...place }) => ({
    ...place,
    span: within(place, { starts_on: member_starts_on, ends_on: expires_on }),
  }))
}

/** Stores a group; 4090 when the organization has one of that name. */
export async function insertGroup(
  tx: Tx,
  organization_id: string,
  { name, description }: ParsedInputOf<typeof createGroup>,
): Promise<StoredGroup> {
  await requireName(tx, organization_id, name, null)
  await roomForGroup(tx.db, organization_id)
  const row: StoredGroup = {
    id: newId(),
    organization_id,
    name,
    name_key: nameKey(name),
    description,
    created_at: tx.at,
    updated_at: tx.at,
  }
  await tx.db.insertInto('strategy_groups').values(row).execute()
  await tell(tx, row, 'created')
  return row
}

/** Lays changes over a group; nothing changed: nothing is told. */
export async function updateGroupRow(
  tx: Tx,
  row: Authorized<StoredGroup>,
  changes: Omit<ParsedInputOf<typeof updateGroup>, 'id'>,
): Promise<StoredGroup> {
  const { name = row.name, description = row.description } = changes
  if (name === row.name && description === row.description) return row
  await requireName(tx, row.organization_id, name, row.id)
  const next = await tx.db
    .updateTable('strategy_groups')
    .set({ name, name_key: nameKey(name), description, updated_at: tx.at })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await tell(tx, row, 'updated')
  return next
}

/** Takes a group away; what its members could read by it ends. */
export async function deleteGroupRow(tx: Tx, row: Authorized<StoredGroup>): Promise<void> {
  const uids = await membersOf(tx, row.id)
  await tx.db.deleteFrom('strategy_groups').where('id', '=', row.id).execute()
  const { id, organization_id, name } = row
  await tx.db.insertInto('gone_groups').values({ id, organization_id, name }).execute()
  await tell(tx, row, 'deleted')
  await tellAccess(tx, row.organization_id, uids, 'groups')
}

/** Puts people into a group; who is in it already keeps what is not given. 4220 for one who is no member. */
export async function addMembers(
  tx: Tx,
  row: Authorized<StoredGroup>,
  user_ids: readonly string[],
  change: SpanChange,
): Promise<void> {
  await requireMembers(tx, row.organization_id, user_ids)
  await writeMembers(tx, row, user_ids, change)
}

/** Changes the dates of people in a group; 4220 at the first one who is not in it. */
export async function updateMembers(
  tx: Tx,
  row: Authorized<StoredGroup>,
  user_ids: readonly string[],
  change: SpanChange,
): Promise<void> {
  const known = new Set(await membersOf(tx, row.id))
  requireKnown('user_ids', user_ids, known, '這位成員不在這個群組，請重新整理')
  await writeMembers(tx, row, user_ids, change)
}

/** Takes somebody out of a group; 4040 when the person is not in it. */
export async function removeMember(tx: Tx, row: Authorized<StoredGroup>, user_id: string): Promise<void> {
  await tx.db
    .deleteFrom('group_members')
    .where('group_id', '=', row.id)
    .where('user_id', '=', user_id)
    .returning('user_id')
    .executeTakeFirstOrThrow(() => new ApiError(4040))
  await tell(tx, row, 'members')
  await tellAccess(tx, row.organization_id, [user_id], 'groups')
}

/** Everybody with a place in the group, whatever its dates. */
export async function membersOf(tx: Tx, group_id: string): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('group_members')
    .select('user_id')
    .where('group_id', '=', group_id)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Tells the organization that a group is another one. */
export function tell(
  tx: Tx,
  row: Pick<StoredGroup, 'id' | 'organization_id'>,
  change: EventData['group']['change'],
): Promise<void> {
  return tx.append(`o:${row.organization_id}`, 'group', { id: row.id, change })
}

async function writeMembers(
  tx: Tx,
  { id: group_id, organization_id }: Authorized<StoredGroup>,
  user_ids: readonly string[],
  change: SpanChange,
): Promise<void> {
  const day = taipei(tx.at).date
  const before = await tx.db
    .selectFrom('group_members')
    .select(['user_id', 'starts_on', 'ends_on'])
    .where('group_id', '=', group_id)
    .where('user_id', 'in', user_ids)
    .execute()
  const known = new Map(before.map((row) => [row.user_id, row]))
  const changed: string[] = []
  for (const user_id of [...new Set(user_ids)].sort()) {
    const was = known.get(user_id)
    const span = spanOf(was, change, day)
    if (was?.starts_on === span.starts_on && was.ends_on === span.ends_on) continue
    await tx.db
      .insertInto('group_members')
      .values({ group_id, user_id, ...span, created_at: tx.at, updated_at: tx.at })
      .onConflict((conflict) =>
        conflict.columns(['group_id', 'user_id']).doUpdateSet({ ...span, updated_at: tx.at }),
      )
      .execute()
    changed.push(user_id)
  }
  if (changed.length === 0) return
  await tell(tx, { id: group_id, organization_id }, 'members')
  await tellAccess(tx, organization_id, changed, 'groups')
}

async function requireName(
  tx: Tx,
  organization_id: string,
  name: string,
  except: string | null,
): Promise<void> {
  const other = await tx.db
    .selectFrom('strategy_groups')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('name_key', '=', nameKey(name))
    .executeTakeFirst()
  if (other && other.id !== except)
    throw new ApiError(4090, { fields: { name: '這個名稱已經用過，請換一個' } })
}

// The strategies of a group replaced: what stays keeps its dates unless they are given.

type Input = Omit<ParsedInputOf<typeof setGroupStrategies>, 'id'>

/**
 * Makes the list the group's. 4220 at a strategy that is not the organization's or stands there twice. Strategies taken away
 * are no part of the list: their records stay with whoever had them (ruling C27).
 */
export async function setStrategies(
  app: Pick<App, 'limits' | 'room'>,
  tx: Tx,
  group: Authorized<StoredGroup>,
  input: Input,
): Promise<void> {
  const day = taipei(tx.at).date
  const list = input.strategies ?? (input.strategy_ids ?? []).map((strategy_id) => ({ strategy_id }))
  const field = (i: number) => (input.strategies ? `strategies.${i}` : `strategy_ids.${i}`)
  const before = await currentRows(tx, group.id)
  const own = await ownStrategies(
    tx,
    group.organization_id,
    list.map(({ strategy_id }) => strategy_id),
  )
  const next = new Map<string, { starts_on: string; ends_on: string | null }>()
  for (const [i, { strategy_id, ...change }] of list.entries()) {
    const at = input.strategies ? `${field(i)}.strategy_id` : field(i)
    if (!own.has(strategy_id)) throw invalid({ [at]: '這個策略不在組織裡，請重新整理' })
    if (next.has(strategy_id)) throw invalid({ [at]: '同一個策略只要列一次' })
    next.set(strategy_id, spanOf(before.get(strategy_id), change, day, `${field(i)}.ends_on`))
  }
  const gone = [...before.keys()].filter((id) => !next.has(id))
  const changed = [...next].filter(([id, span]) => {
    const was = before.get(id)
    return was?.starts_on !== span.starts_on || was.ends_on !== span.ends_on
  })
  if (gone.length === 0 && changed.length === 0) return
  if (gone.length > 0)
    await tx.db
      .deleteFrom('group_strategies')
      .where('group_id', '=', group.id)
      .where('strategy_id', 'in', gone)
      .execute()
  // Each of them is noted for good; what is taken away was given before, and is never refused.
  await app.limits.take(
    'access_given',
    (await app.room.rooms.of(tx.db, `o:${group.organization_id}`)).key,
    changed.length,
  )
  await roomForGroupStrategies(tx.db, group.organization_id, changed.filter(([id]) => !before.has(id)).length)
  if (changed.length > 0)
    await tx.db
      .insertInto('group_strategies')
      .values(
        changed.map(([strategy_id, span]) => ({
          ...{ group_id: group.id, strategy_id, ...span },
          ...{ created_at: tx.at, updated_at: tx.at },
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['group_id', 'strategy_id']).doUpdateSet((eb) => ({
          starts_on: eb.ref('excluded.starts_on'),
          ends_on: eb.ref('excluded.ends_on'),
          updated_at: eb.ref('excluded.updated_at'),
        })),
      )
      .execute()
  await tell(tx, group, 'strategies')
  await tellAccess(tx, group.organization_id, await membersOf(tx, group.id), 'groups')
}

/** Rows of strategies that are still there, by strategy. */
async function currentRows(tx: Tx, group_id: string) {
  const rows = await tx.db
    .selectFrom('group_strategies')
    .innerJoin('strategies', 'strategies.id', 'group_strategies.strategy_id')
    .select(['strategy_id', 'starts_on', 'ends_on'])
    .where('group_id', '=', group_id)
    .where('strategies.deleted_at', 'is', null)
    .execute()
  return new Map(rows.map(({ strategy_id, ...span }) => [strategy_id, span]))
}

async function ownStrategies(tx: Tx, organization_id: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tx.db
    .selectFrom('strategies')
    .select('id')
    .where('scope', '=', `o:${organization_id}`)
    .where('deleted_at', 'is', null)
    .where('id', 'in', ids)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
