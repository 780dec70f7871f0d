// What one of a message's numbers counts, before any unit is written.
import { BOARD_LOT } from '../terms.ts'
import type { Mapping, PayloadStrategy } from './shape.ts'

/** Shares in one unit of what the strategy's settings count; 1 for futures. */
export function sizeOf(strategy: Pick<PayloadStrategy, 'kind' | 'unit'>): number {
  return strategy.kind !== 'futures' && strategy.unit === 'board_lot' ? BOARD_LOT : 1
}

/** A reported position's number: lots, and shares on stock (TradingView counts shares), unless the mapping says what bare numbers are. */
export function positionFactor(strategy: PayloadStrategy, mapping: Mapping | null): number {
  if (strategy.kind === 'futures') return 1
  return mapping?.units[''] === 'board_lot' ? BOARD_LOT : 1
}
