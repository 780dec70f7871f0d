// Whatever stands in a body: the reader never throws, keeps its bounds, and is done at once.

import { expect, test } from 'vitest'
import { fc } from '#tests/support/property.ts'
import { sized } from '#tests/support/tier.ts'
import { MXF, read, STOCK } from './payload.ts'

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
          ? {
              fields: { symbol: 'a.b', action: 'action', time: 'time' },
              words: {},
              units: {},
              ignore: [],
              id_is_unique: false,
              strict: false,
            }
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
    { numRuns: sized(600, 2_000) },
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
