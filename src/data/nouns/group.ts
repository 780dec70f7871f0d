// What is asked about strategy groups, and what is changed in them.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AtOnce, InputOf } from '#contract/endpoint.ts'
import {
  addGroupMembers,
  copyGroup,
  createGroup,
  deleteGroup,
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
import type { Ctx } from '../context.ts'
import { askAgain, getData, write } from '../current.ts'
import { foundIn } from '../device/answers.ts'
import { isUnder, keys } from '../keys.ts'

export type GroupFilters = InputOf<typeof listGroups>

const PAGE = 100
/** Whoever has more groups than these searches for one. */
const PAGES = 10

/** Groups read page by page: `total` how many the server has, which may be more than `items`. */
export interface ReadGroups {
  items: readonly StrategyGroup[]
  total: number
}

async function readEvery(ctx: Ctx, signal: AbortSignal): Promise<ReadGroups> {
  // a group may move to the next page while this is read
  const items = new Map<string, StrategyGroup>()
  for (let page = 1; ; page += 1) {
    const got = await getData().client.call(listGroups, { page, page_size: PAGE }, { signal, ctx })
    for (const group of got.items) items.set(group.id, group)
    if (got.items.length < PAGE || items.size >= got.total || page === PAGES)
      return { items: [...items.values()], total: got.total }
  }
}

export const groupQueries = {
  list: (ctx: Ctx, filters: GroupFilters = {}) =>
    queryOptions({
      queryKey: keys.group.list(ctx, filters),
      queryFn: ({ signal }) => getData().client.call(listGroups, filters, { signal, ctx }),
      placeholderData: (previous, query) =>
        query?.queryKey[0] === ctx ? keepPreviousData(previous) : undefined,
    }),
  /** All that one may see, up to ten pages of a hundred. */
  every: (ctx: Ctx) =>
    queryOptions({ queryKey: keys.group.every(ctx), queryFn: ({ signal }) => readEvery(ctx, signal) }),
  one: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: keys.group.one(ctx, id),
      queryFn: ({ signal }) => getData().client.call(getGroup, { id }, { signal, ctx }),
      meta: foundIn(id, keys.group.every(ctx), keys.group.list(ctx)),
    }),
  matrix: (ctx: Ctx) =>
    queryOptions({
      queryKey: keys.group.matrix(ctx),
      queryFn: ({ signal }) => getData().client.call(getGroupMatrix, {}, { signal, ctx }),
    }),
  members: (ctx: Ctx, id: string, page: { page?: number; page_size?: number } = {}) =>
    queryOptions({
      queryKey: keys.group.members(ctx, id, page),
      queryFn: ({ signal }) => getData().client.call(listGroupMembers, { id, ...page }, { signal, ctx }),
      placeholderData: (previous, query) =>
        query && isUnder(query.queryKey, keys.group.members(ctx, id))
          ? keepPreviousData(previous)
          : undefined,
    }),
  strategies: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: keys.group.strategies(ctx, id),
      queryFn: ({ signal }) => getData().client.call(listGroupStrategies, { id }, { signal, ctx }),
    }),
}

/** A change of a group in a context; members and strategies name the groups they are in. */
function change<E extends AtOnce>(ctx: Ctx, endpoint: E) {
  return write(
    (input: InputOf<E>) => getData().client.call(endpoint, input, { ctx }),
    () => void askAgain(keys.group.all(ctx), keys.membership.all(ctx), keys.organization.all(ctx)),
  )
}

export const groupMutations = {
  create: (ctx: Ctx) => change(ctx, createGroup),
  copy: (ctx: Ctx) => change(ctx, copyGroup),
  update: (ctx: Ctx) => change(ctx, updateGroup),
  remove: (ctx: Ctx) => change(ctx, deleteGroup),
  addMembers: (ctx: Ctx) => change(ctx, addGroupMembers),
  updateMember: (ctx: Ctx) => change(ctx, updateGroupMember),
  updateMembers: (ctx: Ctx) => change(ctx, updateGroupMembers),
  removeMember: (ctx: Ctx) => change(ctx, removeGroupMember),
  setStrategies: (ctx: Ctx) => change(ctx, setGroupStrategies),
}
