// The bell of a strategy: what one person wants to hear of it.
import type { Strategy } from '#contract/strategy.ts'
import type { StrategyNotifyRow } from '../db/schema.ts'

export type Bell = Strategy['my_notify']

/** What holds for somebody who never said anything. */
export function bellUntouched(strategy_id: string): Bell {
  return { strategy_id, enabled: true, channels: null, actions: 'all', important: false }
}

/** A stored bell. */
export function bellOf(row: StrategyNotifyRow): Bell {
  return {
    strategy_id: row.strategy_id,
    enabled: row.enabled === 1,
    channels: row.channels === null ? null : (JSON.parse(row.channels) as Bell['channels']),
    actions: row.actions as Bell['actions'],
    important: row.important === 1,
  }
}
