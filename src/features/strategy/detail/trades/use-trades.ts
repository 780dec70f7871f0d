// All trades of a strategy: at once where the device folds them, else the server's newest 200 and older ones when asked for.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { statisticsMutations } from '#data/nouns/statistics.ts'
import { useCtx } from '#screen/data.tsx'
import type { Trade } from '#trading/record.ts'
import { type FoundFigures, useFigures } from '../use-figures.ts'

interface Page {
  chain_seq: number
  trades: readonly Trade[]
  before: string | null
}

export interface Trades {
  figures: FoundFigures
  /** Newest first. */
  trades: readonly Trade[]
  /** How to get older ones; null when these are all. */
  older: { load: () => void; busy: boolean; failed: boolean } | null
}

export function useTrades(strategy: Strategy): Trades {
  const ctx = useCtx()
  const figures = useFigures(strategy, null)
  const [page, setPage] = useState<Page | null>(null)
  const newest = figures.data
  // A new record may have changed any trade: what was loaded further down is loaded again.
  const further = page && page.chain_seq === newest?.chain_seq ? page : null
  const before = further ? further.before : (newest?.trades_before ?? null)
  const more = useMutation({
    ...statisticsMutations.older(ctx, strategy.id),
    onSuccess: ({ chain_seq, trades, trades_before }) =>
      setPage({ chain_seq, trades: [...(further?.trades ?? []), ...trades], before: trades_before }),
  })
  return {
    figures,
    trades: [...(newest?.trades ?? []), ...(further?.trades ?? [])],
    older:
      before === null
        ? null
        : { load: () => more.mutate(before), busy: more.isPending, failed: more.isError },
  }
}
