// Names of the strategies in the list of signals: those on the dashboard at once, the others from the strategy list.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { strategyQueries } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'

/** Names by id. The list is only asked for when the dashboard may not hold all of them. */
export function useNames(known: readonly Strategy[]): ReadonlyMap<string, string> {
  const ctx = useCtx()
  const { data } = useQuery({
    ...strategyQueries.list(ctx, { page_size: 100 }),
    enabled: known.length === 0 || known.length >= 6,
  })
  return useMemo(
    () => new Map([...(data?.items ?? []), ...known].map(({ id, name }) => [id, name])),
    [data, known],
  )
}
