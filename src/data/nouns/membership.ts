// What is asked about the members of an organization, and what is changed of them.
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { InputOf } from '#contract/endpoint.ts'
import {
  leaveOrganization,
  listAdmins,
  listMembers,
  removeMember,
  updateMember,
  updateMembers,
} from '#contract/membership.ts'
import type { Ctx } from '../context.ts'
import { getData } from '../current.ts'
import { ctxKey } from '../query.ts'

export type MemberFilters = Omit<InputOf<typeof listMembers>, 'id'>

export const membershipQueries = {
  all: (ctx: Ctx) => ctxKey(ctx, 'membership'),
  /** Never kept on the device: it holds the addresses of others. */
  list: (ctx: Ctx, id: string, filters: MemberFilters = {}) =>
    queryOptions({
      queryKey: ctxKey(ctx, 'membership', 'list', id, filters),
      queryFn: ({ signal }) => getData().client.call(listMembers, { id, ...filters }, { signal, ctx }),
      placeholderData: (previous, query) =>
        query?.queryKey[0] === ctx ? keepPreviousData(previous) : undefined,
      meta: { keep: false },
    }),
  admins: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: ctxKey(ctx, 'membership', 'admins', id),
      queryFn: ({ signal }) => getData().client.call(listAdmins, { id }, { signal, ctx }),
    }),
}

/** Counts of the organization and the rows of its groups follow from its members. */
function askContext(ctx: Ctx): void {
  const { query } = getData()
  for (const noun of ['membership', 'organization', 'group'])
    void query.invalidateQueries({ queryKey: ctxKey(ctx, noun) })
}

export const membershipMutations = {
  update: (ctx: Ctx) =>
    mutationOptions({
      mutationFn: (input: InputOf<typeof updateMember>) =>
        getData().client.call(updateMember, input, { ctx }),
      onSuccess: () => askContext(ctx),
    }),
  updateMany: (ctx: Ctx) =>
    mutationOptions({
      mutationFn: (input: InputOf<typeof updateMembers>) =>
        getData().client.call(updateMembers, input, { ctx }),
      onSuccess: () => askContext(ctx),
    }),
  remove: (ctx: Ctx) =>
    mutationOptions({
      mutationFn: (input: InputOf<typeof removeMember>) =>
        getData().client.call(removeMember, input, { ctx }),
      onSuccess: () => askContext(ctx),
    }),
  /** In any context; the event that follows takes the organization's away. */
  leave: () =>
    mutationOptions({
      mutationFn: (input: InputOf<typeof leaveOrganization>) =>
        getData().client.call(leaveOrganization, input),
      onSuccess: () => void getData().query.invalidateQueries({ queryKey: ctxKey('person') }),
    }),
}
