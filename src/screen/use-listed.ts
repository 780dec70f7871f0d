// Strategies that stand in some list of this page: of more than a hundred, a list in another order holds others than the first one.
import { useCallback, useRef, useSyncExternalStore } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import type { Ctx } from '#data/context.ts'
import { listedStrategies, onStrategyLists } from '#data/nouns/strategy.ts'
import { useCtx } from './data.tsx'

const NONE: readonly Strategy[] = []

/** Empty unless it is `wanted`: nobody looks through lists who has found what was looked for. */
export function useListed(wanted: boolean): readonly Strategy[] {
  const ctx = useCtx()
  const kept = useRef<{ ctx: Ctx; listed: readonly Strategy[] } | null>(null)
  const subscribe = useCallback(
    (hear: () => void) =>
      onStrategyLists(ctx, () => {
        kept.current = null
        hear()
      }),
    [ctx],
  )
  return useSyncExternalStore(subscribe, () => {
    if (!wanted) return NONE
    if (kept.current?.ctx !== ctx) kept.current = { ctx, listed: listedStrategies(ctx) }
    return kept.current.listed
  })
}
