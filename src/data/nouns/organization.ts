// What is asked about organizations, and what is changed in them.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { readAccessLog } from '#contract/access.ts'
import type { InputOf } from '#contract/endpoint.ts'
import {
  leaveOrganization,
  listAdmins,
  listMembers,
  removeMember,
  updateMember,
  updateMembers,
} from '#contract/membership.ts'
import {
  createOrganization,
  deleteOrganization,
  getOrganization,
  listMyOrganizations,
  listOrganizationStrategies,
  updateOrganization,
  uploadLogo,
} from '#contract/organization.ts'
import { readOrganizationUsage, readUsage } from '#contract/profile.ts'
import type { Ctx } from '../context.ts'
import { askAgain, getData, write } from '../current.ts'
import { keys } from '../keys.ts'

export type OrganizationStrategyFilters = Omit<InputOf<typeof listOrganizationStrategies>, 'id'>

export const organizationQueries = {
  /** Mine in every context, also those that begin later or have ended. */
  mine: () =>
    queryOptions({
      queryKey: keys.person.my_organizations,
      queryFn: ({ signal }) => getData().client.call(listMyOrganizations, {}, { signal }),
    }),
  one: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: keys.organization.one(ctx, id),
      queryFn: ({ signal }) => getData().client.call(getOrganization, { id }, { signal, ctx }),
    }),
  strategies: (ctx: Ctx, id: string, filters: OrganizationStrategyFilters = {}) =>
    queryOptions({
      queryKey: keys.organization.strategies(ctx, id, filters),
      queryFn: ({ signal }) =>
        getData().client.call(listOrganizationStrategies, { id, ...filters }, { signal, ctx }),
      placeholderData: (previous, query) =>
        query?.queryKey[0] === ctx ? keepPreviousData(previous) : undefined,
    }),
}

/** The profile names the organizations too. */
function askPerson(): void {
  void askAgain(keys.person.all)
}

export const organizationMutations = {
  create: () =>
    write(
      (input: InputOf<typeof createOrganization>) => getData().client.call(createOrganization, input),
      askPerson,
    ),
  update: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof updateOrganization>) =>
        getData().client.call(updateOrganization, input, { ctx }),
      (changed) => {
        getData().query.setQueryData(organizationQueries.one(ctx, changed.id).queryKey, changed)
        askPerson()
      },
    ),
  /** A new picture; its address comes back. */
  logo: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof uploadLogo>) => getData().client.call(uploadLogo, input, { ctx }),
      ({ logo }, { id }) => {
        getData().query.setQueryData(organizationQueries.one(ctx, id).queryKey, (known) =>
          known === undefined ? known : { ...known, logo },
        )
        askPerson()
      },
    ),
  /** With its name typed again. The event that follows takes the context away. */
  remove: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof deleteOrganization>) =>
        getData().client.call(deleteOrganization, input, { ctx }),
      askPerson,
    ),
}

// What is asked about the members of an organization, and what is changed of them.

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

// Who could see what at a moment, and the changes that made it so. Never kept on the device: it names people.

export type AccessQuestion = Pick<InputOf<typeof readAccessLog>, 'at' | 'user_id' | 'strategy_id'>

/** Of each list at once. */
const LIMIT = 100

export const accessLogQueries = {
  /** The beginning of both lists; `at` absent is now. */
  first: (ctx: Ctx, id: string, question: AccessQuestion) =>
    queryOptions({
      queryKey: keys.organization.access(ctx, id, question),
      queryFn: ({ signal }) =>
        getData().client.call(readAccessLog, { id, limit: LIMIT, ...question }, { signal, ctx }),
      placeholderData: (previous, query) =>
        query?.queryKey[0] === ctx ? keepPreviousData(previous) : undefined,
      meta: { keep: false },
    }),
  /** One of the lists from a cursor on. */
  rest: (ctx: Ctx, id: string, question: AccessQuestion, list: 'after' | 'before', cursor: string | null) =>
    infiniteQueryOptions({
      queryKey: keys.organization.access(ctx, id, { ...question, [list]: cursor }),
      queryFn: ({ signal, pageParam }) =>
        getData().client.call(
          readAccessLog,
          { id, limit: LIMIT, ...question, [list]: pageParam },
          { signal, ctx },
        ),
      initialPageParam: cursor ?? '',
      getNextPageParam: (page) => (list === 'after' ? page.next_after : page.next_before),
      meta: { keep: false },
    }),
}

// What is asked about one's room on the server.

export const usageQueries = {
  mine: () =>
    queryOptions({
      queryKey: keys.person.usage,
      queryFn: ({ signal }) => getData().client.call(readUsage, {}, { signal }),
    }),
  organization: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: keys.usage(ctx, id),
      queryFn: ({ signal }) => getData().client.call(readOrganizationUsage, { id }, { signal, ctx }),
    }),
}
