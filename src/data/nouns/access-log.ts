// Who could see what at a moment, and the changes that made it so. Never kept on the device: it names people.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { readAccessLog } from '#contract/access.ts'
import type { InputOf } from '#contract/endpoint.ts'
import type { Ctx } from '../context.ts'
import { getData } from '../current.ts'
import { keys } from '../keys.ts'

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
