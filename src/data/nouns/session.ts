// Signing in: one's sessions, passwords, and whose password a link sets. Taking over a token is the screen's (src/screen/session.ts).
import { queryOptions } from '@tanstack/react-query'
import type { InputOf } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { linkSso, listSsoProviders, tokenLogin } from '#contract/oauth.ts'
import { listContactLinks } from '#contract/organization.ts'
import {
  checkResetToken,
  endSession,
  forgetPassword,
  listSessions,
  login,
  prolongSession,
  register,
  resetPassword,
  updatePassword,
} from '#contract/session.ts'
import { askAgain, getData, write } from '../current.ts'
import { keys } from '../keys.ts'
import { putProfile } from './profile.ts'

export const sessionQueries = {
  /** The locally stored user; `ApiError` 4010 (HTTP 401) when there is none. Nothing is asked of the server (spec §7). */
  user: () =>
    queryOptions({
      queryKey: keys.person.user,
      queryFn: () => {
        const user = getData().session.user()
        if (!user) throw new ApiError(4010, {}, 401)
        return user
      },
      meta: { keep: false },
    }),
  /** Never kept on the device. */
  list: () =>
    queryOptions({
      queryKey: keys.person.sessions,
      queryFn: ({ signal }) => getData().client.call(listSessions, {}, { signal }),
      meta: { keep: false },
    }),
  /** Whose password a link from a mail sets; asked each time, and gone from memory with the page. */
  reset: (token: string) =>
    queryOptions({
      queryKey: keys.person.reset(token),
      queryFn: ({ signal }) => getData().client.call(checkResetToken, { token }, { signal }),
      meta: { keep: false },
      gcTime: 0,
      staleTime: Number.POSITIVE_INFINITY,
    }),
}

export const sessionMutations = {
  login: () => write((input: InputOf<typeof login>) => getData().client.call(login, input)),
  register: () => write((input: InputOf<typeof register>) => getData().client.call(register, input)),
  forgot: () =>
    write((input: InputOf<typeof forgetPassword>) => getData().client.call(forgetPassword, input)),
  /** Ends every session of the person, also the one of whoever is signed in here. */
  setNew: (signed_in: boolean) =>
    write(async (input: InputOf<typeof resetPassword>) => {
      const data = getData()
      const call = () => data.client.call(resetPassword, input)
      await (signed_in ? data.signOut({ by: call }) : call())
    }),
  /** Ends all other sessions. */
  password: () =>
    write(
      (input: InputOf<typeof updatePassword>) => getData().client.call(updatePassword, input),
      () => {
        putProfile({ has_password: true, need_force_update_password: false })
        void askAgain(keys.person.sessions)
      },
    ),
  /** In place: the session is the same, and nothing on the device changes. */
  prolong: () =>
    write(
      (input: InputOf<typeof prolongSession>) => getData().client.call(prolongSession, input),
      ({ access_token }) => {
        getData().session.renew(access_token)
        void askAgain(keys.person.sessions)
      },
    ),
  /** Its row stays busy until the list is here again. */
  end: () => ({
    ...write((input: InputOf<typeof endSession>) => getData().client.call(endSession, input)),
    onSettled: () => askAgain(keys.person.sessions),
  }),
}

// Signing in by other accounts: which there are, and what a ticket from there is worth. Never kept on the device.

export const ssoQueries = {
  providers: () =>
    queryOptions({
      queryKey: keys.person.providers,
      queryFn: ({ signal }) => getData().client.call(listSsoProviders, {}, { signal }),
      meta: { keep: false },
    }),
}

export const ssoMutations = {
  /** A ticket for a token; once. */
  exchange: () => write((input: InputOf<typeof tokenLogin>) => getData().client.call(tokenLogin, input)),
  /** With the password of the account that it is to belong to. */
  link: () => write((input: InputOf<typeof linkSso>) => getData().client.call(linkSso, input)),
}

// How to reach whoever runs this server. An organization's contacts are the organization's.

/** They change when the server is started anew. */
const DAY_MS = 24 * 3600_000

export const contactQueries = {
  platform: () =>
    queryOptions({
      queryKey: keys.person.contacts,
      queryFn: ({ signal }) => getData().client.call(listContactLinks, {}, { signal }),
      staleTime: DAY_MS,
    }),
}
