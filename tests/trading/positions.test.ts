// What an open position is worth: marked to the last signal price, and nothing until one is newer than the entry.
import { expect, test } from 'vitest'
import { fold } from '#trading/fold.ts'
import { futuresTerms, record } from './records.ts'

const MXF = futuresTerms('MXF')

test('positions are marked to the last signal price of their key', () => {
  const facts = [record(1, 'buy', 2, 46500), record(2, 'buy', 1, 46501), record(3, 'short_exit', 1, 46600)]
  expect(fold(facts, MXF).positions).toEqual([
    {
      symbol: 'MXF',
      symbol_name: '小台',
      contract: 'C1',
      quantity: 3,
      avg_price: 46500.3333,
      ref_price: 46600,
      ref_at: facts[2]!.occurred_at,
      unrealised_pnl: 14950,
    },
  ])
})
test('unrealised P&L is unknown until a price comes that is newer than the entry (complaint 12)', () => {
  const marked = (...facts: Parameters<typeof record>[]) =>
    fold(
      facts.map((one) => record(...one)),
      MXF,
    ).positions.map(({ unrealised_pnl }) => unrealised_pnl)
  expect(marked([1, 'buy', 2, 46500])).toEqual([null])
  // a second lot's price is news of the first
  expect(marked([1, 'buy', 2, 46500], [2, 'buy', 1, 46520])).toEqual([2_000])
  expect(marked([1, 'buy', 2, 46500], [2, 'long_exit', 1, 46480])).toEqual([-1_000])
  // turned round: what is held now began with the last price
  expect(marked([1, 'buy', 1, 46500], [2, 'sell', 3, 46600])).toEqual([null])
  expect(marked([1, 'buy', 1, 46500], [2, 'sell', 3, 46600], [3, 'buy', 1, 46550])).toEqual([2_500])
  // two orders of one instant: neither is news of the other
  const at = { occurred_at: record(1, 'buy', 1, 1).occurred_at }
  expect(marked([1, 'buy', 1, 46500, at], [2, 'buy', 1, 46510, at])).toEqual([null])
})
