// The months that the manual sheet offers: the strategy's own first, and only what the server takes.
import { expect, test } from 'vitest'
import { contractsOf, ownContract } from '#features/strategy/manual/actions.ts'

type Of = Parameters<typeof contractsOf>[0]
const futures = (settings: object, on_symbol_mismatch = 'reject') =>
  ({
    settings: { product_code: 'TXF', contract_month: null, ...settings },
    on_symbol_mismatch,
  }) as unknown as Of
const NONE = new Set<string>()
const day = '2026-11-20'

// domain §7.6: contract chosen in the sheet
test('near and next: the other one, too, and both months by their names', () => {
  const near = futures({ contract_rule: 'near' })
  expect(ownContract(near)).toBe('C1')
  expect(contractsOf(near, [], day, NONE)).toEqual(['C1', 'C2', '202612', '202701'])
  expect(contractsOf(futures({ contract_rule: 'next' }), [], day, NONE)[0]).toBe('C2')
})

// domain §7.6: contract chosen in the sheet
test('a fixed month: others only where the strategy takes them, those that are held before those that are listed', () => {
  const month = { contract_rule: 'month', contract_month: '202612' }
  const open = [{ symbol: 'TXF', contract: '202703' }]
  expect(contractsOf(futures(month), open, day, NONE)).toEqual(['202612'])
  expect(contractsOf(futures(month, 'accept'), open, day, NONE).slice(0, 3)).toEqual([
    '202612',
    '202703',
    '202701',
  ])
  expect(
    contractsOf({ settings: { symbols: [] }, on_symbol_mismatch: 'accept' } as unknown as Of, [], day, NONE),
  ).toEqual([])
})
