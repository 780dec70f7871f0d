// What is asked about the market.
import { queryOptions } from '@tanstack/react-query'
import { listProducts } from '#contract/market.ts'
import { getData } from './current.ts'
import { ctxKey } from './query.ts'

/** Products change a few times a year. */
const DAY_MS = 24 * 3600_000

export const marketQueries = {
  products: () =>
    queryOptions({
      queryKey: ctxKey('person', 'market', 'products'),
      queryFn: ({ signal }) => getData().client.call(listProducts, {}, { signal }),
      staleTime: DAY_MS,
    }),
}
