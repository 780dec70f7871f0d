// What is known of a security's price limits on this device: the ETFs that have none, its market and its first day.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { tablesQueries } from '#data/nouns/market.ts'
import type { LimitFacts } from '#trading/foresee.ts'
import type { Asset } from '#trading/record.ts'

/** Empty until it is here, and offline where it never was: then the usual limits are warned of. */
export function useLimitFacts(asset: Asset, symbol: string): LimitFacts {
  const wanted = asset === 'stock'
  const { data } = useQuery({ ...tablesQueries.all(), enabled: wanted })
  const version = data?.symbols.version ?? ''
  // the list that is built in says no days
  const { data: list } = useQuery({
    ...tablesQueries.securities(version),
    enabled: wanted && version !== '',
  })
  return useMemo(
    () => ({
      unlimited: data?.unlimited ?? [],
      listing: list?.find((one) => one.symbol === symbol) ?? null,
    }),
    [data, list, symbol],
  )
}
