// Bodies A–O become what domain §4.6 says; everything else becomes a signal or a reason, never an exception.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PayloadInput, type PayloadStrategy, readPayload } from '#trading/payload/read.ts'
import { MESSAGE_TEMPLATES } from '#trading/payload/templates.ts'
import { inputOf, webhookFixtures } from './fixtures.ts'

const RECEIVED = '2026-11-20T01:15:02.000Z'
const MXF: PayloadStrategy = {
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
  late_after_s: 120,
}
const STOCK: PayloadStrategy = {
  ...MXF,
  kind: 'stock',
  product_code: null,
  contract_rule: null,
  symbols: [],
  unit: 'board_lot',
  direction: 'long',
}

function read(
  body: string | object,
  change: Partial<PayloadInput> = {},
  strategy: Partial<PayloadStrategy> = {},
) {
  return readPayload({
    body: typeof body === 'string' ? body : JSON.stringify(body),
    format: 'auto',
    mapping: null,
    unparsed_rule: null,
    received_at: RECEIVED,
    ...change,
    strategy: { ...MXF, ...change.strategy, ...strategy },
  })
}

function signal(...args: Parameters<typeof read>) {
  const out = read(...args)
  if (out.kind !== 'signal') throw new Error(`not a signal: ${JSON.stringify(out)}`)
  return out
}

function refusal(...args: Parameters<typeof read>) {
  const out = read(...args)
  if (out.kind !== 'rejected') throw new Error(`not rejected: ${JSON.stringify(out)}`)
  return out
}

const fixtures = webhookFixtures()
test('all fifteen letters have a fixture', () => {
  const letters = new Set(fixtures.map((f) => f.path.split('/')[1]?.[0]))
  expect([...letters].sort().join('')).toBe('abcdefghijklmno')
})
test.each(fixtures.map((f) => [f.title, f] as const))('%s', (_, fixture) => {
  const out = readPayload(inputOf(fixture))
  const { signal: wanted, extras, ...rest } = fixture.expect
  expect(out).toMatchObject(rest)
  if (wanted) expect(out).toMatchObject({ signal: wanted })
  if (extras) expect(out).toMatchObject({ normal: { extras } })
})
test('F never stores the account', () => {
  const out = signal(inputOf(fixtures.find((f) => f.path.endsWith('f-touchance'))!).body, {
    strategy: { ...MXF, product_code: 'TMF' },
  })
  expect(JSON.stringify(out)).not.toContain('F2000')
  expect(out.body_without_secret).toContain('sym=TC.F.TWF.TMF.HOT')
})
test('the recommended template is body B', () => {
  const text = MESSAGE_TEMPLATES.find((t) => t.id === 'tradingview_strategy')?.text ?? ''
  const keys = Object.keys(JSON.parse(text) as object)
  const b = JSON.parse(fixtures.find((f) => f.path.endsWith('b-strategy'))!.body) as object
  expect(keys).toEqual(Object.keys(b))
})

test.each([
  ['', 'empty'],
  ['  \n', 'empty'],
  ['hello', 'unreadable'],
  ['{"a":', 'unreadable'],
  [`${'['.repeat(40)}${']'.repeat(40)}`, 'unreadable'],
  ['{"symbol":"MXF1!","action":"buy","__proto__":{"x":1}}', 'unreadable'],
  ['{"symbol":"MXF1!","action":"buy","a":{"constructor":1}}', 'unreadable'],
  ['[{"symbol":"MXF1!","action":"buy"},{"symbol":"MXF1!","action":"sell"}]', 'unreadable'],
  ['{"symbol":"MXF1!","action":"buy"}\n{"symbol":"MXF1!","action":"sell"}', 'unreadable'],
  ['20261120091500 46500 新買\n20261120091500 46500 平買', 'unreadable'],
  ['{"symbol":"MXF1!","action":"buy","quantity":{{strategy.order.contracts}}}', 'unresolved_placeholder'],
  ['{"symbol":"{{ticker}}","action":"buy"}', 'unresolved_placeholder'],
  ['{"symbol":"MXF1!"}', 'missing_field'],
  ['{"symbol":"MXF1!","action":"dance"}', 'unknown_action'],
  ['{"symbol":"MXF1!","action":"reverse"}', 'unknown_action'],
  ['{"symbol":"FOO1!","action":"buy"}', 'unknown_symbol'],
  ['{"symbol":"TXF1!","action":"buy"}', 'symbol_mismatch'],
  ['{"symbol":"2330","action":"buy"}', 'symbol_mismatch'],
  ['{"symbol":"MXF1!","action":"buy","quantity":0}', 'bad_quantity'],
  ['{"symbol":"MXF1!","action":"buy","quantity":1.5}', 'bad_quantity'],
  ['{"symbol":"MXF1!","action":"buy","quantity":"1e3"}', 'bad_quantity'],
  ['{"symbol":"MXF1!","action":"buy","quantity":1000000000}', 'bad_quantity'],
  ['{"symbol":"MXF1!","action":"buy","position_size":0.5}', 'bad_quantity'],
  ['{"symbol":"MXF1!","action":"buy","price":-1}', 'bad_price'],
  ['{"symbol":"MXF1!","action":"buy","price":10000000}', 'bad_price'],
  ['{"symbol":"MXF1!","action":"buy","price":"1.00001"}', 'bad_price'],
  ['{"symbol":"MXF1!","action":"buy","time":"yesterday"}', 'bad_time'],
  ['{"symbol":"MXF1!","action":"buy","time":"1999-12-31T00:00:00Z"}', 'bad_time'],
  ['{"symbol":"MXF1!","action":"buy","time":"2026-11-22T00:00:00Z"}', 'bad_time'],
  ['{"symbol":"MXF1!","action":"buy","time":"2026-02-30T00:00:00Z"}', 'bad_time'],
])('%j is refused: %s', (body, code) => {
  const out = refusal(body)
  expect(out.reason_code).toBe(code)
  expect(out.reason).toMatch(/[一-鿿]/)
})

test('reasons name the field or the variable', () => {
  expect(refusal({ symbol: 'MXF1!', action: 'buy', orderqty: 'x' })).toMatchObject({ field: 'orderqty' })
  expect(refusal({ symbol: '{{ticker}}', action: 'buy' }).reason).toContain('{{ticker}}')
  expect(refusal({ ticker: 'FOO', action: 'buy' })).toMatchObject({ field: 'ticker' })
})

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
  ['2026-11-20T01:15:00Z', T()],
  ['2026-11-20T09:15:00+08:00', T()],
  ['2026-11-20 09:15:00', T()],
  ['2026/11/20 09:15:00', T()],
  ['20261120091500', T()],
  [1795137300, T()],
  ['1795137300000', T()],
])('time %s', (time, at) => {
  const out = signal({ symbol: 'MXF1!', action: 'buy', timestamp: time })
  expect(out).toMatchObject({ time_given: true, dedupe: { by: 'body' }, signal: { occurred_at: at } })
})
function T() {
  return '2026-11-20T01:15:00.000Z'
}

test('late counts fire times only; ahead is clamped', () => {
  const buy = { symbol: 'MXF1!', action: 'buy' }
  expect(signal({ ...buy, timenow: '2026-11-20T01:13:02Z' }).flags).toEqual([])
  expect(signal({ ...buy, timenow: '2026-11-20T01:13:01Z' }).flags).toEqual(['late'])
  expect(signal({ ...buy, time: '2026-11-20T01:00:00Z' }).flags).toEqual([])
  expect(signal({ ...buy, timenow: '2026-11-20T01:16:02Z' }).signal.occurred_at).toBe(
    '2026-11-20T01:16:02.000Z',
  )
  const ahead = signal({ ...buy, timenow: '2026-11-20T01:16:03Z' })
  expect(ahead).toMatchObject({ flags: ['future'], signal: { occurred_at: RECEIVED } })
})

test('market_position gives the sign of its size; alone it decides nothing unless flat', () => {
  const order = { symbol: 'MXF1!', action: 'sell', market_position: 'short' }
  expect(signal({ ...order, market_position_size: '2' }).signal.target_position).toBe(-2)
  expect(signal({ ...order, position_size: 3 }).signal.target_position).toBe(-3)
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

test('keys of duplicates: id with time, body with time, nothing else (C7)', () => {
  const buy = { symbol: 'MXF1!', action: 'buy' }
  expect(signal(buy).dedupe).toBe(null)
  expect(signal({ ...buy, id: 'Long' }).dedupe).toBe(null)
  expect(signal({ ...buy, id: 'Long', timenow: T() }).dedupe).toEqual({ by: 'id_time', key: `Long|${T()}` })
  expect(signal({ ...buy, timenow: T() }).dedupe).toEqual({ by: 'body' })
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

test('contracts: near takes any month, a fixed month only itself (A28)', () => {
  const month = { contract_rule: 'month', contract_month: '202612' } as const
  expect(signal({ symbol: 'MXFF7', action: 'buy' }).signal.contract).toBe('202706')
  expect(signal({ symbol: 'MXF1!', action: 'buy' }, {}, month).signal.contract).toBe('202612')
  expect(signal({ symbol: 'MXFL6', action: 'buy' }, {}, month).signal.contract).toBe('202612')
  expect(refusal({ symbol: 'MXFA7', action: 'buy' }, {}, month).reason_code).toBe('symbol_mismatch')
  const accepted = signal({ symbol: 'MXFA7', action: 'buy' }, {}, { ...month, on_symbol_mismatch: 'accept' })
  expect(accepted).toMatchObject({ flags: ['symbol_mismatch'], signal: { contract: '202701' } })
})

test('MultiCharts: Sell closes a long position only under its format', () => {
  const body = '1261120 0915 MXF1! 46500 Sell'
  expect(signal(body, { format: 'multicharts' }).signal).toMatchObject({
    action: 'long_exit',
    occurred_at: T(),
  })
  expect(signal(body).signal.action).toBe('sell')
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
    id_is_unique: true,
  } as const
  const body = { data: { cmd: '開多', px: '46500' }, no: 'x-1', symbol: 'TXF1!' }
  expect(signal(body, { mapping })).toMatchObject({
    dedupe: { by: 'id_time', key: 'x-1' },
    signal: { symbol: 'MXF', action: 'long_entry', price: 46500 },
  })
  // A mapped field is not looked for anywhere else.
  expect(signal({ ...body, data: { cmd: '開多' }, price: 1 }, { mapping }).signal.price).toBe(null)
  expect(refusal({ no: 'x-1' }, { mapping })).toMatchObject({
    reason_code: 'missing_field',
    field: 'data.cmd',
  })
})

test('a heartbeat is no signal', () => {
  expect(read('PING\n')).toEqual({ kind: 'heartbeat' })
})

const value = fc.oneof(
  fc.string(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(
    'buy',
    'MXF1!',
    '2330',
    '{{x}}',
    'long',
    '新買',
    null,
    '46500',
    '-2',
    '2026-11-20T01:15:00Z',
    '__proto__',
  ),
)
const key = fc.oneof(
  fc.string(),
  fc.constantFrom(
    'symbol',
    'action',
    'price',
    'qty',
    'position_size',
    'market_position',
    'market_position_size',
    'time',
    'timenow',
    'id',
    'secret',
    '__proto__',
    '代號',
  ),
)
const body = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc.dictionary(key, value).map((o) => JSON.stringify(o)),
  fc.dictionary(key, value).map((o) => JSON.stringify(o).replaceAll('"', "'")),
  fc.array(fc.tuple(key, value)).map((pairs) => pairs.map(([k, v]) => `${k}=${v}`).join(';')),
  fc
    .array(
      fc.constantFrom(
        '20261120',
        '093000',
        '20261120093000',
        '2330.TW',
        '1085.00',
        '新買',
        'x',
        '\n',
        '{',
        '}',
        '"',
        "'",
      ),
    )
    .map((t) => t.join(' ')),
)
test('readPayload never throws and keeps its bounds', () => {
  fc.assert(
    fc.property(
      body,
      fc.constantFrom(MXF, STOCK, { ...STOCK, kind: 'xq-stock' as const }),
      fc.boolean(),
      (text, strategy, mapped) => {
        const mapping = mapped
          ? { fields: { symbol: 'a.b', action: 'action', time: 'time' }, words: {}, id_is_unique: false }
          : null
        const out = read(text, {
          strategy,
          mapping,
          unparsed_rule: mapped ? { action: 'entry', symbol: '2330' } : null,
        })
        if (out.kind !== 'signal') return
        const { price, quantity, occurred_at, note } = out.signal
        expect(price === null || (price > 0 && price <= 9_999_999)).toBe(true)
        expect(quantity === null || (Number.isSafeInteger(quantity) && quantity >= 1)).toBe(true)
        expect(new Date(occurred_at).toISOString()).toBe(occurred_at)
        expect((note ?? '').length).toBeLessThanOrEqual(200)
      },
    ),
    { numRuns: 2000 },
  )
})
test('64 KB of the worst characters are read at once', () => {
  for (const piece of [
    '{',
    '[',
    '"',
    "'",
    '{"a":',
    'order buy @ ',
    ' ',
    '{{',
    '\\',
    'a=b;',
    '1,',
    'secret=',
    '20261120093000 ',
    "{'",
    'filled on x',
  ])
    expect(['rejected', 'signal']).toContain(
      read(piece.repeat(Math.floor(65_536 / piece.length)).concat('x')).kind,
    )
})
