// What is asked about organizations, and what is changed in them.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { readAccessLog } from '#contract/access.ts'
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
import {
  acceptInvite,
  acceptLink,
  cancelInvite,
  cancelJoinRequest,
  createInvites,
  createLink,
  declineInvite,
  getInvite,
  joinByCode,
  listInvites,
  listJoinRequests,
  listLinks,
  listMyInvites,
  listMyJoinRequests,
  resendInvite,
  reviewJoinRequest,
  reviewJoinRequests,
  rotateJoinCode,
  updateLink,
} from '#contract/join.ts'
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
import { foundIn } from '../device/answers.ts'
import { isUnder, keys } from '../keys.ts'
import { madeOf } from '../places.ts'

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

// What is asked about strategy groups, and what is changed in them.

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
  const answers: unknown[] = []
  for (let page = 1; ; page += 1) {
    const got = await getData().client.call(listGroups, { page, page_size: PAGE }, { signal, ctx })
    answers.push(got)
    for (const group of got.items) items.set(group.id, group)
    if (got.items.length < PAGE || items.size >= got.total || page === PAGES)
      return madeOf({ items: [...items.values()], total: got.total }, answers)
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

// What is asked about invitations by mail, and what is done with them.

export type InviteFilters = Omit<InputOf<typeof listInvites>, 'id'>

export const invitationQueries = {
  /** Sent by the organization, newest first; never kept on the device: it holds the addresses of others. */
  sent: (ctx: Ctx, id: string, filters: InviteFilters = {}) =>
    queryOptions({
      queryKey: keys.invitations(ctx, id, filters),
      queryFn: ({ signal }) => getData().client.call(listInvites, { id, ...filters }, { signal, ctx }),
      placeholderData: (previous, query) =>
        query?.queryKey[0] === ctx ? keepPreviousData(previous) : undefined,
      meta: { keep: false },
    }),
  /** Received and open; never kept on the device: each carries its code. */
  mine: () =>
    queryOptions({
      queryKey: keys.person.my_invitations,
      queryFn: ({ signal }) => getData().client.call(listMyInvites, {}, { signal }),
      meta: { keep: false },
    }),
  /** What stands behind a code, also signed out. */
  behind: (code: string) =>
    queryOptions({
      queryKey: keys.person.invitation(code),
      queryFn: ({ signal }) => getData().client.call(getInvite, { code }, { signal }),
      meta: { keep: false },
    }),
}

function askSent(ctx: Ctx): void {
  void askAgain(keys.invitations(ctx))
}
export const invitationMutations = {
  /** Gives one result per address. */
  create: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof createInvites>) => getData().client.call(createInvites, input, { ctx }),
      () => askSent(ctx),
    ),
  resend: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof resendInvite>) => getData().client.call(resendInvite, input, { ctx }),
      () => askSent(ctx),
    ),
  cancel: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof cancelInvite>) => getData().client.call(cancelInvite, input, { ctx }),
      () => askSent(ctx),
    ),
  accept: () => write((code: string) => getData().client.call(acceptInvite, { code }), askPerson),
  decline: () => write((code: string) => getData().client.call(declineInvite, { code }), askPerson),
}

// What is asked about links, join codes and requests to join, and what is done with them.

export type RequestFilters = Omit<InputOf<typeof listJoinRequests>, 'id'>

export const joinQueries = {
  /** Never kept on the device: each carries its code. */
  links: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: keys.join.links(ctx, id),
      queryFn: ({ signal }) => getData().client.call(listLinks, { id }, { signal, ctx }),
      meta: { keep: false },
    }),
  /** Never kept on the device: they name people who are no members. */
  requests: (ctx: Ctx, id: string, filters: RequestFilters = {}) =>
    queryOptions({
      queryKey: keys.join.requests(ctx, id, filters),
      queryFn: ({ signal }) => getData().client.call(listJoinRequests, { id, ...filters }, { signal, ctx }),
      placeholderData: (previous, query) =>
        query?.queryKey[0] === ctx ? keepPreviousData(previous) : undefined,
      meta: { keep: false },
    }),
  /** Never kept on the device: they say what organizations answered to somebody outside. */
  mine: () =>
    queryOptions({
      queryKey: keys.person.my_requests,
      queryFn: ({ signal }) => getData().client.call(listMyJoinRequests, {}, { signal }),
      meta: { keep: false },
    }),
}

function askOrganization(ctx: Ctx): void {
  void askAgain(keys.organization.all(ctx))
}
/** Members, groups and the first page follow from who was let in. */
function askMembers(ctx: Ctx): void {
  const { organization, membership, group, dashboard } = keys
  void askAgain(organization.all(ctx), membership.all(ctx), group.all(ctx), dashboard(ctx))
}

export const joinMutations = {
  createLink: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof createLink>) => getData().client.call(createLink, input, { ctx }),
      () => askOrganization(ctx),
    ),
  updateLink: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof updateLink>) => getData().client.call(updateLink, input, { ctx }),
      () => askOrganization(ctx),
    ),
  rotateCode: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof rotateJoinCode>) => getData().client.call(rotateJoinCode, input, { ctx }),
      () => askOrganization(ctx),
    ),
  review: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof reviewJoinRequest>) => getData().client.call(reviewJoinRequest, input, { ctx }),
      () => askMembers(ctx),
    ),
  /** Gives one result per request. */
  reviewMany: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof reviewJoinRequests>) =>
        getData().client.call(reviewJoinRequests, input, { ctx }),
      () => askMembers(ctx),
    ),
  acceptLink: () =>
    write((input: InputOf<typeof acceptLink>) => getData().client.call(acceptLink, input), askPerson),
  byCode: () =>
    write((input: InputOf<typeof joinByCode>) => getData().client.call(joinByCode, input), askPerson),
  cancel: () =>
    write((request_id: string) => getData().client.call(cancelJoinRequest, { request_id }), askPerson),
}
