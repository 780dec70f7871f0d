// What is asked about strategy groups, and what is changed in them.
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Endpoint, InputOf } from '#contract/endpoint.ts'
import {
  addGroupMembers,
  createGroup,
  deleteGroup,
  getGroup,
  listGroupMembers,
  listGroupStrategies,
  listGroups,
  removeGroupMember,
  setGroupStrategies,
  updateGroup,
  updateGroupMember,
  updateGroupMembers,
} from '#contract/group.ts'
import type { Ctx } from '../context.ts'
import { getData } from '../current.ts'
import { ctxKey } from '../query.ts'

export type GroupFilters = InputOf<typeof listGroups>

export const groupQueries = {
  all: (ctx: Ctx) => ctxKey(ctx, 'group'),
  list: (ctx: Ctx, filters: GroupFilters = {}) =>
    queryOptions({
      queryKey: ctxKey(ctx, 'group', 'list', filters),
      queryFn: ({ signal }) => getData().client.call(listGroups, filters, { signal, ctx }),
      placeholderData: (previous, query) =>
        query?.queryKey[0] === ctx ? keepPreviousData(previous) : undefined,
    }),
  one: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: ctxKey(ctx, 'group', 'one', id),
      queryFn: ({ signal }) => getData().client.call(getGroup, { id }, { signal, ctx }),
    }),
  members: (ctx: Ctx, id: string, page: { page?: number; page_size?: number } = {}) =>
    queryOptions({
      queryKey: ctxKey(ctx, 'group', 'members', id, page),
      queryFn: ({ signal }) => getData().client.call(listGroupMembers, { id, ...page }, { signal, ctx }),
      placeholderData: (previous, query) =>
        query?.queryKey[0] === ctx && query.queryKey[3] === id ? keepPreviousData(previous) : undefined,
    }),
  strategies: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: ctxKey(ctx, 'group', 'strategies', id),
      queryFn: ({ signal }) => getData().client.call(listGroupStrategies, { id }, { signal, ctx }),
    }),
}

/** A change of a group in a context; members and strategies name the groups they are in. */
function change<E extends Endpoint>(ctx: Ctx, endpoint: E) {
  return mutationOptions({
    mutationFn: (input: InputOf<E>) => getData().client.call(endpoint, input, { ctx }),
    onSuccess: () => {
      const { query } = getData()
      for (const noun of ['group', 'membership', 'organization'])
        void query.invalidateQueries({ queryKey: ctxKey(ctx, noun) })
    },
  })
}

export const groupMutations = {
  create: (ctx: Ctx) => change(ctx, createGroup),
  update: (ctx: Ctx) => change(ctx, updateGroup),
  remove: (ctx: Ctx) => change(ctx, deleteGroup),
  addMembers: (ctx: Ctx) => change(ctx, addGroupMembers),
  updateMember: (ctx: Ctx) => change(ctx, updateGroupMember),
  updateMembers: (ctx: Ctx) => change(ctx, updateGroupMembers),
  removeMember: (ctx: Ctx) => change(ctx, removeGroupMember),
  setStrategies: (ctx: Ctx) => change(ctx, setGroupStrategies),
}
