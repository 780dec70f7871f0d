// What is asked about invitations by mail, and what is done with them.
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
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
} from '#contract/invitation.ts'
import type { Ctx } from '../context.ts'
import { getData } from '../current.ts'
import { ctxKey } from '../query.ts'

export type InviteFilters = Omit<InputOf<typeof listInvites>, 'id'>

/** Under the organization's key: its events tell of invitations too. */
const sentKey = (ctx: Ctx) => ctxKey(ctx, 'organization', 'invites')

export const invitationQueries = {
  /** Sent by the organization, newest first; never kept on the device: it holds the addresses of others. */
  sent: (ctx: Ctx, id: string, filters: InviteFilters = {}) =>
    queryOptions({
      queryKey: [...sentKey(ctx), id, filters] as const,
      queryFn: ({ signal }) => getData().client.call(listInvites, { id, ...filters }, { signal, ctx }),
      placeholderData: (previous, query) =>
        query?.queryKey[0] === ctx ? keepPreviousData(previous) : undefined,
      meta: { keep: false },
    }),
  /** Received and open; never kept on the device: each carries its code. */
  mine: () =>
    queryOptions({
      queryKey: ctxKey('person', 'invitation', 'mine'),
      queryFn: ({ signal }) => getData().client.call(listMyInvites, {}, { signal }),
      meta: { keep: false },
    }),
  /** What stands behind a code, also signed out. */
  behind: (code: string) =>
    queryOptions({
      queryKey: ctxKey('person', 'invitation', 'behind', code),
      queryFn: ({ signal }) => getData().client.call(getInvite, { code }, { signal }),
      meta: { keep: false },
    }),
}

function askSent(ctx: Ctx): void {
  void getData().query.invalidateQueries({ queryKey: sentKey(ctx) })
}
/** Mine, my organizations, and the profile that names them. */
function askPerson(): void {
  void getData().query.invalidateQueries({ queryKey: ctxKey('person') })
}

export const invitationMutations = {
  /** Gives one result per address. */
  create: (ctx: Ctx) =>
    mutationOptions({
      mutationFn: (input: InputOf<typeof createInvites>) =>
        getData().client.call(createInvites, input, { ctx }),
      onSuccess: () => askSent(ctx),
    }),
  resend: (ctx: Ctx) =>
    mutationOptions({
      mutationFn: (input: InputOf<typeof resendInvite>) =>
        getData().client.call(resendInvite, input, { ctx }),
      onSuccess: () => askSent(ctx),
    }),
  cancel: (ctx: Ctx) =>
    mutationOptions({
      mutationFn: (input: InputOf<typeof cancelInvite>) =>
        getData().client.call(cancelInvite, input, { ctx }),
      onSuccess: () => askSent(ctx),
    }),
  accept: () =>
    mutationOptions({
      mutationFn: (code: string) => getData().client.call(acceptInvite, { code }),
      onSuccess: askPerson,
    }),
  decline: () =>
    mutationOptions({
      mutationFn: (code: string) => getData().client.call(declineInvite, { code }),
      onSuccess: askPerson,
    }),
}
