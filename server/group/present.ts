// Groups as they travel: what somebody may see is what is counted.
import { stateOf, within } from '#contract/access.ts'
import type { GroupMember, GroupStrategy, StrategyGroup } from '#contract/group.ts'
import { seesOwnOnly } from '../access/groups.ts'
import type { Actor } from '../context.ts'
import type { Db } from '../db/schema.ts'
import type { StoredGroup } from './rules.ts'
import { placeRows } from './store.ts'

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
