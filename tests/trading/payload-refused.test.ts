// What no reader can make a signal of is refused with a reason in words and the field it is about.
import { expect, test } from 'vitest'
import { refusal } from './payload.ts'

test.each([
  ['', 'empty'],
  ['  \n', 'empty'],
  ['hello', 'unreadable'],
  ['{"a":', 'unreadable'],
  [`${'['.repeat(40)}${']'.repeat(40)}`, 'unreadable'],
  ['{"symbol":"MXF1!","action":"buy","__proto__":{"x":1}}', 'unreadable'],
  ['{"symbol":"MXF1!","action":"buy","a":{"constructor":1}}', 'unreadable'],
  ['[{"symbol":"MXF1!","action":"buy"},{"symbol":"MXF1!","action":"sell"}]', 'several_orders'],
  ['{"symbol":"MXF1!","action":"buy"}\n{"symbol":"MXF1!","action":"sell"}', 'several_orders'],
  ['20261120091500 46500 新買\n20261120091500 46500 平買', 'several_orders'],
  ['{"symbol":"MXF1!","action":"buy","quantity":{{strategy.order.contracts}}}', 'unresolved_placeholder'],
  ['{"symbol":"{{ticker}}","action":"buy"}', 'unresolved_placeholder'],
  ['{"symbol":"MXF1!"}', 'missing_field'],
  ['{"symbol":"MXF1!","action":"dance"}', 'unknown_action'],
  ['{"symbol":"MXF1!","action":"reverse","contracts":4}', 'contradiction'],
  ['{"symbol":"FOO1!","action":"buy"}', 'unknown_symbol'],
  ['{"symbol":"TXF1!","action":"buy"}', 'symbol_mismatch'],
  ['{"symbol":"2330","action":"buy"}', 'symbol_mismatch'],
  ['{"symbol":"MXF1!","action":"buy","quantity":0}', 'bad_quantity'],
  ['{"symbol":"MXF1!","action":"buy","quantity":1.5}', 'bad_quantity'],
  ['{"symbol":"MXF1!","action":"buy","quantity":"1e3"}', 'bad_quantity'],
  ['{"symbol":"MXF1!","action":"buy","quantity":1000000000}', 'bad_quantity'],
  ['{"symbol":"MXF1!","action":"buy","position_size":0.5}', 'bad_quantity'],
  ['{"symbol":"MXF1!","action":"sell","market_position":"short","position_size":3}', 'contradiction'],
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

test("Autoview's keys are named as they are written", () => {
  const foreign = refusal('e=binance s=MXF1! b=long q=1')
  expect([foreign.field, foreign.reason]).toEqual([
    'e',
    '交易所「binance」（欄位 e）不是台灣的市場，「MXF1!」可能是別的商品：這裡只收台灣的期貨與股票',
  ])
  const twice = refusal('s=MXF1! b=long b=short q=1')
  expect([twice.field, twice.reason]).toEqual(['b', '欄位「b」出現兩次：請只留一個'])
  expect(refusal('s=MXF1! b=long q=many').reason).toContain('q')
})

test('that a variable belongs to strategy alerts is said of those that do, as they are written', () => {
  const said = (variable: string) => refusal({ symbol: 'MXF1!', action: variable }).reason
  for (const name of ['order.action', 'market_position', 'prev_market_position_size', 'position_size'])
    expect(said(`{{strategy.${name}}}`)).toContain('此變數只能用在策略快訊')
  for (const other of [
    '{{close}}',
    '{{ticker}}',
    '{{plot_0}}',
    '{{strategy.order.acton}}',
    '{{strategy.side}}',
    '{{ strategy.order.action }}',
    '{{strategy_order_action}}',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: somebody else's way of writing a variable
    '${action}',
    '%ACTION%',
  ]) {
    expect(said(other), other).toContain(`未替換的變數 ${other}`)
    expect(said(other), other).not.toContain('策略快訊')
  }
})
