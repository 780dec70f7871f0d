// Folding rules of domain §5.3, complaint 4 and 5, rulings A26 and A28, voids and corrections.
import { expect, test } from 'vitest'
import { fold } from '#trading/fold.ts'
import type { Action, Facts } from '#trading/record.ts'
import type { FoldTerms } from '#trading/terms.ts'
import { futuresTerms, idOf, record, stockTerms } from './records.ts'

const MXF = futuresTerms('MXF', { fee_per_side: 25 })

/** Effects, positions and reasons in the order the records are given. */
function effects(facts: readonly Facts[], terms: FoldTerms = MXF) {
  const { derived } = fold(facts, terms)
  return facts.map((f) => derived.get(f.id)!)
}
function path(facts: readonly Facts[], terms: FoldTerms = MXF) {
  return effects(facts, terms).map((d) => `${d.effect} ${d.position_after}`)
}
const at = (time: string) => new Date(Date.parse(`2026-11-20T${time}+08:00`)).toISOString()

test('golden: open, add, reduce, close, ignored; a late sell moves everything after it', () => {
  const r = (n: number, action: Action, q: number | null, price: number, time: string) =>
    record(n, action, q, price, { occurred_at: at(time) })
  const facts = [
    r(1, 'long_entry', 1, 46500, '09:00:00'),
    r(2, 'buy', 1, 46550, '09:30:00'),
    r(3, 'sell', 1, 46600, '10:00:00'),
    r(4, 'long_exit', null, 46400, '11:00:00'),
    r(5, 'long_exit', null, 46390, '11:00:05'),
  ]
  expect(path(facts)).toEqual(['open 1', 'add 2', 'reduce 1', 'close 0', 'none 0'])
  expect(effects(facts)[1]?.avg_price_after).toBe(46525)
  expect(effects(facts)[4]?.none_reason).toBe('無多單可平')
  expect(fold(facts, MXF).trades.map((t) => [t.entry_price, t.exit_price])).toEqual([
    [46500, 46600],
    [46550, 46400],
  ])

  const late = r(6, 'sell', 1, 46580, '09:45:00')
  const all = [...facts, late]
  expect(path(all)).toEqual(['open 1', 'add 2', 'close 0', 'none 0', 'none 0', 'reduce 1'])
  expect(effects(all)[5]?.flags).toContain('out_of_order')
  const folded = fold(all, MXF)
  expect(folded.trades.map((t) => [t.entry_price, t.exit_price])).toEqual([
    [46500, 46580],
    [46550, 46600],
  ])
  expect(new Set(folded.trades.map((t) => t.round_trip_id)).size).toBe(1)
  expect(folded.positions).toEqual([])
})

test('complaint 5: a close and an opposite entry of one instant fold close first', () => {
  const same = { occurred_at: at('10:30:00') }
  const facts = [
    record(1, 'long_entry', 1, 46500),
    record(2, 'short_entry', 1, 46480, { ...same, received_at: at('10:30:01') }),
    record(3, 'long_exit', 1, 46480, { ...same, received_at: at('10:30:02') }),
  ]
  expect(path(facts)).toEqual(['open 1', 'open -1', 'close 0'])
})

test('exits come before orders of the same instant, entries after them', () => {
  const same = { occurred_at: at('10:30:00') }
  const facts = [
    record(1, 'long_entry', 1, 46500),
    record(2, 'long_entry', 1, 46480, { ...same, received_at: at('10:30:01') }),
    record(3, 'buy', 2, 46480, { ...same, received_at: at('10:30:02') }),
    record(4, 'long_exit', null, 46480, { ...same, received_at: at('10:30:03') }),
  ]
  expect(path(facts)).toEqual(['open 1', 'add 3', 'open 2', 'close 0'])
})

test('complaint 4: reported_prev chains the records of one second', () => {
  const facts = (prev1: number, prev2: number) => [
    record(1, 'buy', 3, 46500),
    record(2, 'target', null, 46510, {
      target_position: 0,
      reported_prev: prev1,
      occurred_at: at('10:00:00'),
    }),
    record(3, 'target', null, 46510, {
      target_position: 1,
      reported_prev: prev2,
      occurred_at: at('10:00:00'),
    }),
  ]
  expect(path(facts(1, 3))).toEqual(['open 3', 'close 0', 'reduce 1'])
  expect(effects(facts(1, 3)).flatMap((d) => d.flags)).toEqual([])
  // None fits: the order of the sort key holds, and both say so.
  expect(path(facts(7, 8))).toEqual(['open 3', 'close 0', 'open 1'])
  expect(effects(facts(7, 8))[1]?.flags).toEqual(['position_gap'])
})

test('orders cross zero, entries close the other side, exits never open', () => {
  expect(path([record(1, 'buy', 2, 100), record(2, 'sell', 3, 100), record(3, 'long_exit', 1, 100)])).toEqual(
    ['open 2', 'reverse -1', 'none -1'],
  )
  expect(path([record(1, 'sell', 2, 100), record(2, 'long_entry', 1, 100)])).toEqual(['open -2', 'reverse 1'])
  expect(path([record(1, 'buy', 2, 100), record(2, 'long_exit', 9, 100)])).toEqual(['open 2', 'close 0'])
  expect(path([record(1, 'close_all', null, 100)])).toEqual(['none 0'])
  expect(
    path([record(1, 'sell', 2, 100), record(2, 'short_exit', 1, 100), record(3, 'close_all', null, 100)]),
  ).toEqual(['open -2', 'reduce -1', 'close 0'])
  expect(
    path([
      record(1, 'target', null, 100, { target_position: -2 }),
      record(2, 'target', null, 100, { target_position: -2 }),
    ]),
  ).toEqual(['open -2', 'none -2'])
})
test('TradingView position fields (domain §5.2)', () => {
  const steps: [number, string][] = [
    [1, 'open'],
    [3, 'add'],
    [2, 'reduce'],
    [-2, 'reverse'],
    [-3, 'add'],
    [-1, 'reduce'],
    [1, 'reverse'],
    [0, 'close'],
    [-1, 'open'],
    [0, 'close'],
    [0, 'none'],
  ]
  const facts = steps.map(([to], i) => record(i + 1, 'target', null, 46500, { target_position: to }))
  expect(effects(facts).map((d) => d.effect)).toEqual(steps.map(([, effect]) => effect))
})

// domain §7.3: allowPyramiding
test('limits: maximum, direction, pyramiding, reversal', () => {
  const over = effects([record(1, 'buy', 12, 100), record(2, 'buy', 1, 100)])
  expect(over.map((d) => [d.position_after, d.flags.includes('over_max_position')])).toEqual([
    [10, true],
    [10, true],
  ])
  expect(over[1]?.none_reason).toBe('已達最大部位')
  const long = { ...MXF, direction: 'long' as const }
  expect(
    path(
      [record(1, 'short_entry', 1, 100), record(2, 'buy', 1, 100), record(3, 'short_entry', 2, 100)],
      long,
    ),
  ).toEqual(['none 0', 'open 1', 'close 0'])
  const single = { ...MXF, allow_pyramiding: false }
  expect(effects([record(1, 'buy', 1, 100), record(2, 'long_entry', 1, 100)], single)[1]?.none_reason).toBe(
    '已有部位，未允許加碼',
  )
  expect(
    path([record(1, 'buy', 1, 100), record(2, 'sell', 3, 100)], { ...MXF, allow_reversal: false }),
  ).toEqual(['open 1', 'close 0'])
})

test('a missing price: the position moves, its profit waits, a correction gives it', () => {
  const facts = [record(1, 'buy', 1, null), record(2, 'sell', 1, 46600)]
  const waiting = fold(facts, MXF)
  expect(waiting.derived.get(idOf(1))).toMatchObject({
    status: 'pending_price',
    position_after: 1,
    fee: null,
  })
  expect(waiting.derived.get(idOf(2))).toMatchObject({ status: 'ok', realised_pnl: null, fee: 25 })
  expect([waiting.trades.length, waiting.state.excluded_count]).toEqual([0, 1])
  const correct = (n: number, price: number) =>
    record(n, 'buy', 1, price, { source: 'correction', refers_to: idOf(1) })
  const given = fold([...facts, correct(3, 46000), correct(4, 46500)], MXF)
  expect(given.derived.get(idOf(1))).toMatchObject({ status: 'corrected', price_used: 46500 })
  expect(given.derived.get(idOf(4))).toMatchObject({ effect: 'none', status: 'ok' })
  expect(given.trades.map((t) => t.net)).toEqual([5000 - 50 - 47 - 47])
  const undone = record(5, 'buy', null, null, { source: 'void', refers_to: idOf(4) })
  expect(
    fold([...facts, correct(3, 46000), correct(4, 46500), undone], MXF).derived.get(idOf(1))?.price_used,
  ).toBe(46000)
})
test('a void takes its record out, and stays itself', () => {
  const facts = [record(1, 'buy', 1, 46500), record(2, 'buy', 1, 46550), record(3, 'sell', 2, 46600)]
  const voiding = record(4, 'buy', null, null, { source: 'void', refers_to: idOf(2), reason: '誤按' })
  const d = effects([...facts, voiding])
  expect(d.map((x) => x.status)).toEqual(['ok', 'voided', 'ok', 'ok'])
  expect(d.map((x) => `${x.effect} ${x.position_after}`)).toEqual([
    'open 1',
    'none 1',
    'reverse -1',
    'none 0',
  ])
})

test('fold keys: symbol alone for near, symbol and month for a fixed month (A28)', () => {
  const facts = [
    record(1, 'buy', 1, 100, { contract: 'C1' }),
    record(2, 'sell', 1, 100, { contract: '202612' }),
  ]
  expect(path(facts)).toEqual(['open 1', 'close 0'])
  const month = futuresTerms('MXF', { contract_rule: 'month' })
  expect(fold(facts, month).positions.map((p) => [p.contract, p.quantity])).toEqual([
    ['202612', -1],
    ['C1', 1],
  ])
  const stock = { asset: 'stock', contract: null, unit: 'board_lot' } as const
  const two = [
    record(1, 'buy', 1000, 1085, { ...stock, symbol: '2330' }),
    record(2, 'buy', 2000, 28.35, { ...stock, symbol: '2884' }),
  ]
  expect(fold(two, stockTerms()).positions).toMatchObject([
    { symbol: '2330', symbol_name: '台積電', quantity: 1000, avg_price: 1085, unrealised_pnl: null },
    { symbol: '2884', quantity: 2000 },
  ])
})

test('run-up and drawdown come from signal prices inside the trade (C37)', () => {
  const plain = fold([record(1, 'buy', 1, 46500), record(2, 'sell', 1, 46600)], MXF).trades[0]
  expect([plain?.max_run_up, plain?.max_drawdown]).toEqual([null, null])
  const facts = [
    record(1, 'buy', 1, 46500),
    record(2, 'short_exit', 1, 46700),
    record(3, 'short_exit', 1, 46450),
    record(4, 'sell', 1, 46600),
  ]
  expect(fold(facts, MXF).trades[0]).toMatchObject({
    max_run_up: 10000,
    max_drawdown: 2500,
    holding_minutes: 3,
    day_trade: true,
  })
  const ranges = (...prices: readonly number[]) =>
    fold(
      prices.map((price, i) =>
        record(i + 1, i === 0 ? 'buy' : i === prices.length - 1 ? 'sell' : 'short_exit', 1, price),
      ),
      MXF,
    ).trades.map(({ gross, max_run_up, max_drawdown }) => [gross, max_run_up, max_drawdown])[0]
  // the exit is the best price, then the worst: what was made or lost at the end belongs to the range
  expect(ranges(46500, 46450, 46600)).toEqual([5000, 5000, 2500])
  expect(ranges(46500, 46550, 46400)).toEqual([-5000, 2500, 5000])
})
// domain §3.3: a price off the tick is said, never refused
test('off the tick and outside the session are said, never refused', () => {
  const d = effects([
    record(1, 'buy', 1, 46500.5),
    record(2, 'sell', 1, 46500, { occurred_at: at('14:00:00') }),
  ])
  expect(d.map((x) => x.flags)).toEqual([['off_tick'], ['outside_session']])
  expect(path([record(1, 'buy', 1, 46500.5)])).toEqual(['open 1'])
})
test('stock orders without quantity take the default in shares', () => {
  const facts = [
    record(1, 'buy', null, 1085, { asset: 'stock', symbol: '2330', contract: null, unit: 'board_lot' }),
  ]
  expect(path(facts, stockTerms())).toEqual(['open 1000'])
})
test('another product accepted as mismatch keeps its own point value', () => {
  const facts = [
    record(1, 'buy', 1, 22500, { symbol: 'TXF' }),
    record(2, 'sell', 1, 22650, { symbol: 'TXF' }),
  ]
  expect(fold(facts, MXF).trades[0]).toMatchObject({ gross: 30000, tax: 181 })
})

test.each([
  ['10:00:00.000', '10:00:45.000', 0.75],
  ['10:00:00.000', '10:00:20.000', 0.3333],
  ['10:00:00.000', '10:03:20.000', 3.3333],
  ['10:00:00.250', '10:00:00.256', 0.0001],
  ['10:00:00.250', '10:00:00.252', 0],
  ['10:00:00.250', '10:00:00.253', 0.0001],
  ['10:00:00.000', '10:00:00.000', 0],
])('held from %s to %s: %d minutes, not floored', (from, to, minutes) => {
  const facts = [
    record(1, 'buy', 1, 46500, { occurred_at: at(from) }),
    record(2, 'sell', 1, 46510, { occurred_at: at(to) }),
  ]
  expect(fold(facts, MXF).trades.map((t) => t.holding_minutes)).toEqual([minutes])
})
test('the chain within a second may turn milliseconds around: then nothing was held', () => {
  const facts = [
    record(1, 'target', null, 46500, {
      target_position: 0,
      reported_prev: 1,
      occurred_at: at('10:00:00.100'),
    }),
    record(2, 'target', null, 46500, {
      target_position: 1,
      reported_prev: 0,
      occurred_at: at('10:00:00.900'),
    }),
  ]
  expect(fold(facts, MXF).trades.map((t) => t.holding_minutes)).toEqual([0])
})
