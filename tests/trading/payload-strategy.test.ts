// What the strategy makes of a message: duplicates' keys, fixed quantities, shares, contracts, the format's words.
import { expect, test } from 'vitest'
import { refusal, STOCK, signal, T } from './payload.ts'

test('keys of duplicates: id with time, body with time, nothing else (C7)', () => {
  const buy = { symbol: 'MXF1!', action: 'buy' }
  expect(signal(buy).dedupe).toBe(null)
  expect(signal({ ...buy, id: 'Long' }).dedupe).toBe(null)
  expect(signal({ ...buy, id: 'Long', timenow: T }).dedupe).toEqual({
    by: 'id_time',
    key: `Long|${T}`,
    unique: false,
  })
  expect(signal({ ...buy, timenow: T }).dedupe).toEqual({ by: 'body' })
})

test('quantity mode fixed: entries default, exits all, targets keep only the sign', () => {
  const fixed = { quantity_mode: 'fixed', default_quantity: 3 } as const
  expect(signal({ symbol: 'MXF1!', action: 'buy', qty: 9 }, {}, fixed).signal.quantity).toBe(3)
  expect(signal({ symbol: 'MXF1!', action: 'long_exit', qty: 9 }, {}, fixed).signal.quantity).toBe(null)
  const target = signal(
    {
      symbol: 'MXF1!',
      action: 'sell',
      position_size: -7,
      prev_market_position: 'long',
      prev_market_position_size: 2,
    },
    {},
    fixed,
  )
  expect(target.signal).toMatchObject({ action: 'target', target_position: -3, reported_prev: 3 })
})

test('stock: board lots become shares, shares stay shares', () => {
  expect(signal({ symbol: '0050', action: 'buy', qty: 2 }, { strategy: STOCK }).signal).toMatchObject({
    symbol: '0050',
    quantity: 2000,
  })
  const share = { ...STOCK, unit: 'share' as const, default_quantity: 37 }
  expect(signal({ symbol: '2330', action: 'buy' }, { strategy: share }).signal).toMatchObject({
    quantity: 37,
    unit: 'share',
  })
})

test('contracts: near takes the near and the next month, a fixed month only itself (A28, C40)', () => {
  const month = { contract_rule: 'month', contract_month: '202612' } as const
  expect(signal({ symbol: 'MXFL6', action: 'buy' })).toMatchObject({
    signal: { contract: '202612' },
    flags: ['no_source_time', 'default_quantity'],
  })
  expect(signal({ symbol: 'MXFA7', action: 'buy' }).flags).toContain('other_month')
  const other = refusal({ symbol: 'MXFF7', action: 'buy' })
  expect(other.reason_code).toBe('symbol_mismatch')
  expect(other.reason).toContain('與策略設定的 MXF 近月或次月不符：')
  expect(refusal({ symbol: 'MXFK6', action: 'buy' }).reason_code).toBe('contract_ended')
  expect(signal({ symbol: 'MXF1!', action: 'buy' }, {}, month).signal.contract).toBe('202612')
  expect(signal({ symbol: 'MXFL6', action: 'buy' }, {}, month).signal.contract).toBe('202612')
  expect(refusal({ symbol: 'MXFA7', action: 'buy' }, {}, month).reason_code).toBe('symbol_mismatch')
  const accepted = signal({ symbol: 'MXFA7', action: 'buy' }, {}, { ...month, on_symbol_mismatch: 'accept' })
  expect(accepted).toMatchObject({
    flags: ['no_source_time', 'symbol_mismatch', 'default_quantity'],
    signal: { contract: '202701' },
  })
})

test('MultiCharts: Sell closes a long position only under its format', () => {
  const body = '1261120 0915 MXF1! 46500 Sell'
  expect(signal(body, { format: 'multicharts' }).signal).toMatchObject({
    action: 'long_exit',
    occurred_at: T,
  })
  expect(signal(body).signal.action).toBe('sell')
})

test('close_all with a side closes all of it, whatever size stands beside it', () => {
  for (const body of [
    { symbol: 'MXF1!', action: 'close_all', side: 'long', qty: 1 },
    { symbol: 'MXF1!', action: '全部平倉', 方向: '多', 口數: 1 },
  ])
    expect(signal(body).signal).toMatchObject({ action: 'long_exit', quantity: null })
})

test('an entry price is the old one on the order that closes a one-sided strategy', () => {
  const body = { symbol: 'MXF1!', action: 'sell', qty: 1, entry_price: 46000, exit_price: '' }
  expect(signal(body, {}, { direction: 'long' }).signal.price).toBe(null)
  expect(signal(body, {}, { direction: 'short' }).signal.price).toBe(46000)
})
