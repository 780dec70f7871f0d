/* The strategies as cards. */
import type { Strategy } from '#contract/strategy.ts'
import { OneCard } from './OneCard.tsx'
import type { StrategyBell } from './use-bell.ts'

/** `masked` privacy mode: money is hidden, percentages stay. `group` whose heading stands above; `today` when each shows its own last day. */
export type StrategiesProps = {
  items: readonly Strategy[]
  bell: StrategyBell
  masked: boolean
  group?: string
  today?: string
}

export function StrategyCards({ items, bell, masked, group, today }: StrategiesProps) {
  return (
    <div className="grid3">
      {group === undefined && <h2 className="vh">策略</h2>}
      {items.map((strategy) => (
        <OneCard key={strategy.id} strategy={strategy} bell={bell} masked={masked} today={today} />
      ))}
    </div>
  )
}
