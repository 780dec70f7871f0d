// Golden tables of domain §§2.4–2.6 and 3.3: symbols, sessions, contract months, ticks and limits; decimals underneath.

import { expect, test } from 'vitest'
import {
  instantOf,
  lastTradingDay,
  taipei,
  thirdWednesday,
  tradingDates,
  tradingSessionAt,
} from '#trading/calendar.ts'
import {
  divFloor,
  divHalfUp,
  isDecimal4,
  ratio,
  scaled,
  scaledRate,
  toNumber,
  toText,
} from '#trading/decimal.ts'
import { limitsOf } from '#trading/foresee.ts'
import {
  contractMonths,
  findProduct,
  onTick,
  PRODUCTS,
  stockTaxRate,
  stockTick,
  stockType,
} from '#trading/products.ts'
import { resolveSymbol } from '#trading/symbols.ts'
import { fc } from '../support/property.ts'
import { stockTerms } from './records.ts'

const AT = '2026-11-20T01:15:00.000Z'

test.each([
  ['TAIFEX:TXF1!', 'TXF', 'C1'],
  ['TAIFEX_DLY:MXF1!', 'MXF', 'C1'],
  ['TAIFEX_DL:MXF2!', 'MXF', 'C2'],
  ['TXFR1', 'TXF', 'C1'],
  ['TXFR2', 'TXF', 'C2'],
  ['MXF202601', 'MXF', '202601'],
  ['MXF202611W2', 'MXF', '202611W2'],
  ['MXF202610F2', 'MXF', '202610F2'],
  ['TXFL6', 'TXF', '202612'],
  ['TXFF5', 'TXF', '202506'],
  ['TXFA9', 'TXF', '202901'],
  ['CDFH6', 'CDF', '202608'],
  ['FITX*1.TF', 'TXF', 'C1'],
  ['FITXN*1.TF', 'TXF', 'C1'],
  ['FIMTX*2.TF', 'MXF', 'C2'],
  ['FITE*1.TF', 'EXF', 'C1'],
  ['FITF*1', 'FXF', 'C1'],
  ['TC.F.TWF.TMF.HOT', 'TMF', 'C1'],
  ['TC.F.TWF.TXF.202612', 'TXF', '202612'],
  ['TAIFEX:TXFZ2026', 'TXF', '202612'],
  ['台指期', 'TXF', 'C1'],
  ['小台', 'MXF', 'C1'],
  ['微臺', 'TMF', 'C1'],
  ['TF', 'FXF', 'C1'],
  ['tmf', 'TMF', 'C1'],
  ['TX', 'TXF', 'C1'],
  ['MTX202509', 'MXF', '202509'],
  ['MX1202607', 'MXF', '202607W1'],
  ['MX2L6', 'MXF', '202612W2'],
  ['台股指數近月(FITXN*1.TF)', 'TXF', 'C1'],
])('%s is futures %s %s', (raw, symbol, contract) => {
  expect(resolveSymbol(raw, AT)).toEqual({ asset: 'futures', symbol, contract })
})
// domain §3.1: written forms: .TW, TWSE:, ="2330", full width, with the name
test.each([
  ['2330', '2330'],
  ['2330.TW', '2330'],
  ['6488.TWO', '6488'],
  ['6488.te', '6488'],
  ['00679B', '00679B'],
  ['TWSE:0050', '0050'],
  ['TPEX:6488', '6488'],
  ['="2330"', '2330'],
  ['2330 台積電', '2330'],
  ['２３３０', '2330'],
  ['TC.S.TWSE.2330', '2330'],
  ['2881A', '2881A'],
])('%s is stock %s', (raw, symbol) => {
  expect(resolveSymbol(raw, AT)).toEqual({ asset: 'stock', symbol, contract: null })
})
test.each([
  '',
  'FOO1!',
  'TXF1',
  'TXFR1!',
  'TXFR3',
  'AAPL',
  'MXF202613',
  'MX1R1',
  '50',
  'TC.F.TWF.TXF.202699',
  '__proto__',
  'constructor',
])('%j is unknown, never guessed', (raw) => {
  expect(resolveSymbol(raw, AT)).toBe(null)
})

test.each([
  ['2026-06-02', '08:45:00', 'day', '2026-06-02'],
  ['2026-06-02', '08:44:59', 'closed', '2026-06-02'],
  ['2026-06-02', '13:45:00', 'day', '2026-06-02'],
  ['2026-06-02', '13:50:00', 'closed', '2026-06-02'],
  ['2026-06-02', '15:00:00', 'night', '2026-06-03'],
  ['2026-06-03', '05:00:00', 'night', '2026-06-03'],
  ['2026-06-03', '05:00:01', 'closed', '2026-06-03'],
  ['2026-06-05', '21:00:00', 'night', '2026-06-08'],
  ['2026-06-06', '02:30:00', 'night', '2026-06-08'],
  ['2026-06-07', '10:00:00', 'closed', '2026-06-08'],
  ['2026-06-08', '02:30:00', 'closed', '2026-06-08'],
])('%s %s is %s of %s', (day, time, session, trading_date) => {
  expect(tradingSessionAt(instantOf(day, time), { has_night: true })).toEqual({ session, trading_date })
})
test('no night session, closed days, stock hours', () => {
  const at = (day: string, time: string) => instantOf(day, time)
  expect(tradingSessionAt(at('2026-06-02', '21:00'), { has_night: false }).session).toBe('closed')
  const closed_days = new Set(['2026-06-08'])
  expect(tradingSessionAt(at('2026-06-05', '21:00'), { has_night: true, closed_days })).toEqual({
    session: 'night',
    trading_date: '2026-06-09',
  })
  expect(tradingSessionAt(at('2026-06-08', '10:00'), { has_night: true, closed_days })).toEqual({
    session: 'closed',
    trading_date: '2026-06-09',
  })
  const stock = { has_night: false, market: 'stock' } as const
  for (const [time, session] of [
    ['08:59:59', 'closed'],
    ['09:00', 'day'],
    ['14:30', 'day'],
    ['14:30:01', 'closed'],
    ['21:00', 'closed'],
  ] as const)
    expect(tradingSessionAt(at('2026-06-02', time), stock)).toEqual({ session, trading_date: '2026-06-02' })
})
test('third Wednesdays and last trading days', () => {
  const days = [
    [2026, 1],
    [2026, 2],
    [2026, 11],
    [2026, 12],
    [2027, 1],
    [2027, 3],
  ].map(([y, m]) => thirdWednesday(y!, m!))
  expect(days).toEqual(['2026-01-21', '2026-02-18', '2026-11-18', '2026-12-16', '2027-01-20', '2027-03-17'])
  const newYear = new Set(['2026-02-16', '2026-02-17', '2026-02-18', '2026-02-19', '2026-02-20'])
  expect(lastTradingDay('202602', newYear)).toBe('2026-02-23')
  expect(lastTradingDay('202611W2')).toBe('2026-11-11')
  expect(lastTradingDay('202610F2')).toBe('2026-10-09')
  expect(lastTradingDay('C1')).toBe(null)
  expect(lastTradingDay('202602W5')).toBe(null)
})
test('contract months: spot, two more, three quarters; weeklies of 小台', () => {
  expect(contractMonths('TXF', '2026-11-18')).toEqual([
    '202611',
    '202612',
    '202701',
    '202703',
    '202706',
    '202709',
  ])
  expect(contractMonths('TXF', '2026-11-19')).toEqual([
    '202612',
    '202701',
    '202702',
    '202703',
    '202706',
    '202709',
  ])
  expect(contractMonths('MXF', '2026-11-20').slice(0, 3)).toEqual(['202611W4', '202612W1', '202612'])
  expect(contractMonths('FOO', '2026-11-20')).toEqual([])
})
test('trading dates of the worked example number 57 (holidays empty)', () => {
  expect(tradingDates('2026-06-02', '2026-08-19')).toHaveLength(57)
})
test('Taipei is UTC+8, also across years', () => {
  expect(taipei('2026-12-31T16:00:00.000Z')).toEqual({
    date: '2027-01-01',
    time: '00:00:00',
    weekday: 5,
    second_of_day: 0,
  })
  expect(() => taipei('soon')).toThrow(RangeError)
})
test('products as domain §2.1 lists them', () => {
  const points = Object.fromEntries(PRODUCTS.map((p) => [p.code, p.point_value]))
  expect(points).toMatchObject({
    TXF: 200,
    MXF: 50,
    TMF: 10,
    EXF: 4000,
    FXF: 1000,
    XIF: 100,
    CDF: 2000,
    QFF: 100,
    NYF: 10000,
    SRF: 1000,
  })
  expect(PRODUCTS.filter((p) => p.has_night).map((p) => p.code)).toEqual([
    'TXF',
    'MXF',
    'TMF',
    'EXF',
    'ZEF',
    'SOF',
  ])
  expect(findProduct('TF')).toBe(undefined)
})

// domain §3.3: limit-up and limit-down, golden values
test.each([
  [9.05, 9.95, 8.15],
  [9.5, 10.45, 8.55],
  [46.2, 50.8, 41.6],
  [50, 55, 45],
  [95.3, 104.5, 85.8],
  [98, 107.5, 88.2],
  [455, 500, 409.5],
  [487.5, 536, 439],
  [925, 1015, 833],
  [1085, 1190, 977],
  [2320, 2550, 2090],
])('limits of %d are %d and %d', (ref, up, down) => {
  expect(limitsOf(ref, { symbol: '2330', on: '2026-11-20', terms: stockTerms() })).toEqual({ up, down })
})
// domain §3.3: limit-up and limit-down, golden values
test('limits of the ETF row, ticks, taxes, kinds', () => {
  const terms = stockTerms()
  expect(limitsOf(58.35, { symbol: '0050', on: '2026-11-20', terms })).toEqual({ up: 64.15, down: 52.55 })
  const ticks = [9.99, 10, 49.95, 50, 100, 499.5, 500, 999, 1000].map((p) =>
    stockTick(p, 'stock', '2026-11-20'),
  )
  expect(ticks).toEqual([0.01, 0.05, 0.05, 0.1, 0.5, 0.5, 1, 1, 5])
  expect([49.99, 50, 1000].map((p) => stockTick(p, 'etf', '2026-11-20'))).toEqual([0.01, 0.05, 0.05])
  expect([onTick(scaled(1085), 5), onTick(scaled(1086), 5)]).toEqual([true, false])
  expect([stockTaxRate('stock', '2027-12-31', true), stockTaxRate('stock', '2028-01-01', true)]).toEqual([
    15n,
    30n,
  ])
  expect(stockTaxRate('bond_etf', '2026-12-31', false)).toBe(0n)
  expect(['2330', '0050', '00679B', '00631L', '2881A', '030001'].map((symbol) => stockType(symbol))).toEqual([
    'stock',
    'etf',
    'bond_etf',
    'etf',
    'stock',
    'other',
  ])
})

// domain §3.4: money in decimals
test('decimals are exact and refuse what they cannot hold', () => {
  expect(scaled('46512.5')).toBe(465125000n)
  expect(scaled(-0.0001)).toBe(-1n)
  expect(scaledRate(0.001425)).toBe(142500n)
  for (const bad of [Number.NaN, 1.00001, '1e3', '', '1,0', 'x'])
    expect(() => scaled(bad)).toThrow(RangeError)
  expect([
    isDecimal4(0.1 + 0.2),
    isDecimal4(0.3),
    isDecimal4(1e-7),
    isDecimal4(Number.POSITIVE_INFINITY),
  ]).toEqual([false, true, false, false])
  expect([divFloor(-7n, 2n), divHalfUp(-5n, 2n), divHalfUp(5n, 2n), divHalfUp(-4n, 3n)]).toEqual([
    -4n,
    -3n,
    3n,
    -1n,
  ])
  expect([ratio(1n, 3n), ratio(-1n, 3n, 4), ratio(1n, 0n)]).toEqual([0.3333333333, -0.3333, null])
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 14n), 10n ** 14n), (n) => {
      expect(scaled(toText(n))).toBe(n)
      expect(scaled(toNumber(n))).toBe(n)
    }),
  )
})
