// What is asked about strategies.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { InputOf } from '#contract/endpoint.ts'
import { getStrategy, listStrategies } from '#contract/strategy.ts'
import type { Ctx } from '../context.ts'
import { getData } from '../current.ts'
import { ctxKey } from '../query.ts'

export type StrategyFilters = InputOf<typeof listStrategies>

export const strategyQueries = {
  /** Everything about strategies of a context: for invalidation. */
  all: (ctx: Ctx) => ctxKey(ctx, 'strategy'),
  list: (ctx: Ctx, filters: StrategyFilters = {}) =>
    queryOptions({
      queryKey: ctxKey(ctx, 'strategy', 'list', filters),
      queryFn: ({ signal }) => getData().client.call(listStrategies, filters, { signal, ctx }),
      // Only within the context: another identity's list must not stand in for this one.
      placeholderData: (previous, query) =>
        query?.queryKey[0] === ctx ? keepPreviousData(previous) : undefined,
    }),
  one: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: ctxKey(ctx, 'strategy', 'one', id),
      queryFn: ({ signal }) => getData().client.call(getStrategy, { id }, { signal, ctx }),
    }),
}
