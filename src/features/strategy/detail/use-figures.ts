// The figures of a strategy for a period: folded on this device where the whole record is held, else the server's answer.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Statistics } from '#contract/statistics.ts'
import type { Strategy } from '#contract/strategy.ts'
import { isWhole } from '#data/nouns/figures.ts'
import { marketQueries } from '#data/nouns/market.ts'
import { statisticsQueries, stockStatisticsQueries } from '#data/nouns/statistics.ts'
import { useCtx, useRecords, useTables } from '#screen/data.tsx'
import { byServerClock } from '#text/now.ts'
import type { StockStatistics } from '#trading/stock-statistics.ts'

export interface Found<T> {
  data: T | undefined
  closed_days: readonly string[]
  /** Of this year and the next those whose closed days are not known: trading dates in them are guesses. */
  missing_years: readonly number[]
  /** Where they were computed. */
  by: 'device' | 'server'
  /** The moment (ISO or ms) they speak of; null unknown. */
  as_of: string | number | null
  error: unknown
  busy: boolean
  retry: () => void
}

export type FoundFigures = Found<Statistics>
/** Of each stock; the server says of how much of the record, the device holds all of it. */
export type Stocks = StockStatistics & { basis?: 'full' | 'visible' }

const NO_DAYS: readonly string[] = []
const NO_YEARS: readonly number[] = []

/** The figures of a strategy for the period that begins on `from`, a trading date; null from the start. */
export function useFigures(strategy: Strategy, from: string | null): FoundFigures {
  const { ctx, items, closed_days, table, folds, ...source } = useSource(strategy)
  const device = useQuery({
    ...statisticsQueries.ofDevice(ctx, strategy, items, closed_days, table, from),
    enabled: folds,
  })
  const own = source.isOwn(device.error)
  const asks = source.read && !own
  const server = useQuery({ ...statisticsQueries.ofServer(ctx, strategy.id, from), enabled: asks })
  return { ...source.common, ...found(own, device, server, source.as_of) }
}

/** The same of each of its stocks. */
export function useStocks(strategy: Strategy, from: string | null): Found<Stocks> {
  const { ctx, items, closed_days, table, folds, ...source } = useSource(strategy)
  const device = useQuery({
    ...stockStatisticsQueries.ofDevice(ctx, strategy, items, closed_days, table, from),
    enabled: folds,
  })
  const own = source.isOwn(device.error)
  const asks = source.read && !own
  const server = useQuery({ ...stockStatisticsQueries.ofServer(ctx, strategy.id, from), enabled: asks })
  return { ...source.common, ...found(own, device, server, source.as_of) }
}

/** The records of a strategy on this device, and what folding them needs; whether they are all of them. */
function useSource(strategy: Strategy) {
  const ctx = useCtx()
  const all = useRecords()
  const { items } = useRecords(strategy.id)
  const calendar = useQuery(marketQueries.calendar())
  const table = useTables()
  const whole = isWhole(items, strategy.chain_head.chain_seq)
  const closed_days = calendar.data?.closed_days ?? NO_DAYS
  return {
    ctx,
    items,
    closed_days,
    table,
    as_of: all.as_of,
    // The device's copy is read in two steps; until then nobody knows whether it is whole. Where there is none nobody waits for it.
    read: all.bare || (all.state !== 'loading' && all.items.length >= all.total_known),
    folds: whole && calendar.data !== undefined,
    isOwn: (failed: unknown) => whole && !(calendar.data === undefined && calendar.error) && !failed,
    common: { closed_days, missing_years: calendar.data?.missing ?? NO_YEARS },
  }
}

type Asked<T> = Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'refetch' | 'dataUpdatedAt'>

/** Until the device has folded what has just become whole, the server's figures stay: they are the same. */
const found = <T>(own: boolean, device: Asked<T>, server: Asked<T>, as_of: Found<T>['as_of']) =>
  own && (device.data !== undefined || server.data === undefined) ? byDevice(device, as_of) : byServer(server)

function byDevice<T>({ data, isFetching, refetch }: Asked<T>, as_of: Found<T>['as_of']) {
  return { data, by: 'device' as const, as_of, error: null, busy: isFetching, retry: () => void refetch() }
}

function byServer<T>({ data, error, isFetching, refetch, dataUpdatedAt }: Asked<T>) {
  const retry = () => void refetch()
  return {
    data,
    by: 'server' as const,
    as_of: dataUpdatedAt ? byServerClock(dataUpdatedAt) : null,
    error,
    busy: isFetching,
    retry,
  }
}
