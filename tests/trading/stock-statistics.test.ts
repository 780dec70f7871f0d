// Figures per stock: rows add up to their total, periods, day trades, open shares; dated taxes and fees of odd lots.

import { expect, test } from 'vitest'
import { fc } from '#tests/support/property.ts'
import { summarise } from '#tests/support/summarise.ts'
import { stockFee, stockTax } from '#trading/costs.ts'
import { scaled, toNumber } from '#trading/decimal.ts'
import { fold } from '#trading/fold.ts'
import { stockTaxRate } from '#trading/products.ts'
import type { Action, Facts } from '#trading/record.ts'
import { type StockQuery, type StockRow, stockStatistics } from '#trading/stock-statistics.ts'
import { idOf, record, stockTerms } from './records.ts'

const TERMS = stockTerms(
  { commission_discount: 0.28, allow_day_trade: true },
  { direction: 'both', max_position: 100_000 },
)
function stock(
  n: number,
  symbol: string,
  action: Action,
  shares: number | null,
  price: number | null,
  local: string,
  rest: Partial<Facts> = {},
): Facts {
  const occurred_at = new Date(Date.parse(`${local.replace(' ', 'T')}:00+08:00`)).toISOString()
  return record(n, action, shares, price, {
    symbol,
    asset: 'stock',
    contract: null,
    unit: 'share',
    occurred_at,
    ...rest,
  })
}
const FACTS = [
  // S5 of domain §5.5, over a weekend.
  stock(1, '2884', 'buy', 2000, 28.35, '2026-11-12 10:00'),
  stock(2, '2884', 'sell', 1000, 29, '2026-11-13 10:00'),
  stock(3, '2884', 'sell', 1000, 28.1, '2026-11-16 10:00'),
  // S1, bought and sold on one day.
  stock(4, '2330', 'buy', 1000, 1000, '2026-11-17 09:30'),
  stock(5, '2330', 'sell', 1000, 1050, '2026-11-17 13:00'),
  stock(6, '2330', 'buy', 37, 1085, '2026-11-18 09:30'),
  stock(7, '2330', 'long_exit', null, 1085, '2026-11-18 09:40', { source: 'webhook' }),
  stock(8, '2330', 'buy', 37, 1085, '2026-11-18 10:00'),
  stock(9, '2330', 'buy', 63, 1090, '2026-11-19 10:00'),
  stock(10, '0050', 'buy', 1000, null, '2026-11-19 11:00'),
  record(11, 'buy', null, null, { source: 'void', refers_to: idOf(7), symbol: '2330', asset: 'stock' }),
]
const all = (query: StockQuery = {}, facts = FACTS) => stockStatistics(facts, fold(facts, TERMS), query)
const rowOf = (rows: readonly StockRow[], symbol: string) => rows.find((row) => row.symbol === symbol)

test('a row per symbol', () => {
  const { rows } = all()
  expect(rows.map(({ symbol, name }) => [symbol, name])).toEqual([
    ['0050', '元大台灣50'],
    ['2330', '台積電'],
    ['2884', '玉山金'],
  ])
  expect(rowOf(rows, '2884')).toEqual({
    symbol: '2884',
    name: '玉山金',
    signal_count: 3,
    entry_count: 1,
    trade_count: 2,
    win_count: 1,
    win_rate: 0.5,
    net_pnl: 167,
    gross_profit: 532,
    gross_loss: 365,
    profit_factor: 1.4575342466,
    profit_factor_reason: null,
    // +532 and −365 on 28,350 + 11 each.
    avg_return_pct: 0.002944,
    best_return_pct: 0.018758,
    worst_return_pct: -0.01287,
    // Thursday to Friday, and to Monday.
    avg_holding_days: 1.5,
    day_trade_count: 0,
    unrealised_pnl: 0,
    last_signal_at: '2026-11-16T02:00:00.000Z',
    open_shares: 0,
    avg_cost: null,
    last_price: 28.1,
    last_price_at: '2026-11-16T02:00:00.000Z',
  })
})
test('day trades, voided signals, open shares at the last signal price, a missing price', () => {
  const { rows, total } = all()
  expect(rowOf(rows, '2330')).toMatchObject({
    signal_count: 5,
    entry_count: 4,
    trade_count: 1,
    day_trade_count: 1,
    // 50,000 − 399 − 418 − 1,575: half the tax.
    net_pnl: 47_608,
    avg_holding_days: 0,
    profit_factor: null,
    profit_factor_reason: 'no_loss',
    open_shares: 137,
    last_price: 1090,
    last_signal_at: '2026-11-19T02:00:00.000Z',
    unrealised_pnl: 370,
  })
  expect(rowOf(rows, '0050')).toMatchObject({
    open_shares: 1000,
    avg_cost: null,
    last_price: null,
    unrealised_pnl: null,
    trade_count: 0,
    profit_factor_reason: 'no_trades',
  })
  expect(total).toMatchObject({ unrealised_pnl: null, last_signal_at: '2026-11-19T03:00:00.000Z' })
})
test('a period goes by the trading date of the exit; a closed day is no day held', () => {
  const friday = all({ from: '2026-11-13', to: '2026-11-13' })
  expect(
    friday.rows.map(({ symbol, trade_count, signal_count }) => [symbol, trade_count, signal_count]),
  ).toEqual([
    ['0050', 0, 0],
    ['2330', 0, 0],
    ['2884', 1, 1],
  ])
  expect(friday.total).toMatchObject({ net_pnl: 532, avg_holding_days: 1 })
  expect(all({ symbol: '2884' }).rows).toHaveLength(1)
  expect(all({ symbol: '2884' }).total.net_pnl).toBe(167)
  const { derived, trades, positions } = fold(FACTS, { ...TERMS, closed_days: new Set(['2026-11-13']) })
  const shut = stockStatistics(
    FACTS,
    { derived, trades, positions },
    { closed_days: new Set(['2026-11-13']) },
  )
  // The sale of the closed Friday counts on Monday, like the other one.
  expect(rowOf(shut.rows, '2884')?.avg_holding_days).toBe(1)
  expect(all({}, []).total).toMatchObject({
    trade_count: 0,
    win_rate: null,
    avg_return_pct: null,
    unrealised_pnl: 0,
  })
})
test('rows add up to the total, and the total is what the strategy says', () => {
  const symbols = ['2330', '2884', '0050', '00679B']
  const drawn = fc.record({
    symbol: fc.constantFrom(...symbols),
    action: fc.constantFrom<Action>('buy', 'sell', 'long_exit', 'short_entry', 'close_all'),
    shares: fc.constantFrom(1, 37, 999, 1000, 2000),
    price: fc.option(
      fc.integer({ min: 100, max: 200_000 }).map((n) => n / 100),
      { freq: 10 },
    ),
    minutes: fc.integer({ min: 0, max: 60 * 24 * 20 }),
  })
  fc.assert(
    fc.property(
      fc.array(drawn, { maxLength: 60 }),
      fc.option(fc.constantFrom('2026-11-25', '2026-12-01')),
      (list, from) => {
        const facts = list.map(({ symbol, action, shares, price, minutes }, i) => {
          const occurred_at = new Date(Date.UTC(2026, 10, 20, 1, minutes)).toISOString()
          return record(i + 1, action, shares, price, {
            symbol,
            asset: 'stock',
            contract: null,
            unit: 'share',
            occurred_at,
          })
        })
        const folded = fold(facts, TERMS)
        const { rows, total } = stockStatistics(facts, folded, { from })
        const sum = (of: (row: StockRow) => number) =>
          rows.reduce((a, row) => a + Math.round(of(row) * 10_000), 0)
        for (const key of [
          'net_pnl',
          'gross_profit',
          'gross_loss',
          'trade_count',
          'win_count',
          'signal_count',
          'entry_count',
          'day_trade_count',
        ] as const)
          expect(sum((row) => row[key])).toBe(Math.round(total[key] * 10_000))
        const trades = folded.trades.filter((one) => from === null || one.exit_trading_date >= from)
        const { net_profit, profit_factor, win_rate } = summarise(trades, {
          initial_capital: null,
          market: 'stock',
        })
        expect([total.net_pnl, total.profit_factor, total.win_rate]).toEqual([
          net_profit,
          profit_factor,
          win_rate,
        ])
      },
    ),
  )
})

test('taxes have their days: day trades, bond ETFs', () => {
  const rates = (type: Parameters<typeof stockTaxRate>[0], day_trade: boolean, days: readonly string[]) =>
    days.map((on) => Number(stockTaxRate(type, on, day_trade)))
  expect(rates('stock', true, ['2017-04-27', '2017-04-28', '2027-12-31', '2028-01-01'])).toEqual([
    30, 15, 15, 30,
  ])
  expect(rates('stock', false, ['2017-04-28', '2027-12-31'])).toEqual([30, 30])
  expect(rates('bond_etf', false, ['2016-12-31', '2017-01-01', '2026-12-31', '2027-01-01'])).toEqual([
    10, 0, 0, 10,
  ])
  // The cut is for shares: an ETF bought and sold on one day pays its own rate.
  expect(rates('etf', true, ['2026-11-20'])).toEqual([10])
  expect(toNumber(stockTax(scaled(38.05), 1000, 'bond_etf', '2027-01-04', false))).toBe(38)
})
test('the minimum fee is that of the order: 999 shares are an odd lot, 1,000 are not', () => {
  const terms = {
    commission_rate: 0.001425,
    commission_discount: 0.28,
    min_fee: 20,
    odd_lot_min_fee: 1,
    allow_day_trade: false,
  }
  const fee = (price: number, shares: number, rest: Partial<typeof terms> = {}) =>
    toNumber(stockFee(scaled(price), shares, { ...terms, ...rest }))
  expect([fee(10, 999), fee(10, 1000), fee(10, 1), fee(1085, 37)]).toEqual([3, 20, 1, 16])
  expect([fee(1085, 37, { odd_lot_min_fee: 20 }), fee(10, 1000, { min_fee: 1 })]).toEqual([20, 3])
})
