// The figures of a strategy for a period: folded on this device where the whole record is held, else the server's answer.
import { useQuery } from '@tanstack/react-query'
import type { Statistics } from '#contract/statistics.ts'
import type { Strategy } from '#contract/strategy.ts'
import { isWhole } from '#data/nouns/figures.ts'
import { marketQueries } from '#data/nouns/market.ts'
import { statisticsQueries } from '#data/nouns/statistics.ts'
import { useCtx } from '#screen/data.tsx'
import { useRecords } from '#screen/records.ts'
import { useTables } from '#screen/tables.ts'

export interface Figures {
  data: Statistics | undefined
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

const NO_DAYS: readonly string[] = []
const NO_YEARS: readonly number[] = []

export function useFigures(strategy: Strategy, from: string | null): Figures {
  const ctx = useCtx()
  const all = useRecords()
  const { items } = useRecords(strategy.id)
  const calendar = useQuery(marketQueries.calendar())
  const table = useTables()
  // The device's copy is read in two steps; until then nobody knows whether it is whole.
  const read = all.state !== 'loading' && all.items.length >= all.total_known
  const whole = isWhole(items, strategy.chain_head.chain_seq)
  const closed_days = calendar.data?.closed_days ?? NO_DAYS
  const device = useQuery({
    ...statisticsQueries.ofDevice(ctx, strategy, items, closed_days, table, from),
    enabled: whole && calendar.data !== undefined,
  })
  const own = whole && !(calendar.data === undefined && calendar.error) && !device.error
  const server = useQuery({ ...statisticsQueries.ofServer(ctx, strategy.id, from), enabled: read && !own })
  const common = { closed_days, missing_years: calendar.data?.missing ?? NO_YEARS }
  if (own)
    return {
      ...common,
      data: device.data,
      by: 'device',
      as_of: all.as_of,
      error: null,
      busy: device.isFetching,
      retry: () => void device.refetch(),
    }
  return {
    ...common,
    data: server.data,
    by: 'server',
    as_of: server.dataUpdatedAt || null,
    error: server.error,
    busy: server.isFetching,
    retry: () => void server.refetch(),
  }
}
