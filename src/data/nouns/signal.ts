// What is asked about one signal; the list is signals.ts, which needs no question.
import { queryOptions } from '@tanstack/react-query'
import { getSignal } from '#contract/signal.ts'
import type { Ctx } from '../context.ts'
import { getData } from '../current.ts'
import { ctxKey } from '../query.ts'

export const signalQueries = {
  all: (ctx: Ctx) => ctxKey(ctx, 'signal'),
  /** The record with timeline and raw message; `getData().signals.get(id)` has the record at once. */
  one: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: ctxKey(ctx, 'signal', 'one', id),
      queryFn: ({ signal }) => getData().client.call(getSignal, { id }, { signal, ctx }),
    }),
}
