// What the tests of reading messages share: two strategies, and a reader that says whether it was a signal or a refusal.

import { readPayload } from '#trading/reader/generic.ts'
import type { PayloadInput, PayloadStrategy } from '#trading/reader/shape.ts'

export const RECEIVED = '2026-11-20T01:15:02.000Z'
/** The instant most messages here speak of. */
export const T = '2026-11-20T01:15:00.000Z'
export const MXF: PayloadStrategy = {
  kind: 'futures',
  product_code: 'MXF',
  contract_rule: 'near',
  contract_month: null,
  symbols: [],
  unit: 'lot',
  direction: 'both',
  quantity_mode: 'signal',
  default_quantity: 1,
  on_symbol_mismatch: 'reject',
  late_after_s: 120,
  max_position: 10,
}
export const STOCK: PayloadStrategy = {
  ...MXF,
  kind: 'stock',
  product_code: null,
  contract_rule: null,
  symbols: [],
  unit: 'board_lot',
  direction: 'long',
}

export function read(
  body: string | object,
  change: Partial<PayloadInput> = {},
  strategy: Partial<PayloadStrategy> = {},
) {
  return readPayload({
    body: typeof body === 'string' ? body : JSON.stringify(body),
    format: 'auto',
    mapping: null,
    unparsed_rule: null,
    received_at: RECEIVED,
    ...change,
    strategy: { ...MXF, ...change.strategy, ...strategy },
  })
}

export function signal(...args: Parameters<typeof read>) {
  const out = read(...args)
  if (out.kind !== 'signal') throw new Error(`not a signal: ${JSON.stringify(out)}`)
  return out
}

export function refusal(...args: Parameters<typeof read>) {
  const out = read(...args)
  if (out.kind !== 'rejected') throw new Error(`not rejected: ${JSON.stringify(out)}`)
  return out
}
