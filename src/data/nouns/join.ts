// What is asked about links, join codes and requests to join, and what is done with them.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { InputOf } from '#contract/endpoint.ts'
import {
  acceptLink,
  cancelJoinRequest,
  createLink,
  joinByCode,
  listJoinRequests,
  listLinks,
  listMyJoinRequests,
  reviewJoinRequest,
  reviewJoinRequests,
  rotateJoinCode,
  updateLink,
} from '#contract/join.ts'
import type { Ctx } from '../context.ts'
import { askAgain, getData, write } from '../current.ts'
import { keys } from '../keys.ts'

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
function askPerson(): void {
  void askAgain(keys.person.all)
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
