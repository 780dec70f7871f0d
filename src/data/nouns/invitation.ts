// What is asked about invitations by mail, and what is done with them.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { InputOf } from '#contract/endpoint.ts'
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
import type { Ctx } from '../context.ts'
import { askAgain, getData, write } from '../current.ts'
import { keys } from '../keys.ts'

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
/** Mine, my organizations, and the profile that names them. */
function askPerson(): void {
  void askAgain(keys.person.all)
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
