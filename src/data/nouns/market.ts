// What is asked about the market.
import { type QueryClient, QueryObserver, queryOptions } from '@tanstack/react-query'
import { getCalendar, getTables, listProducts, listSymbols, SYMBOLS_MOST } from '#contract/market.ts'
import type { SignalRecord } from '#contract/signal.ts'
import { nameStocks } from '#trading/products.ts'
import { layTables, tables } from '#trading/tables.ts'
import { getData } from '../current.ts'
import type { SignalMemory } from '../device/signals.ts'
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

// The market's tables and securities as this server has them; the tables come into force as soon as they are known here.

/** An answer to a word somebody typed is of no use to anybody later. */
const SEARCH_MS = 10 * 60_000

export const tablesQueries = {
  all: () =>
    queryOptions({
      queryKey: keys.person.tables,
      queryFn: ({ signal }) => getData().client.call(getTables, {}, { signal }),
      staleTime: DAY_MS,
    }),
  /** Every share and fund of a version of the server's list, kept for offline. */
  securities: (version: string) =>
    queryOptions({
      queryKey: keys.person.securities(version),
      queryFn: ({ signal }) => getData().client.call(listSymbols, { limit: SYMBOLS_MOST }, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  /** What the server finds beyond those: warrants. */
  search: (typed: string, most: number) =>
    queryOptions({
      queryKey: keys.person.search(typed),
      queryFn: ({ signal }) => getData().client.call(listSymbols, { search: typed, limit: most }, { signal }),
      staleTime: SEARCH_MS,
      meta: { keep: false },
    }),
}

/** Names of stocks beyond the largest: those that the records here came with. */
export function nameByRecords({ getSnapshot }: Pick<SignalMemory, 'getSnapshot'>): void {
  let read: readonly SignalRecord[] = []
  let names = new Map<string, string>()
  nameStocks((symbol) => {
    const { items } = getSnapshot()
    if (items !== read) {
      read = items
      names = new Map()
      for (const one of items) if (one.symbol_name !== one.symbol) names.set(one.symbol, one.symbol_name)
    }
    return names.get(symbol)
  })
}

/** Keeps the tables in force those of the server, from the device's copy on; the returned function ends it. */
export function keepTables(query: QueryClient): () => void {
  const observer = new QueryObserver(query, tablesQueries.all())
  return observer.subscribe(({ data }) => {
    if (data && data.tables.key !== tables().key) layTables(data.tables.key === '' ? null : data.tables)
  })
}
