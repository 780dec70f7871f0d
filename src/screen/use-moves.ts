// What each waiting signal will do to its strategy's position, as the rows of stored ones say what it did.
import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { OutboxRow } from '#contract/outbox.ts'
import type { Strategy } from '#contract/strategy.ts'
import { foldTerms, foreseenAll } from '#data/nouns/foreseen.ts'
import { marketQueries } from '#data/nouns/market.ts'
import { listedStrategies, strategyQueries } from '#data/nouns/strategy.ts'
import type { DerivedWithFlags } from '#trading/record.ts'
import { useCtx, useData } from './data.tsx'
import { useTables } from './tables.ts'
import { useAlone, useBrought } from './use-brought.ts'

const NO_DAYS: readonly string[] = []

/** By key of the entry; without what is not known here. `rows` oldest first. */
export function useMoves(rows: readonly OutboxRow[]): ReadonlyMap<string, DerivedWithFlags> {
  const ctx = useCtx()
  const { signals } = useData()
  const ids = [...new Set(rows.map(({ params }) => params['strategy_id'] ?? ''))]
  const asked = useQueries({ queries: ids.map((id) => strategyQueries.one(ctx, id)) })
  // a strategy whose page was never opened stands in the list, or in what was looked through to find it
  const { data: list } = useQuery(strategyQueries.list(ctx, { page_size: 100 }))
  const { data: calendar } = useQuery(marketQueries.calendar())
  const found = ids.map((id, at) => asked[at]?.data ?? list?.items.find((one) => one.id === id))
  const listed = found.includes(undefined) ? listedStrategies(ctx) : []
  const known = found.flatMap(
    (one, at): Strategy | [] => one ?? listed.find(({ id }) => id === ids[at]) ?? [],
  )
  const brought = useBrought(known, useAlone(asked[0]?.error))
  const closed_days = calendar?.closed_days ?? NO_DAYS
  const table = useTables()
  return useMemo(() => {
    const moves = new Map<string, DerivedWithFlags>()
    for (const one of known) {
      const strategy = brought?.get(one.id) ?? one
      const own = rows.filter(({ params }) => params['strategy_id'] === one.id)
      const now = own.at(-1)?.created_at ?? strategy.updated_at
      const terms = foldTerms(strategy, closed_days, table)
      const records = signals.ofStrategy(strategy.id)
      for (const move of foreseenAll(strategy, own, { terms, now, records }).each) moves.set(...move)
    }
    return moves
  }, [known, brought, rows, closed_days, table, signals])
}
