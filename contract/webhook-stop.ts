// What stopped a message, reason by reason: server and screens ask here whether it may be read again, learned from, mapped.
import type { ReasonCode } from './webhook-shape.ts'

/**
 * `closed`: nothing is taken there, and nobody asked who sent it · `sender`: who sent it is not known · `opening`: no text came
 * out of it · `twice`: one of its fields stands there two times · `ruled`: it was read, and a rule of the strategy left it out · `reading`:
 * its sender is known, and it was looked at. Only what is `reading`, or `closed` where no secret is asked for, may be read again.
 */
export type Stop = 'closed' | 'sender' | 'opening' | 'twice' | 'ruled' | 'reading'

const STOPS: Record<ReasonCode, Stop> = {
  empty: 'reading',
  too_large: 'opening',
  bad_encoding: 'opening',
  unreadable: 'reading',
  unresolved_placeholder: 'reading',
  missing_field: 'reading',
  unknown_action: 'reading',
  unknown_symbol: 'reading',
  symbol_mismatch: 'reading',
  bad_quantity: 'reading',
  bad_price: 'reading',
  bad_time: 'reading',
  bad_secret: 'sender',
  ip_not_allowed: 'sender',
  rule_ignored: 'ruled',
  heartbeat: 'reading',
  disabled: 'closed',
  archived: 'closed',
  unknown_field: 'reading',
  contradiction: 'reading',
  several_orders: 'reading',
  duplicate_key: 'twice',
  bad_unit: 'reading',
  not_a_trade: 'reading',
  contract_ended: 'reading',
  test: 'reading',
  unconfirmed_format: 'reading',
}

/** The reasons that stopped a message at one of these. */
export function reasonsAt(...stops: Stop[]): ReadonlySet<string | null> {
  return new Set(Object.entries(STOPS).flatMap(([reason, stop]) => (stops.includes(stop) ? [reason] : [])))
}
