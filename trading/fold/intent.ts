// Where a signal wants the position to go, after the strategy's limits (domain §5.3, rule 2).
import type { Facts } from '../record.ts'
import type { FoldTerms } from '../terms.ts'

export interface Intent {
  to: number
  /** Why nothing happens, when to equals the position before. */
  none_reason: string | null
  over_max: boolean
}

/** The position a signal leads to from position p. A signal with unknown target or nothing to close stays at p. */
export function intend(p: number, facts: Facts, terms: FoldTerms): Intent {
  const wanted = want(p, facts, terms)
  if (typeof wanted === 'string') return { to: p, none_reason: wanted, over_max: false }
  let to = wanted
  let reason = '部位已是目標'
  // An order to the forbidden side only closes.
  if (terms.direction === 'long' && to < 0) [to, reason] = [0, '策略只做多']
  if (terms.direction === 'short' && to > 0) [to, reason] = [0, '策略只做空']
  if (!terms.allow_reversal && p !== 0 && Math.sign(to) === -Math.sign(p)) to = 0
  const over_max = Math.abs(to) > terms.max_position
  if (over_max) [to, reason] = [Math.sign(to) * terms.max_position, '已達最大部位']
  return { to, none_reason: to === p ? reason : null, over_max }
}

/** The wished position without limits, or the reason why the signal does nothing. */
function want(p: number, facts: Facts, terms: FoldTerms): number | string {
  const q = facts.quantity ?? terms.default_quantity
  switch (facts.action) {
    case 'buy':
      return p > 0 ? add(p, q, terms) : p + q
    case 'sell':
      return p < 0 ? add(p, -q, terms) : p - q
    case 'long_entry':
      return p > 0 ? add(p, q, terms) : q
    case 'short_entry':
      return p < 0 ? add(p, -q, terms) : -q
    case 'long_exit':
      return p <= 0 ? '無多單可平' : p - Math.min(facts.quantity ?? p, p)
    case 'short_exit':
      return p >= 0 ? '無空單可平' : p + Math.min(facts.quantity ?? -p, -p)
    case 'close_all':
      return p === 0 ? '無部位可平' : 0
    // The side is the held one's (domain §5.3): an exit closes at most what is held, whatever it asks for.
    case 'exit':
      return p === 0 ? '無部位可平' : p - Math.sign(p) * Math.min(facts.quantity ?? Math.abs(p), Math.abs(p))
    case 'add':
      return p === 0 ? '無部位可加碼' : add(p, Math.sign(p) * q, terms)
    case 'reverse':
      return reversed(p, facts)
    case 'target':
      return facts.target_position ?? '缺少目標部位'
  }
}

/** To the other side; a message that says which side it must end on turns nothing that is there already. */
function reversed(p: number, facts: Facts): number | string {
  if (p === 0) return '無部位可反手'
  if (facts.reason === 'to_long' && p > 0) return '已是多單'
  if (facts.reason === 'to_short' && p < 0) return '已是空單'
  return -Math.sign(p) * (facts.quantity ?? Math.abs(p))
}

function add(p: number, q: number, terms: FoldTerms): number | string {
  return terms.allow_pyramiding ? p + q : '已有部位，未允許加碼'
}
