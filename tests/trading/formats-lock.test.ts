// What tries to come through the lock of confirmed formats: names that are none, what is kept nowhere, comments, codes, long texts.
import { describe, expect, test } from 'vitest'
import { partsOf } from '#trading/reader/match.ts'
import { compileFormats, proposeFormat, readMessage } from '#trading/reader/read.ts'
import type { Mapping } from '#trading/reader/shape.ts'
import { corpus } from './corpus.ts'
import { MXF, RECEIVED, STOCK } from './payload.ts'

const textOf = (body: string | object) => (typeof body === 'string' ? body : JSON.stringify(body))
const input = (body: string | object, mapping: Mapping | null = null) => ({
  body: textOf(body),
  format: 'auto' as const,
  ...{ mapping, unparsed_rule: null, received_at: RECEIVED, strategy: MXF },
})
const NONE = compileFormats([])
const kindOf = (body: string | object, formats = NONE) => readMessage(input(body), formats).kind
/** Only this message was seen by a person. */
const seen = (body: string | object, mapping: Mapping | null = null) => {
  const { format, reason } = proposeFormat({ ...input(body, mapping), answers: {} })
  if (format === null) throw new Error(`nothing to confirm: ${reason}`)
  return compileFormats([{ id: 'own', format }])
}
const OURS = { action: 'buy', symbol: 'MXF1!', quantity: 1 }
const OWN = { symbol: 'MXF1!', side: 'sell', lots: 1, px: 46_500 }

describe('two parts are never one', () => {
  test.each([
    '{"action":"buy","symbol":"MXF1!","quantity":1,"":{"action":"sell"}}',
    '{"":{"action":"sell"},"action":"buy","symbol":"MXF1!","quantity":1}',
    '{"action":"buy","symbol":"MXF1!","quantity":1,"":{"":{"quantity":5}}}',
    '{"action":"buy","symbol":"MXF1!","quantity":1,"":"x"}',
    '{"data.action":"buy","data":{"action":"sell"},"symbol":"MXF1!","quantity":1}',
  ])('%s', (body) => {
    expect(partsOf(body)).toBeNull()
    expect(kindOf(body)).not.toBe('signal')
  })

  test('a name with points is one part as before', () => {
    expect(kindOf({ 'strategy.order.action': 'buy', symbol: 'MXF1!', qty: 1 })).toBe('held')
    expect(partsOf('{"strategy.order.action":"buy","symbol":"MXF1!"}')?.leaves).toHaveLength(2)
  })

  test('equal names, however they are written', () => {
    const own = seen(OWN)
    for (const body of [
      '{"symbol":"MXF1!","side":"sell","side":"buy","lots":1,"px":46500}',
      '{"symbol":"MXF1!","side":"sell","\\u0073ide":"buy","lots":1,"px":46500}',
      '{"symbol":"MXF1!","side":"sell","side" :"buy","lots":1,"px":46500}',
      '{"symbol":"x\\":","symbol":"MXF1!","side":"sell","lots":1,"px":46500}',
    ])
      expect(readMessage(input(body), own)).toMatchObject({ kind: 'rejected', reason_code: 'duplicate_key' })
  })
})

describe('what is kept nowhere confirms nothing', () => {
  test.each([
    { account: { paper: true } },
    { account: { reduceOnly: true } },
    { account: { mode: 'paper' } },
    { accounts: [{ side: 'sell' }] },
    { acct: ['short'] },
    { key: '{"side":"sell"}' },
  ])('%j', (more) => {
    expect(kindOf({ ...OURS, ...more })).toBe('held')
    expect(kindOf({ ...OWN, ...more }, seen(OWN))).toBe('held')
  })

  test.each([
    { account: '1234567' },
    { accounts: ['a', 'b'] },
    { token: 'abc-def' },
    { account: { name: 'x' } },
  ])('an account by itself is none of an order: %j', (more) =>
    expect(kindOf({ ...OURS, ...more })).toBe('signal'),
  )

  test('a token that is a product is looked at', () => {
    const own = seen({ token: 'MXF1!', side: 'buy', qty: 1, px: 46_500 })
    expect(kindOf({ token: 'MXF1!', side: 'sell', qty: 1, px: 46_500 }, own)).toBe('signal')
    expect(kindOf({ token: 'TXF1!', side: 'buy', qty: 1, px: 46_500 }, own)).toBe('held')
  })
})

describe('what is stored of a body reads as the body did', () => {
  const SECRET = 's3cr3t-word'
  const inside = { ...OURS, secret: SECRET }
  test.each([
    ['an object inside a text', { body: JSON.stringify(inside) }],
    ['two texts deep', { data: { body: JSON.stringify({ payload: JSON.stringify(inside) }) } }],
    ['in a list', { ...OURS, plots: [JSON.stringify({ password: SECRET })] }],
    ['pairs inside a text', { text: `secret=${SECRET};action=buy;symbol=MXF1!;qty=1` }],
    ['lines inside a text', { message: `密語：${SECRET}\naction: buy\nsymbol: MXF1!` }],
    ['words around an object', `token=${SECRET} ${JSON.stringify(OURS)}`],
    ['words and a secret', `取消 ${JSON.stringify(inside)}`],
    ['a comment that takes it back, and a secret', `/* 取消 */ ${JSON.stringify(inside)}`],
    ['nothing else in an object', { ...OURS, data: { token: SECRET } }],
    ['an address', { ...OURS, url: `https://example.com/x?token=${SECRET}` }],
    ['a list', [inside]],
    ['a text', JSON.stringify(JSON.stringify(inside))],
  ])('%s', (_, body) => {
    const read = readMessage(input(body), NONE)
    if (read.kind === 'heartbeat') throw new Error('a heartbeat')
    const { secret: __, body_without_secret: kept, ...rest } = read
    const shown = JSON.stringify({ ...rest, proposal: 'proposal' in rest && rest.proposal.fields })
    expect(kept).not.toContain(SECRET)
    expect(shown).not.toContain(SECRET)
    expect(partsOf(kept)?.leaves).toEqual(partsOf(textOf(body))?.leaves)
    expect(kindOf(kept)).toBe(read.kind)
  })

  test('of every body of the corpus', () => {
    for (const { body } of corpus()) {
      const parts = partsOf(body)
      if (parts === null || parts.closed !== null) continue
      const again = partsOf(parts.clean)
      expect([again?.text, again?.leaves, again?.clean]).toEqual([parts.text, parts.leaves, parts.clean])
    }
  })

  test('a text that is a message is kept as it came', () => {
    const body = JSON.stringify(JSON.stringify(OURS))
    expect(readMessage(input(body), NONE)).toMatchObject({ kind: 'signal', body_without_secret: body })
  })
})

describe('comments', () => {
  test.each([
    '/*取消*/ {B}',
    '{B}//取消',
    '{B} # cancel',
    '{"x":1, // test\n"action":"buy"}',
    '/* 測試 */{B}',
  ])('take a message back: %s', (text) =>
    expect(kindOf(text.replace('{B}', JSON.stringify(OURS)))).not.toBe('signal'),
  )

  test('are nothing else', () =>
    expect(kindOf('{"action":"buy", // 進場\n"symbol":"MXF1!", /* "quantity":2, */ "quantity":1}')).toBe(
      'signal',
    ))
})

describe('a part that was seen as it is, and is another now', () => {
  test.each([
    [{ stop_price: 0 }, { stop_price: 46_400 }],
    [{ cmd: 2 }, { cmd: 3 }],
    [{ type: 2 }, { type: 3 }],
    [{ foo: 'A1234567890' }, { foo: '零股' }],
    [{ foo: 'A1234567890' }, { foo: 'buy' }],
    [{ foo: 'A1234567890' }, { foo: '測試' }],
    [{ comment: 'x' }, { comment: '測試' }],
    [{ comment: 'x' }, { comment: 'test' }],
    [{ symbol_name: '小台' }, { symbol_name: '取消' }],
    [{ id: 'a-1' }, { id: 'cancelled' }],
    [{ session: '一般' }, { session: '零股' }],
  ])('%j, then %j', (first, then) => {
    const own = seen({ ...OWN, ...first })
    expect(kindOf({ ...OWN, ...first, side: 'buy' }, own)).toBe('signal')
    expect(kindOf({ ...OWN, ...then }, own)).toBe('held')
  })

  test('a sender’s number is another each time', () => {
    const own = seen({ ...OWN, foo: 'A1234567890' })
    expect(kindOf({ ...OWN, foo: 'B99-0000001' }, own)).toBe('signal')
  })

  test.each([{ reason: 'order cancelled' }, { tag: 'rejected' }, { exit_reason: 'cancelled by broker' }])(
    'without weight, and it says that nothing is done: %j',
    (more) => {
      const read = readMessage(input({ ...OWN, ...more }), NONE)
      expect(read).toMatchObject({ kind: 'held', unasked: null, proposal: { format: null } })
    },
  )
})

test('where a person said what the parts are, ours says nothing of a new word', () => {
  const mapping: Mapping = {
    ...{ fields: { action: 'action' }, words: { buy: 'short_entry' }, units: {}, ignore: [] },
    ...{ id_is_unique: false, strict: false },
  }
  const own = seen(OURS, mapping)
  expect(readMessage(input(OURS), own)).toMatchObject({ kind: 'signal', signal: { action: 'short_entry' } })
  expect(kindOf({ ...OURS, action: 'sell' }, own)).toBe('held')
})

test('a message of thousands of parts is refused, for little, and nothing private of it is kept', () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, 'x']))
  const read = readMessage(input({ account: { id: 'A-12345' }, ...OURS, ...many }), NONE)
  expect(read).toMatchObject({
    kind: 'rejected',
    reason_code: 'unreadable',
    reason: expect.stringContaining('200 個欄位'),
  })
  expect(read.kind === 'rejected' && read.body_without_secret).not.toContain('A-12345')
})

test('a long text of escaped quotes costs its length', () => {
  const quotes = '"'.repeat(32_000)
  const started = performance.now()
  for (const body of [{ message: quotes }, { ...OURS, comment: quotes }, { ...OURS, foo: quotes }])
    kindOf(JSON.stringify(body))
  // It took ten seconds for each.
  expect(performance.now() - started).toBeLessThan(1_500)
})

describe('a line of cells', () => {
  test.each([
    '2026/11/20,09:15:00,MXF1!,買進,2,46500,新倉',
    '2026/11/20 09:15:00,MXF1!,買進,2,46500,新倉',
    'MXF1!,買進,2,46500,新倉',
  ])('%s: when it was in front and 新倉 behind are proposed', (body) => {
    const { format, outcome } = proposeFormat({ ...input(body), answers: {} })
    expect(format?.fields.at(-1)).toMatchObject({ role: 'open_close', words: ['新倉'] })
    expect(outcome?.kind === 'signal' && outcome.signal).toMatchObject({
      ...{ symbol: 'MXF', action: 'long_entry', quantity: 2, price: 46_500 },
    })
  })
})

test.each(['小台多單進場 2口 46500', '小台 買進 2口 價格 46500'])(
  '%s at a stock strategy is the wrong address, no matter of units',
  (body) => {
    const found = readMessage({ ...input(body), strategy: STOCK }, NONE)
    expect(found).toMatchObject({ kind: 'rejected', reason_code: 'symbol_mismatch' })
    expect(found.kind === 'rejected' && found.reason).toContain('是期貨，但這個策略是股票策略')
  },
)
