// What a person enters becomes facts, under every action and with whatever is typed (domain §7.6).

import { expect, test } from 'vitest'
import { fc } from '#tests/support/property.ts'
import { EMPTY_STATE, fold } from '#trading/fold.ts'
import { type ManualEntry, mayTakeAll, readManual, takesAll } from '#trading/manual.ts'
import type { PayloadStrategy } from '#trading/reader/shape.ts'
import type { Facts } from '#trading/record.ts'
import { MANUAL_ACTIONS } from '#trading/record.ts'
import { termsOf } from '#trading/terms.ts'

const NOW = '2026-11-20T01:15:00.000Z'
const strategy: PayloadStrategy = {
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
  late_after_s: 300,
  max_position: 20,
}
const terms = termsOf({
  kind: 'futures',
  direction: 'both',
  allow_pyramiding: true,
  allow_reversal: true,
  default_quantity: 1,
  max_position: 20,
  slippage_ticks: 0,
  settings: { product_code: 'MXF', fee_per_side: 25 },
})

const factsOf = (order: Omit<Facts, keyof typeof REST>, at: number): Facts => ({
  ...order,
  ...REST,
  id: `id-${at}`,
  chain_seq: at,
})
const REST = {
  id: '',
  strategy_id: 's',
  chain_seq: 0,
  source: 'manual',
  refers_to: null,
  external_id: null,
  asset: 'futures',
  symbol_raw: null,
  reported_prev: null,
  received_at: NOW,
  timeframe: null,
  note: null,
  reason: null,
  body_sha256: null,
  created_by: null,
} as const

// domain §7.6: live preview of the position and the result (case F4)
test('any row of actions: a reversal ends on the other side with as much, an exit of all ends at nothing', () => {
  const step = fc.record({
    action: fc.constantFrom(...MANUAL_ACTIONS),
    quantity: fc.integer({ min: 1, max: 5 }),
    price: fc.integer({ min: 20_000, max: 24_000 }),
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const all: Facts[] = []
      let state = EMPTY_STATE
      steps.forEach(({ action, quantity, price }, i) => {
        const before = state.open[0]?.lots.reduce((sum, lot) => sum + lot.quantity, 0) ?? 0
        const p = state.open[0]?.side === 'short' ? -before : before
        const entry: ManualEntry = {
          action,
          symbol: 'MXF',
          price,
          quantity: mayTakeAll(action) ? null : quantity,
          occurred_at: new Date(Date.parse(NOW) + i * 1_000 - 60_000).toISOString(),
        }
        const read = readManual(entry, strategy, { terms, open: state.open, now: NOW })
        if (action === 'reverse' && p === 0) {
          expect(read).toEqual({ faults: { action: '目前沒有部位，不能反手：請改用進場' } })
          return
        }
        if ('faults' in read) throw new Error(JSON.stringify(read.faults))
        const { flags: _flags, ...order } = read.order
        const facts = factsOf(order, i + 1)
        all.push(facts)
        const folded = fold(all, terms)
        const now = folded.derived.get(facts.id)
        if (action === 'reverse') expect(now?.position_after).toBe(-p || 0)
        if (action === 'close_all') expect(now?.position_after).toBe(0)
        if (takesAll(action)) expect(order.quantity).toBeNull()
        state = folded.state
      })
    }),
    { numRuns: 300 },
  )
})

test('nothing that can be entered makes it throw', () => {
  const entry = fc.record({
    action: fc.constantFrom(...MANUAL_ACTIONS),
    symbol: fc.oneof(fc.string(), fc.constantFrom('MXF', 'TXF', '2330', ' mxf ')),
    contract: fc.option(fc.constantFrom('C1', 'C2', '202612', '202611W4', '202001'), { nil: null }),
    price: fc.oneof(fc.double(), fc.integer()),
    quantity: fc.option(fc.oneof(fc.integer(), fc.double()), { nil: null }),
    unit: fc.option(fc.constantFrom('lot' as const, 'board_lot' as const, 'share' as const), {
      nil: undefined,
    }),
    occurred_at: fc
      .date({ min: new Date('1990-01-01'), max: new Date('2050-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString()),
  })
  const kinds = fc.constantFrom(strategy, {
    ...strategy,
    kind: 'stock' as const,
    unit: 'share' as const,
    product_code: null,
  })
  fc.assert(
    fc.property(entry, kinds, (one, under) => {
      const read = readManual(one, under, { terms, open: [], now: NOW })
      if ('faults' in read) expect(Object.keys(read.faults).length).toBeGreaterThan(0)
      else {
        expect(read.order.occurred_at <= NOW).toBe(true)
        expect(Number.isInteger(read.order.quantity ?? 1)).toBe(true)
      }
    }),
    { numRuns: 1_000 },
  )
})
