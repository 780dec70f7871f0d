// What is asked about signing in: one's sessions, and whose password a link sets.
import { queryOptions } from '@tanstack/react-query'
import { checkResetToken, listSessions } from '#contract/session.ts'
import { getData } from '../current.ts'
import { ctxKey } from '../query.ts'

export const sessionQueries = {
  /** Never kept on the device. */
  list: () =>
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
