// What is asked about the market.
import { queryOptions } from '@tanstack/react-query'
import { getCalendar, listProducts } from '#contract/market.ts'
import { getData } from '../current.ts'
import { keys } from '../keys.ts'

/** Products change a few times a year. */
const DAY_MS = 24 * 3600_000

export const marketQueries = {
  products: () =>
    queryOptions({
      queryKey: keys.person.products,
      queryFn: ({ signal }) => getData().client.call(listProducts, {}, { signal }),
      staleTime: DAY_MS,
    }),
  /** The days on which the markets stay closed: what the device needs to count trading dates like the server. */
  calendar: () =>
    queryOptions({
      queryKey: keys.person.calendar,
      queryFn: ({ signal }) => getData().client.call(getCalendar, {}, { signal }),
      staleTime: DAY_MS,
    }),
}
