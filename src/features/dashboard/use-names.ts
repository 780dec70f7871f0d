// Names of the strategies in the list of signals: those on the dashboard at once, the others from the strategy list, and beyond a hundred, or archived, from all of them.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { strategyNames, strategyQueries } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'

/** Names by id. More is only asked for while one of `ids` has none. */
export function useNames(known: readonly Strategy[], ids: readonly string[]): ReadonlyMap<string, string> {
  const ctx = useCtx()
  const without = (...held: readonly (readonly Pick<Strategy, 'id'>[])[]) =>
    ids.some((id) => !held.flat().some((one) => one.id === id))
  const list = useQuery({
    ...strategyQueries.list(ctx, { page_size: 100 }),
    enabled: without(known),
  })
  const listed = list.data?.items ?? []
  const { data: others } = useQuery({
    ...strategyNames(ctx),
    enabled: !list.isLoading && without(known, listed),
  })
  return useMemo(
    () =>
      new Map([
        ...(others ?? []),
        ...[...(list.data?.items ?? []), ...known].map(({ id, name }) => [id, name] as const),
      ]),
    [list.data, others, known],
  )
}
