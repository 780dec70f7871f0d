// The months that the form offers: none that has ended, also on its last afternoon and where the list is of the day before.
import { expect, test } from 'vitest'
import type { Product } from '#contract/market.ts'
import { withoutEnded } from '#features/strategy/form/products.ts'
import { contractMonths } from '#trading/products.ts'

const NONE: ReadonlySet<string> = new Set()

function offered(code: string, listed_on: string, now: string, closed = NONE): string[] {
  const product = { code, contract_months: contractMonths(code, listed_on, closed) } as Product
  return withoutEnded([product], now, closed)[0]?.contract_months.slice(0, 2) ?? []
}

test('a month is offered until half past one of its last trading day', () => {
  expect(offered('TXF', '2026-12-16', '2026-12-16T05:30:00.000Z')).toEqual(['202612', '202701'])
  expect(offered('TXF', '2026-12-16', '2026-12-16T05:31:00.000Z')).toEqual(['202701', '202702'])
})

test('a weekly too, which stands first; and a list of the day before offers none that ended since', () => {
  expect(offered('MXF', '2026-11-25', '2026-11-25T06:00:00.000Z')).toEqual(['202612W1', '202612'])
  expect(offered('MXF', '2026-11-25', '2026-11-26T01:00:00.000Z')).toEqual(['202612W1', '202612'])
})

test('where its day is closed, it goes on until the next one that is not', () => {
  const closed = new Set(['2026-12-16'])
  expect(offered('TXF', '2026-12-16', '2026-12-16T06:00:00.000Z', closed)[0]).toBe('202612')
})
