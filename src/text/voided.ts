/* What a voided signal had been: folded away it moves nothing, but its row keeps its action, struck through. */
import type { SignalRecord } from '#contract/signal.ts'
import type { Effect, Side } from '#trading/record.ts'
import type { Told } from './signal.ts'

type Voided = Pick<
  SignalRecord,
  'action' | 'asset' | 'quantity' | 'reason' | 'target_position' | 'source'
> & { derived: Pick<SignalRecord['derived'], 'effect' | 'position_before' | 'side' | 'status'> }

/** A record as its words want it; `position_after` where it moved the position, or would have. */
export type Moved = Told & { position_after: number }

const sideOf = (position: number): Side => (position > 0 ? 'long' : position < 0 ? 'short' : 'flat')

/** As it was folded; of a voided signal what it asked of the position that it met. */
export function movedBy(record: Voided & { derived: { position_after: number } }): Moved {
  const { asset, source, derived } = record
  const { status, effect, position_before: before } = derived
  if (status !== 'voided' || effect !== 'none' || source === 'correction') return { asset, ...derived }
  const after = wished(record, before)
  return {
    asset,
    effect: effectOf(before, after),
    side: sideOf(after),
    position_before: before,
    position_after: after,
  }
}

/** Where it wanted the position to go, by the rules of domain §5.3 without the strategy's limits. */
function wished({ action, quantity, reason, target_position }: Voided, p: number): number {
  const [q, way] = [quantity ?? 0, Math.sign(p)]
  const out = p - way * Math.min(quantity ?? Math.abs(p), Math.abs(p))
  switch (action) {
    case 'buy':
      return p + q
    case 'sell':
      return p - q
    case 'long_entry':
      return Math.max(p, 0) + q
    case 'short_entry':
      return Math.min(p, 0) - q
    case 'long_exit':
      return p > 0 ? out : p
    case 'short_exit':
      return p < 0 ? out : p
    case 'exit':
      return out
    case 'close_all':
      return 0
    case 'add':
      return p + way * q
    case 'reverse':
      return reason === (p > 0 ? 'to_long' : 'to_short') ? p : -way * (quantity ?? Math.abs(p))
    case 'target':
      return target_position ?? p
  }
}

function effectOf(before: number, after: number): Effect {
  if (before === after) return 'none'
  if (before === 0) return 'open'
  if (after === 0) return 'close'
  if (Math.sign(before) !== Math.sign(after)) return 'reverse'
  return Math.abs(after) > Math.abs(before) ? 'add' : 'reduce'
}
