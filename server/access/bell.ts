// The bell of a strategy: what one person wants to hear of it.
import type { Strategy } from '#contract/strategy.ts'
import type { StrategyNotifyRow } from '../db/schema.ts'

export type BellState = Strategy['my_notify']

/** Somebody who may hear of a strategy; `edits` = may change it. */
interface Listener {
  readonly uid: string
  readonly edits: boolean
}

/**
 * What holds for somebody who never said anything: on for who made the strategy and for whoever may only read it, off for the
 * other admins of the organization (ruling A15). Screens show it, and whoever plans and sends goes by it.
 */
export function bellUntouched(
  { uid, edits }: Listener,
  { id, created_by }: { readonly id: string; readonly created_by: string },
): BellState {
  const enabled = !edits || uid === created_by
  return { strategy_id: id, enabled, channels: null, actions: 'all', important: false }
}

/** In place of a member's own bell where somebody else looks at what the member sees. */
export const bellUntold = (strategy_id: string): BellState => ({
  ...{ strategy_id, enabled: false, channels: [], actions: 'all', important: false },
})

/** A stored bell. */
export function bellOf(row: StrategyNotifyRow): BellState {
  return {
    strategy_id: row.strategy_id,
    enabled: row.enabled === 1,
    channels: row.channels === null ? null : (JSON.parse(row.channels) as BellState['channels']),
    actions: row.actions as BellState['actions'],
    important: row.important === 1,
  }
}
