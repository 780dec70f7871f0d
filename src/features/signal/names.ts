/* Names of the strategies whose signals one may see, by id; archived ones too, their records stay on the list. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { strategyQueries } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'

/** Empty until the first answer or the stored copy is there. */
export function useStrategyNames(): ReadonlyMap<string, string> {
  const ctx = useCtx()
  const current = useQuery(strategyQueries.list(ctx, { page_size: 100 })).data
  const archived = useQuery(strategyQueries.list(ctx, { page_size: 100, status: 'archived' })).data
  return useMemo(
    () => new Map([...(current?.items ?? []), ...(archived?.items ?? [])].map(({ id, name }) => [id, name])),
    [current, archived],
  )
}
