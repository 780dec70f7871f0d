// Records and terms for the tests of folding, statistics and the chain.
import type { Action, Facts } from '#trading/record.ts'
import { type FoldTerms, type StockTerms, termsOf } from '#trading/terms.ts'

/** An id that sorts by its number, in the form of a UUIDv7. */
export function idOf(n: number): string {
  return `0197a000-0000-7000-8000-${String(n).padStart(12, '0')}`
}

/** A record n minutes after 2026-11-20 09:00 Taipei. */
export function record(
  n: number,
  action: Action,
  quantity: number | null,
  price: number | null,
  rest: Partial<Facts> = {},
): Facts {
  const at = new Date(Date.UTC(2026, 10, 20, 1, n)).toISOString()
  return {
    id: idOf(n),
    strategy_id: idOf(0),
    chain_seq: n,
    source: 'webhook',
    refers_to: null,
    external_id: null,
    asset: 'futures',
    symbol_raw: null,
    symbol: 'MXF',
    contract: 'C1',
    action,
    quantity,
    unit: 'lot',
    target_position: null,
    reported_prev: null,
    price,
    occurred_at: at,
    received_at: rest.occurred_at ?? at,
    timeframe: null,
    note: null,
    reason: null,
    body_sha256: null,
    created_by: null,
    ...rest,
  }
}

export function futuresTerms(
  product_code: string,
  settings: { fee_per_side?: number; contract_rule?: 'near' | 'next' | 'month' } = {},
  rest: Partial<FoldTerms> = {},
): FoldTerms {
  const terms = termsOf({
    kind: 'futures',
    direction: 'both',
    allow_pyramiding: true,
    allow_reversal: true,
    default_quantity: 1,
    max_position: 10,
    slippage_ticks: 0,
    settings: { product_code, ...settings },
  })
  return { ...terms, ...rest }
}

export function stockTerms(settings: Partial<StockTerms> = {}, rest: Partial<FoldTerms> = {}): FoldTerms {
  const terms = termsOf({
    kind: 'stock',
    direction: 'long',
    allow_pyramiding: true,
    allow_reversal: true,
    default_quantity: 1,
    max_position: 10,
    slippage_ticks: 0,
    settings: { unit: 'board_lot', ...settings },
  })
  return { ...terms, ...rest }
}
