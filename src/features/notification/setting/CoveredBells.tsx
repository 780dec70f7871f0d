/* The strategies of this identity whose bell another device's later edit covered, one under the other. */
import type { Strategy } from '#contract/strategy.ts'
import { coveredBells } from '#data/nouns/strategy.ts'
import { CoveredBell } from '#screen/CoveredBell.tsx'
import { useCtx } from '#screen/data.tsx'
import { useOutbox } from '#screen/outbox.ts'
import { useListedStrategy } from './use-strategies.ts'

export function CoveredBells({ strategies }: { strategies: readonly Strategy[] }) {
  return coveredBells(useOutbox(), useCtx()).map((id) => <One key={id} id={id} strategies={strategies} />)
}

function One({ id, strategies }: { id: string; strategies: readonly Strategy[] }) {
  const { strategy } = useListedStrategy(id, strategies)
  return strategy && <CoveredBell strategy={strategy} />
}
