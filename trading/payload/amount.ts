// How much a message asks for, in lots or shares, by the strategy's quantity mode.
import type { Action } from '../record.ts'
import { BOARD_LOT } from '../terms.ts'
import { type Fields, pick } from './fields.ts'
import type { PayloadStrategy } from './shape.ts'
import { integerOf } from './values.ts'

export type Amount = { ok: true; quantity: number | null } | { ok: false; field: string; text: string }

const ALL = new Set(['all', '全部', '全', '100%'])
const MOST = 999_999_999

/** Shares in one unit of what senders and settings count. */
export function sizeOf(strategy: PayloadStrategy): number {
  return strategy.kind !== 'futures' && strategy.unit === 'board_lot' ? BOARD_LOT : 1
}

/** Quantity of an action: entries fall back to the default, exits to null (all); a target's is only shown. */
export function amountOf(action: Action, fields: Fields, strategy: PayloadStrategy): Amount {
  const size = sizeOf(strategy)
  const found = pick(fields, 'quantity')
  const exit = action === 'long_exit' || action === 'short_exit' || action === 'close_all'
  const n = found ? integerOf(found.value) : null
  const valid = n !== null && n >= 1 && n * size <= MOST
  if (action === 'target') return { ok: true, quantity: valid ? n * size : null }
  if (strategy.quantity_mode === 'fixed')
    return { ok: true, quantity: exit ? null : strategy.default_quantity * size }
  if (!found) return { ok: true, quantity: exit ? null : strategy.default_quantity * size }
  if (exit && typeof found.value === 'string' && ALL.has(found.value.toLowerCase()))
    return { ok: true, quantity: null }
  if (!valid) return { ok: false, field: found.key, text: String(found.value).slice(0, 40) }
  // close_all always closes everything, whatever size the order names.
  return { ok: true, quantity: action === 'close_all' ? null : n * size }
}

/** A reported position in lots or shares; with fixed quantities only its sign counts. */
export function positionIn(value: number, strategy: PayloadStrategy): number {
  const size = sizeOf(strategy)
  return strategy.quantity_mode === 'fixed'
    ? Math.sign(value) * strategy.default_quantity * size
    : value * size
}
