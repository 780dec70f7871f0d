// The calls on strategy groups.

import { ApiError } from '#contract/errors.ts'
import {
  addGroupMembers,
  copyGroup,
  createGroup,
  deleteGroup,
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
import { taipei } from '#trading/calendar.ts'
import { visibleGroups } from '../access/groups.ts'
import { holdOrganization } from '../access/organization.ts'
import type { Actor, App, Tx } from '../context.ts'
import { contains } from '../db/search.ts'
import { handle, type Route } from '../http/handle.ts'
import { copyGroupRow } from './copy.ts'
import { matrixOf } from './matrix.ts'
import { presentGroups, presentMembers, presentStrategies } from './present.ts'
import { findGroup, holdGroup, type StoredGroup } from './rules.ts'
import * as store from './store.ts'
import { setStrategies } from './strategies.ts'

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
      const { total } = await found.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow()
      const rows = await found
        .selectAll()
        .orderBy('name_key')
        .orderBy('id')
        .limit(page_size)
        .offset((page - 1) * page_size)
        .execute()
      return {
        items: await presentGroups(tx.db, actor, rows, today(tx)),
        total: Number(total),
        page,
        page_size,
      }
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
