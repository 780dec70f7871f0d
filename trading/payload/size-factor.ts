// What one of a message's numbers counts, before any unit is written.
import { assetOf, BOARD_LOT, UNIT_FACTS } from '../kinds.ts'
import type { Mapping, PayloadStrategy } from './shape.ts'

/** Shares in one unit of what the strategy's settings count; 1 for futures. */
export function sizeOf(strategy: Pick<PayloadStrategy, 'unit'>): number {
  return UNIT_FACTS[strategy.unit].size
}

/** A reported position's number: lots, and shares on stock (TradingView counts shares), unless the mapping says what bare numbers are. */
export function positionFactor(strategy: PayloadStrategy, mapping: Mapping | null): number {
  if (assetOf(strategy) === 'futures') return 1
  return mapping?.units[''] === 'board_lot' ? BOARD_LOT : 1
}
