// What a signal asked of the position that it met: the record of a voided one moves nothing, but its words and filters still say it.
import { effectOf } from './fold/state.ts'
import type { Effect, Facts } from './record.ts'

type Asking = Pick<Facts, 'action' | 'quantity' | 'reason' | 'target_position'>

/** Where it wanted position `p` to go, by the rules of domain §5.3 without the strategy's limits. */
export function wished({ action, quantity, reason, target_position }: Asking, p: number): number {
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

/** Of a voided signal the effect that it would have had; voided corrections and voids themselves have none. */
export function askedEffect(
  record: Asking & Pick<Facts, 'source'>,
  { effect, status, position_before }: { effect: Effect; status: string; position_before: number },
): Effect {
  if (status !== 'voided' || effect !== 'none' || record.source === 'correction') return effect
  return effectOf(position_before, wished(record, position_before))
}
