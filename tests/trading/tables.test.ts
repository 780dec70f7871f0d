// Tables laid over those that are built in: what is folded, priced and dated by them; and each row of domain §3 by what is built in.

import { afterEach, describe, expect, test } from 'vitest'
import { instantOf, tradingSessionAt } from '#trading/calendar.ts'
import { tickBelow } from '#trading/costs.ts'
import { tradingSessionNow } from '#trading/day.ts'
import { fold, tradingSessionOf } from '#trading/fold.ts'
import { limitsOf } from '#trading/foresee.ts'
import { builtIn, directory, isCommon, type Listing } from '#trading/listings.ts'
import { findByAnyCode, findProduct, stockTaxRate, stockTick, stockType } from '#trading/products.ts'
import { isStockCode, resolveSymbol } from '#trading/symbols.ts'
import { BUILT_IN, layTables, onTables, type Product, type Tables, tables } from '#trading/tables.ts'
import { futuresTerms, record, stockTerms } from './records.ts'

afterEach(() => layTables(null))

const GOLD: Product = {
  ...(findProduct('TXF') as Product),
  code: 'TGF',
  taifex_code: 'TGF',
  name: '臺幣黃金期貨',
  short_name: '台幣金',
  point_value: 100,
  tick: 0.5,
  has_night: true,
  sessions: [
    { kind: 'day', from: '08:45', to: '16:15' },
    { kind: 'night', from: '17:25', to: '05:00' },
  ],
}
const laid = (more: Partial<Tables>): Tables => ({ ...BUILT_IN, key: 'other', ...more })

describe('domain §3 by what is built in', () => {
  // domain §3.1: codes: shares, ETFs with their letters, preferred shares, warrants
  test('domain §3.1 codes: shares, ETFs with their letters, preferred shares, warrants; no others', () => {
    const kinds = Object.fromEntries(
      ['2330', '0050', '0056', '00878', '006208', '00631L', '00632R', '00635U', '00625K', '00980A']
        .concat(['2881A', '030123', '03012P', '00679B', '020000', '02001L', '01001T', '9105'])
        .map((symbol) => [symbol, stockType(symbol)]),
    )
    expect(kinds).toEqual({
      ...{ '2330': 'stock', '2881A': 'stock', '030123': 'other', '03012P': 'other', '9105': 'other' },
      ...{ '0050': 'etf', '0056': 'etf', '00878': 'etf', '006208': 'etf', '00631L': 'etf', '00632R': 'etf' },
      ...{ '00635U': 'etf', '00625K': 'etf', '00980A': 'etf', '00679B': 'bond_etf' },
      ...{ '020000': 'etf', '02001L': 'etf', '01001T': 'etf' },
    })
    expect(['2330', '0050', '2881A', '03012P', '123', '12345678', 'TXF', '2330AB'].map(isStockCode)).toEqual([
      ...[true, true, true, true],
      ...[false, false, false, false],
    ])
  })
  // domain §3.1: markets 上市 上櫃; leading zeros stay
  test('domain §3.1 markets: 上市 and 上櫃 are listed, each code once; 2330 stays 2330 and 0050 keeps its zeros', () => {
    const { all, find } = builtIn()
    expect(new Set(all.map(({ market }) => market))).toEqual(new Set(['twse', 'tpex']))
    expect([find('2330')?.market, find('6488')?.market]).toEqual(['twse', 'tpex'])
    expect(find('0050')?.name).toBe('元大台灣50')
    expect(resolveSymbol('0050.TW', '2026-11-20T00:00:00.000Z')?.symbol).toBe('0050')
  })
  // domain §3.2: sessions 09:00–14:30 with the odd lots after hours
  test('domain §3.2 sessions: 09:00 to 14:30 with the odd lots after hours, no night', () => {
    const session = (time: string) =>
      tradingSessionAt(instantOf('2026-11-20', time), { market: 'stock', has_night: false }).session
    expect(['08:59:59', '09:00', '13:30', '14:30:00', '14:30:01', '15:30'].map(session)).toEqual([
      ...['closed', 'day', 'day', 'day', 'closed', 'closed'],
    ])
  })
  // domain §3.3: tick table of shares and of ETFs
  test.each([
    [9.99, 0.01, 0.01],
    [10, 0.05, 0.01],
    [49.95, 0.05, 0.01],
    [50, 0.1, 0.05],
    [99.9, 0.1, 0.05],
    [100, 0.5, 0.05],
    [499.5, 0.5, 0.05],
    [500, 1, 0.05],
    [999, 1, 0.05],
    [1000, 5, 0.05],
  ])('domain §3.3 tick at %d: %d for stock, %d for ETF, REIT and ETN', (price, stock, etf) => {
    const on = '2026-11-20'
    expect([
      stockTick(price, 'stock', on),
      stockTick(price, 'etf', on),
      stockTick(price, 'bond_etf', on),
    ]).toEqual([stock, etf, etf])
  })
  // domain §3.3: stepping by ticks over the edges of the table
  test('domain §3.3 the step down from the lowest price of a tick is that of the tick below', () => {
    const below = (price: number, symbol: string) => tickBelow(symbol, price, '2026-11-20', stockTerms())
    expect([10, 50, 100, 500, 1000].map((price) => below(price, '2330'))).toEqual([0.01, 0.05, 0.1, 0.5, 1])
    expect([below(50, '0050'), below(1005, '2330'), below(49.95, '2330')]).toEqual([0.01, 5, 0.05])
  })
  // domain §3.4: tax of stock, ETF, day trade and bond ETF by their dated rows
  test('domain §3.4 tax: stock 0.3 %, ETF and warrants 0.1 %, day trades and bond ETFs by their dated rows', () => {
    const rate = (type: Parameters<typeof stockTaxRate>[0], on: string, day = false) =>
      Number(stockTaxRate(type, on, day)) / 10_000
    expect([rate('stock', '2026-11-20'), rate('etf', '2026-11-20'), rate('other', '2026-11-20')]).toEqual([
      ...[0.003, 0.001, 0.001],
    ])
    expect([rate('stock', '2027-12-31', true), rate('stock', '2028-01-01', true)]).toEqual([0.0015, 0.003])
    expect([rate('bond_etf', '2026-12-31'), rate('bond_etf', '2027-01-01')]).toEqual([0, 0.001])
  })
})

describe('laid over', () => {
  test('who listens is told once for each change, and what is built in comes back', () => {
    let times = 0
    const stop = onTables(() => {
      times += 1
    })
    const other = laid({})
    layTables(other)
    layTables(other)
    expect([times, tables()]).toEqual([1, other])
    stop()
    layTables(null)
    expect([times, tables()]).toEqual([1, BUILT_IN])
  })

  test('a product of the tables is known to the reader, to fold and costs, with hours of its own', () => {
    expect(resolveSymbol('TGF202612', '2026-11-20T00:00:00.000Z')).toBeNull()
    layTables(laid({ products: [...BUILT_IN.products, GOLD] }))
    expect(resolveSymbol('TGF202612', '2026-11-20T00:00:00.000Z')).toEqual({
      asset: 'futures',
      symbol: 'TGF',
      contract: '202612',
    })
    expect(findByAnyCode('TGF')).toBe(GOLD)
    const terms = futuresTerms('TGF', { fee_per_side: 0 })
    const gold = { symbol: 'TGF', contract: 'C1' } as const
    const { trades } = fold([record(1, 'buy', 1, 4000, gold), record(2, 'sell', 1, 4010.5, gold)], terms)
    expect(trades[0]?.gross).toBe(1050)
    const session = (time: string) =>
      tradingSessionOf({ symbol: 'TGF', occurred_at: instantOf('2026-11-20', time) }, terms)
    expect([session('16:15').session, session('16:16').session, session('17:25').session]).toEqual([
      ...['day', 'closed', 'night'],
    ])
    // Friday's night belongs to Monday; before it opens, Friday is not over.
    expect([session('16:30').trading_date, session('17:25').trading_date]).toEqual([
      '2026-11-20',
      '2026-11-23',
    ])
    expect(
      tradingSessionOf({ symbol: 'MXF', occurred_at: instantOf('2026-11-20', '15:00') }, futuresTerms('MXF')),
    ).toEqual({
      session: 'night',
      trading_date: '2026-11-23',
    })
  })

  test('hours of the markets: other ones count wherever nothing says its own', () => {
    const hours = {
      futures: [
        { kind: 'day', from: '08:30', to: '14:00' },
        { kind: 'night', from: '14:30', to: '06:00' },
      ],
      stock: [{ kind: 'day', from: '09:00', to: '17:00' }],
    } satisfies Tables['hours']
    layTables(laid({ hours }))
    const night = instantOf('2026-11-20', '14:30')
    expect(tradingSessionAt(night, { has_night: true })).toEqual({
      session: 'night',
      trading_date: '2026-11-23',
    })
    expect(tradingSessionNow(night, { has_night: true }).ends_at).toBe(instantOf('2026-11-21', '06:00'))
    expect(
      tradingSessionAt(instantOf('2026-11-20', '16:59'), { has_night: false, market: 'stock' }).session,
    ).toBe('day')
  })

  // domain §3.3: the table is data with a day from which it counts
  test('a tick table counts from its day on, for limits too', () => {
    const [before] = BUILT_IN.ticks as [Tables['ticks'][number]]
    const ticks = [
      before,
      { ...before, from: '2027-01-01', stock: [...before.stock.slice(0, -1), [null, 1]] as const },
    ]
    layTables(laid({ ticks }))
    expect([stockTick(2320, 'stock', '2026-12-31'), stockTick(2320, 'stock', '2027-01-01')]).toEqual([5, 1])
    const of = (on: string) => limitsOf(2320, { symbol: '2330', on, terms: stockTerms() })
    expect([of('2026-12-31'), of('2027-01-01')]).toEqual([
      { up: 2550, down: 2090 },
      { up: 2552, down: 2088 },
    ])
  })

  // domain §7.3: taxType auto by code; another kind is corrected once, in the list
  test('taxType per symbol: the list says a bond ETF where the code does not, and the fold pays no tax on it', () => {
    const sold = () =>
      fold(
        [
          record(1, 'buy', 1000, 40, { asset: 'stock', symbol: '00999', contract: null, unit: 'share' }),
          record(2, 'sell', 1000, 41, { asset: 'stock', symbol: '00999', contract: null, unit: 'share' }),
        ],
        stockTerms(),
      ).trades[0]?.tax
    expect(sold()).toBe(41)
    layTables(laid({ types: { '00999': 'bond_etf' } }))
    expect(sold()).toBe(0)
  })

  test('a fold keeps the tables of its terms, whatever comes into force meanwhile', () => {
    const terms = stockTerms({}, { slippage_ticks: 1 })
    const facts = [
      record(1, 'buy', 1000, 2320, { asset: 'stock', symbol: '2330', contract: null, unit: 'share' }),
      record(2, 'sell', 1000, 2330, { asset: 'stock', symbol: '2330', contract: null, unit: 'share' }),
    ]
    const before = fold(facts, terms)
    const first = BUILT_IN.ticks[0] as Tables['ticks'][number]
    layTables(laid({ ticks: [{ ...first, stock: [[null, 1]] }], types: { '2330': 'etf' } }))
    expect(fold(facts, terms)).toEqual(before)
    const now = fold(facts, stockTerms({}, { slippage_ticks: 1 })).trades[0]
    expect([before.trades[0]?.slippage, now?.slippage]).toEqual([10_000, 100])
  })
})

describe('a directory of securities', () => {
  const list: Listing[] = [
    { symbol: '030123', name: '台積電元大57購01', market: 'twse', type: 'other' },
    { symbol: '2330', name: '台積電', market: 'twse', type: 'stock' },
    { symbol: '6510', name: '精測台積電', market: 'tpex', type: 'stock' },
    { symbol: '23301', name: '台積電甲', market: 'twse', type: 'other' },
  ]
  const { search, find, all } = directory(list)
  const codes = (typed: string, most = 8) => search(typed, most).map(({ symbol }) => symbol)

  test('the code itself, codes that begin so, names that begin so, names that hold it; warrants after the rest', () => {
    expect(codes('2330')).toEqual(['2330', '23301'])
    expect(codes('台積')).toEqual(['2330', '23301', '030123', '6510'])
    expect(codes('臺積電')).toEqual(['2330', '23301', '030123', '6510'])
    expect(codes('03')).toEqual(['030123'])
    expect(codes('台積', 1)).toEqual(['2330'])
    expect([codes(''), codes('  '), codes('鴻海')]).toEqual([[], [], []])
  })
  test('what a device holds is without warrants', () => {
    expect(all.filter(isCommon).map(({ symbol }) => symbol)).toEqual(['2330', '23301', '6510'])
    expect(find('030123')?.name).toBe('台積電元大57購01')
  })
})
