// What is asked about invitations by mail, and what is done with them.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { InputOf } from '#contract/endpoint.ts'
import {
  acceptInvite,
  cancelInvite,
  createInvites,
  declineInvite,
  getInvite,
  listInvites,
  listMyInvites,
  resendInvite,
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
