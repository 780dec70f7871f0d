// What the fields of a message mean: wrappings, prices, times, positions, actions, secrets, mappings.
import { expect, test } from 'vitest'
import { RECEIVED, read, refusal, signal, T } from './payload.ts'

test('wrappings: BOM, JSON in JSON, text around a block, nested TradingView object, full width', () => {
  const one = '{"symbol":"MXF1!","action":"buy","qty":"２"}'
  for (const body of [`\uFEFF ${one}\r\n`, JSON.stringify(one), `alert: ${one} end`, `[${one}]`])
    expect(signal(body).signal).toMatchObject({ symbol: 'MXF', action: 'buy', quantity: 2 })
  const nested = {
    ticker: 'MXF1!',
    bar: { time: '2026-11-20T01:00:00Z', close: 46500 },
    strategy: { order_action: 'buy', order_contracts: 3 },
  }
  expect(signal(nested).signal).toMatchObject({ action: 'buy', quantity: 3, price: 46500 })
})

test('prices: none said means close, else missing', () => {
  for (const price of [0, '0', 'NaN', 'null', '', '{{strategy.order.price}}', null]) {
    expect(signal({ symbol: 'MXF1!', action: 'buy', price }).signal.price).toBe(null)
    expect(signal({ symbol: 'MXF1!', action: 'buy', price, close: '46,500.50' }).signal.price).toBe(46500.5)
  }
  expect(signal({ symbol: 'MXF1!', action: 'buy', price: '1085.000000' }).signal.price).toBe(1085)
})

test.each([
  ['2026-11-20T01:15:00Z', T],
  ['2026-11-20T09:15:00+08:00', T],
  ['2026-11-20 09:15:00', T],
  ['2026/11/20 09:15:00', T],
  ['20261120091500', T],
  [1795137300, T],
  ['1795137300000', T],
])('time %s', (time, at) => {
  const out = signal({ symbol: 'MXF1!', action: 'buy', timestamp: time })
  expect(out).toMatchObject({ time_given: true, dedupe: { by: 'body' }, signal: { occurred_at: at } })
})

test('late counts fire times only; ahead is clamped', () => {
  const buy = { symbol: 'MXF1!', action: 'buy' }
  expect(signal({ ...buy, timenow: '2026-11-20T01:13:02Z' }).flags).toEqual(['default_quantity'])
  expect(signal({ ...buy, timenow: '2026-11-20T01:13:01Z' }).flags).toEqual(['late', 'default_quantity'])
  expect(signal({ ...buy, time: '2026-11-20T01:00:00Z' }).flags).toEqual(['default_quantity'])
  expect(signal({ ...buy, timenow: '2026-11-20T01:16:02Z' }).signal.occurred_at).toBe(
    '2026-11-20T01:16:02.000Z',
  )
  const ahead = signal({ ...buy, timenow: '2026-11-20T01:16:03Z' })
  expect(ahead).toMatchObject({ flags: ['future', 'default_quantity'], signal: { occurred_at: RECEIVED } })
})

test('market_position gives the sign of its size; alone it decides nothing unless flat', () => {
  const order = { symbol: 'MXF1!', action: 'sell', market_position: 'short' }
  expect(signal({ ...order, market_position_size: '2' }).signal.target_position).toBe(-2)
  expect(signal({ ...order, position_size: -3 }).signal.target_position).toBe(-3)
  expect(signal(order).signal).toMatchObject({ action: 'sell', target_position: null })
  expect(signal({ ...order, market_position: 'flat' }).signal).toMatchObject({
    action: 'target',
    target_position: 0,
  })
})

test('the field that says a known action is taken, but action itself must be understood', () => {
  expect(signal({ symbol: 'MXF1!', order: 'market', side: '', bs: 'B' }).signal.action).toBe('buy')
  expect(signal({ symbol: 'MXF1!', signal: 'MACD', side: 'short' }).signal.action).toBe('short_entry')
  expect(refusal({ symbol: 'MXF1!', action: 'dance', side: 'buy' }).reason_code).toBe('unknown_action')
  expect(refusal({ symbol: 'MXF1!', signal: 'MACD' })).toMatchObject({
    reason_code: 'unknown_action',
    field: 'signal',
  })
})

test('all is a quantity for exits only', () => {
  expect(signal({ symbol: 'MXF1!', action: 'long_exit', qty: 'all' }).signal.quantity).toBe(null)
  expect(refusal({ symbol: 'MXF1!', action: 'buy', qty: 'all' }).reason_code).toBe('bad_quantity')
})

test('secrets are given to the caller and stand nowhere else', () => {
  const json = signal({ secret: 'hunter22', symbol: 'MXF1!', action: 'buy', info: { password: 'hunter22' } })
  expect(json.secret).toBe('hunter22')
  const pairs = signal('passphrase=hunter22;symbol=MXF1!;action=buy;account=A123')
  expect(pairs).toMatchObject({ secret: 'hunter22', body_without_secret: 'symbol=MXF1!;action=buy' })
  const broken = refusal('{"secret":"hunter22","symbol"')
  for (const out of [json, pairs, broken])
    expect(JSON.stringify({ ...out, secret: null })).not.toContain('hunter22')
})

test('mapping: paths, constants, own words, unique ids', () => {
  const mapping = {
    fields: { symbol: { const: 'MXF1!' }, action: 'data.cmd', id: 'no', price: 'data.px' },
    words: { 開多: 'long_entry' },
    units: {},
    ignore: [],
    id_is_unique: true,
    strict: false,
  } as const
  const body = { data: { cmd: '開多', px: '46500' }, no: 'x-1', symbol: 'TXF1!' }
  expect(signal(body, { mapping })).toMatchObject({
    dedupe: { by: 'id_time', key: 'x-1' },
    signal: { symbol: 'MXF', action: 'long_entry', price: 46500 },
  })
  // A mapping adds, it never takes away: where its field is absent, the usual names are read.
  expect(signal({ ...body, data: { cmd: '開多' }, price: 46510 }, { mapping }).signal.price).toBe(46510)
  expect(signal({ ticker: 'MXF1!', action: 'sell', price: 46520 }, { mapping }).signal).toMatchObject({
    action: 'sell',
    price: 46520,
  })
})

test('a heartbeat is no signal', () => {
  expect(read('PING\n')).toEqual({ kind: 'heartbeat' })
})
