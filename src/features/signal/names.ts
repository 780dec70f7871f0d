/* Names of the strategies whose signals one may see, by id; archived ones too, their records stay on the list. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { strategyNames, strategyQueries } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'

const PAGE = 100

/** `names` empty until the first answer or the stored copy is there. Those with the newest signals come first, of many the others after them. `none` it is known that there is none, also no archived one. */
export function useStrategyNames(): { names: ReadonlyMap<string, string>; none: boolean } {
  const ctx = useCtx()
  const current = useQuery(strategyQueries.list(ctx, { page_size: PAGE })).data
  const archived = useQuery(strategyQueries.list(ctx, { page_size: PAGE, status: 'archived' })).data
  const more = Math.max(current?.total ?? 0, archived?.total ?? 0) > PAGE
  const others = useQuery({ ...strategyNames(ctx), enabled: more }).data
  const names = useMemo(
    () =>
      new Map([
        ...(others ?? []),
        ...[...(current?.items ?? []), ...(archived?.items ?? [])].map(({ id, name }) => [id, name] as const),
      ]),
    [current, archived, others],
  )
  return { names, none: current?.total === 0 && archived?.total === 0 }
}
