// The calls on strategy groups.

import { stateOf } from '#contract/access.ts'
import { ApiError } from '#contract/errors.ts'
import {
  addGroupMembers,
  copyGroup,
  createGroup,
  deleteGroup,
  type GroupMatrix,
  type GroupMember,
  getGroup,
  getGroupMatrix,
  listGroupMembers,
  listGroupStrategies,
  listGroups,
  removeGroupMember,
  type StrategyGroup,
  setGroupStrategies,
  updateGroup,
  updateGroupMember,
  updateGroupMembers,
} from '#contract/group.ts'
import { GROUP_COPY_ROWS } from '#contract/limits.ts'
import { taipei } from '#trading/calendar.ts'
import { memberState, tellAccess } from '../access/membership.ts'
import { holdOrganization, visibleGroups } from '../access/organization.ts'
import { type Authorized, visibleStrategies } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import { partsOf } from '../db/bulk.ts'
import { contains, pageOf } from '../db/query.ts'
import type { Db } from '../db/schema.ts'
import { handle, type Route } from '../http/handle.ts'
import { roomForGroupStrategies } from '../usage/quotas.ts'
import { findGroup, holdGroup, type StoredGroup } from './rules.ts'
import * as store from './store.ts'
import {
  insertGroup,
  placeRows,
  presentGroups,
  presentMembers,
  presentStrategies,
  setStrategies,
} from './store.ts'

// A group copied: what stands in it today or will, with the days it has there.

const TOO_LARGE = `成員與策略合計超過 ${GROUP_COPY_ROWS.toLocaleString('en-US')} 個的群組不能複製，請建立新群組再加入`

/**
 * A new group with the description, the members and the strategies of one. 4090 when its name is taken. Left out is what would
 * be refused in any group (strategies taken away, people who went), and what is over: a row's own days, or a membership's.
 */
async function copyGroupRow(
  app: Pick<App, 'limits' | 'room'>,
  tx: Tx,
  from: Authorized<StoredGroup>,
  name: string,
): Promise<StoredGroup> {
  const { organization_id, description } = from
  const day = taipei(tx.at).date
  const group = await insertGroup(tx, organization_id, { name, description })
  const members = (await placeRows(tx.db, organization_id, [from.id])).filter(
    ({ span }) => stateOf(span, day) !== 'ended',
  )
  const strategies = await tx.db
    .selectFrom('group_strategies')
    .innerJoin('strategies', 'strategies.id', 'group_strategies.strategy_id')
    .select(['strategy_id', 'starts_on', 'ends_on'])
    .where('group_id', '=', from.id)
    .where('strategies.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('ends_on', 'is', null), eb('ends_on', '>=', day)]))
    .orderBy('strategy_id')
    .execute()
  if (members.length + strategies.length > GROUP_COPY_ROWS)
    throw new ApiError(4100, { msg: 'group too large to copy', text: TOO_LARGE })
  // As where a group's strategies are set: each of them is noted for good, here the members as well, who come as many at once.
  await app.limits.take(
    'access_given',
    (await app.room.rooms.of(tx.db, `o:${organization_id}`)).key,
    members.length + strategies.length,
  )
  await roomForGroupStrategies(tx.db, organization_id, strategies.length)
  const made = { group_id: group.id, created_at: tx.at, updated_at: tx.at }
  for (const some of partsOf(members))
    await tx.db
      .insertInto('group_members')
      .values(some.map(({ user_id, starts_on, ends_on }) => ({ ...made, user_id, starts_on, ends_on })))
      .execute()
  for (const some of partsOf(strategies))
    await tx.db
      .insertInto('group_strategies')
      .values(some.map((row) => ({ ...made, ...row })))
      .execute()
  const uids = members.map(({ user_id }) => user_id)
  if (uids.length + strategies.length > 0) await tellAccess(tx, organization_id, uids, 'groups')
  return group
}

// All groups of an organization with everybody and every strategy in one answer: five queries, however many there are.

/** Members of today come first, then those to come, then those whose time is over, as in their list. */
const ORDER = { active: 0, expiring: 0, upcoming: 1, expired: 2 } as const

/** Everybody is in it, also who is in no group; so is every strategy. `day` = today in Taipei. */
async function matrixOf(db: Db, actor: Actor, day: string): Promise<GroupMatrix> {
  const organization_id = actor.organization_id ?? ''
  const groups = await visibleGroups(db, actor, day)
    .select(['strategy_groups.id', 'strategy_groups.name'])
    .orderBy('name_key')
    .orderBy('id')
    .execute()
  const members = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['user_id', 'users.name', 'users.avatar', 'role', 'starts_on', 'expires_on'])
    .where('organization_id', '=', organization_id)
    .orderBy('role')
    .orderBy('users.name')
    .orderBy('user_id')
    .execute()
  const strategies = await visibleStrategies(db, actor)
    .select(['strategies.id as strategy_id', 'strategies.name', 'strategies.kind', 'strategies.status'])
    .orderBy('strategies.name_key')
    .orderBy('strategies.id')
    .execute()
  const places = await placeRows(db, organization_id, null)
  const gifts = await db
    .selectFrom('group_strategies')
    .innerJoin('strategies', 'strategies.id', 'group_strategies.strategy_id')
    .innerJoin('strategy_groups', 'strategy_groups.id', 'group_strategies.group_id')
    .select(['group_id', 'strategy_id', 'group_strategies.starts_on', 'group_strategies.ends_on'])
    .where('strategy_groups.organization_id', '=', organization_id)
    .where('strategies.deleted_at', 'is', null)
    .orderBy('strategy_id')
    .orderBy('group_id')
    .execute()
  return {
    groups,
    members: members
      .map((row) => ({
        ...row,
        status: memberState({ starts_on: row.starts_on, ends_on: row.expires_on }, day),
      }))
      .sort((one, other) => ORDER[one.status] - ORDER[other.status]),
    strategies,
    places: places.map(({ span, ...place }) => ({ ...place, state: stateOf(span, day) })),
    gifts: gifts.map((gift) => ({ ...gift, state: stateOf(gift, day) })),
  }
}

/** Groups: list, get, create, update, delete; their members and strategies. */
export function groupRoutes(app: App): Route[] {
  const today = (tx: Tx) => taipei(tx.at).date
  const present = async (tx: Tx, actor: Actor, row: StoredGroup) =>
    (await presentGroups(tx.db, actor, [row], today(tx)))[0] as StrategyGroup
  const people = async (tx: Tx, actor: Actor, row: StoredGroup, user_ids: readonly string[]) =>
    (await presentMembers(tx.db, actor, row, today(tx), { user_ids })).items
  return [
    handle(app, listGroups, async ({ tx, actor, input: { search, page, page_size } }) => {
      const typed = search?.trim() ?? ''
      const visible = visibleGroups(tx.db, actor, today(tx))
      const found = typed === '' ? visible : visible.where(contains('strategy_groups.name_key', typed))
      const ordered = found.selectAll().orderBy('name_key').orderBy('id')
      const { rows, total } = await pageOf(found, ordered, { page, page_size })
      return { items: await presentGroups(tx.db, actor, rows, today(tx)), total, page, page_size }
    }),
    // Before the group of an id, which would take its path.
    handle(app, getGroupMatrix, ({ tx, actor }) => matrixOf(tx.db, actor, today(tx))),
    handle(app, getGroup, async ({ tx, actor, input }) =>
      present(tx, actor, await findGroup(app, tx, actor, input.id)),
    ),
    handle(app, createGroup, async ({ tx, actor, input }) => {
      const { id } = await holdOrganization(app, tx, actor, actor.organization_id ?? '', 'group:create')
      return present(tx, actor, await store.insertGroup(tx, id, input))
    }),
    handle(app, copyGroup, async ({ tx, actor, input: { id, name } }) => {
      const row = await holdGroup(app, tx, actor, id, 'group:create')
      return present(tx, actor, await copyGroupRow(app, tx, row, name))
    }),
    handle(app, updateGroup, async ({ tx, actor, input: { id, ...changes } }) => {
      const row = await holdGroup(app, tx, actor, id, 'group:edit')
      return present(tx, actor, await store.updateGroupRow(tx, row, changes))
    }),
    handle(app, deleteGroup, async ({ tx, actor, input }) => {
      await store.deleteGroupRow(tx, await holdGroup(app, tx, actor, input.id, 'group:delete'))
      return null
    }),
    handle(app, listGroupMembers, async ({ tx, actor, input: { id, page, page_size } }) => {
      const row = await findGroup(app, tx, actor, id)
      const found = await presentMembers(tx.db, actor, row, today(tx), { page, page_size })
      return { ...found, page, page_size }
    }),
    handle(app, addGroupMembers, async ({ tx, actor, input: { id, user_ids, ...change } }) => {
      const row = await holdGroup(app, tx, actor, id, 'group:edit')
      await store.addMembers(tx, row, user_ids, change)
      return people(tx, actor, row, user_ids)
    }),
    handle(app, updateGroupMember, async ({ tx, actor, input: { id, user_id, ...change } }) => {
      const row = await holdGroup(app, tx, actor, id, 'group:edit')
      if (!(await store.membersOf(tx, id)).includes(user_id)) throw new ApiError(4040)
      await store.updateMembers(tx, row, [user_id], change)
      return (await people(tx, actor, row, [user_id]))[0] as GroupMember
    }),
    handle(app, updateGroupMembers, async ({ tx, actor, input: { id, user_ids, ...change } }) => {
      const row = await holdGroup(app, tx, actor, id, 'group:edit')
      await store.updateMembers(tx, row, user_ids, change)
      return people(tx, actor, row, user_ids)
    }),
    handle(app, removeGroupMember, async ({ tx, actor, input }) => {
      await store.removeMember(tx, await holdGroup(app, tx, actor, input.id, 'group:edit'), input.user_id)
      return null
    }),
    handle(app, listGroupStrategies, async ({ tx, actor, input }) => {
      const row = await findGroup(app, tx, actor, input.id)
      return presentStrategies(tx.db, actor, row.id, today(tx))
    }),
    handle(app, setGroupStrategies, async ({ tx, actor, input: { id, ...input } }) => {
      const row = await holdGroup(app, tx, actor, id, 'group:edit')
      await setStrategies(app, tx, row, input)
      return presentStrategies(tx.db, actor, row.id, today(tx))
    }),
  ]
}
