// What is asked about the members of an organization, and what is changed of them.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
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
import { askAgain, getData, write } from '../current.ts'
import { keys } from '../keys.ts'

export type MemberFilters = Omit<InputOf<typeof listMembers>, 'id'>

export const membershipQueries = {
  /** Never kept on the device: it holds the addresses of others. */
  list: (ctx: Ctx, id: string, filters: MemberFilters = {}) =>
    queryOptions({
      queryKey: keys.membership.list(ctx, id, filters),
      queryFn: ({ signal }) => getData().client.call(listMembers, { id, ...filters }, { signal, ctx }),
      placeholderData: (previous, query) =>
        query?.queryKey[0] === ctx ? keepPreviousData(previous) : undefined,
      meta: { keep: false },
    }),
  admins: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: keys.membership.admins(ctx, id),
      queryFn: ({ signal }) => getData().client.call(listAdmins, { id }, { signal, ctx }),
    }),
}

/** Counts of the organization and the rows of its groups follow from its members. */
function askContext(ctx: Ctx): void {
  void askAgain(keys.membership.all(ctx), keys.organization.all(ctx), keys.group.all(ctx))
}

export const membershipMutations = {
  update: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof updateMember>) => getData().client.call(updateMember, input, { ctx }),
      () => askContext(ctx),
    ),
  updateMany: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof updateMembers>) => getData().client.call(updateMembers, input, { ctx }),
      () => askContext(ctx),
    ),
  remove: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof removeMember>) => getData().client.call(removeMember, input, { ctx }),
      () => askContext(ctx),
    ),
  /** In any context; the event that follows takes the organization's away. */
  leave: () =>
    write(
      (input: InputOf<typeof leaveOrganization>) => getData().client.call(leaveOrganization, input),
      () => void askAgain(keys.person.all),
    ),
}
