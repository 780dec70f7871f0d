/* What a voided signal had been: folded away it moves nothing, but its row keeps its action, struck through. */
import type { SignalRecord } from '#contract/signal.ts'
import { sideOf } from '#trading/fold/state.ts'
import { askedEffect, wished } from '#trading/foresee.ts'
import type { ToldRecord } from './signal.ts'

type Voided = Pick<
  SignalRecord,
  'action' | 'asset' | 'quantity' | 'reason' | 'target_position' | 'source'
> & { derived: Pick<SignalRecord['derived'], 'effect' | 'position_before' | 'side' | 'status'> }

/** A record as its words want it; `position_after` where it moved the position, or would have. */
export type Moved = ToldRecord & { position_after: number }

/** As it was folded; of a voided signal what it asked of the position that it met. */
export function movedBy(record: Voided & { derived: { position_after: number } }): Moved {
  const { asset, source, derived } = record
  const { status, effect, position_before: before } = derived
  if (status !== 'voided' || effect !== 'none' || source === 'correction') return { asset, ...derived }
  const after = wished(record, before)
  return {
    asset,
    effect: askedEffect(record, derived),
    side: sideOf(after),
    position_before: before,
    position_after: after,
  }
}
