// What is asked about the person.
import { queryOptions } from '@tanstack/react-query'
import { getProfile } from '#contract/profile.ts'
import { checkResetToken, listSessions } from '#contract/session.ts'
import { getData } from './current.ts'
import { ctxKey } from './query.ts'

export const profile_key = ctxKey('person', 'profile')

export const profileQueries = {
  mine: () =>
    queryOptions({
      queryKey: profile_key,
      queryFn: ({ signal }) => getData().client.call(getProfile, {}, { signal }),
    }),
  /** Never kept on the device. */
  sessions: () =>
    queryOptions({
      queryKey: ctxKey('person', 'sessions'),
      queryFn: ({ signal }) => getData().client.call(listSessions, {}, { signal }),
      meta: { keep: false },
    }),
  /** Whose password a link from a mail sets; asked each time, and gone from memory with the page. */
  reset: (token: string) =>
    queryOptions({
      queryKey: ctxKey('person', 'reset', token),
      queryFn: ({ signal }) => getData().client.call(checkResetToken, { token }, { signal }),
      meta: { keep: false },
      gcTime: 0,
      staleTime: Number.POSITIVE_INFINITY,
    }),
}
