// The fast checker of answers says of every contract exactly what the contract itself says: the same value, the same issues.

import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { ENDPOINTS } from '#contract/index.ts'
import { signal_record } from '#contract/signal.ts'
import { checkerOf } from '#server/http/handle.ts'
import { fc } from '#tests/support/property.ts'
import { sized } from '#tests/support/tier.ts'
import { futuresTerms, record } from '#tests/trading/records.ts'
import { fold } from '#trading/fold.ts'
import type { DerivedWithFlags } from '#trading/record.ts'

type Schema = z.core.$ZodType

/** Values of a schema, most of them right: texts that no pattern takes come up too, and fields that it does not name. */
function valuesOf(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  const def = schema._zod.def as z.core.$ZodTypes['_zod']['def']
  if (depth > 6) return fc.constant(null)
  const inner = (one: unknown) => valuesOf(one as Schema, depth + 1)
  switch (def.type) {
    case 'object': {
      const shape = Object.fromEntries(Object.entries(def.shape).map(([key, one]) => [key, inner(one)]))
      return fc
        .tuple(fc.record(shape), fc.integer({ min: 0, max: 30 }))
        .map(([value, n]) =>
          n === 0
            ? { ...value, secret: 'x' }
            : n === 1
              ? Object.fromEntries(Object.entries(value).slice(1))
              : value,
        )
    }
    case 'array':
      return fc.array(inner(def.element), { maxLength: 3 })
    case 'nullable':
    case 'optional':
      return fc.oneof(inner(def.innerType), fc.constantFrom(null, undefined))
    case 'union':
      return fc.oneof(...def.options.map(inner))
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries), ...Object.values(def.entries), 'other')
    case 'literal':
      return fc.constantFrom(...def.values)
    case 'boolean':
      return fc.boolean()
    case 'number':
      return fc.constantFrom(0, 1, 12.5, -3, 40_000, Number.NaN)
    case 'record':
      return fc.dictionary(fc.constantFrom('a', 'b'), inner(def.valueType), { maxKeys: 2 })
    default:
      return fc.constantFrom(
        '0197a000-0000-7000-8000-000000000001',
        '2026-11-20T01:00:00.000Z',
        '2026-11-20',
        '文字',
        7,
        { nested: 1 },
      )
  }
}

test.each(ENDPOINTS.map((endpoint) => [endpoint.name, endpoint.output] as const))('%s', (_, output) => {
  const check = checkerOf(output)
  fc.assert(
    fc.property(valuesOf(output), (value) => {
      const [fast, plain] = [check(value), output.safeParse(value)]
      expect(fast.success).toBe(plain.success)
      expect(fast.data).toEqual(plain.data)
      expect(fast.error?.issues).toEqual(plain.error?.issues)
    }),
    { numRuns: sized(10, 30) },
  )
})

test('what the contract does not name is left out, what it forbids is found, anywhere in a record', () => {
  const check = checkerOf(signal_record)
  const { derived } = fold([record(1, 'buy', 1, 46_500)], futuresTerms('MXF'))
  const { flags, ...figures } = [...derived.values()][0] as DerivedWithFlags
  const right = {
    ...record(1, 'buy', 1, 46_500),
    ...{ seq: 1, prev_hash: '0', hash: '1', webhook_id: null, delivery_id: null },
    ...{
      symbol_name: '小台',
      trading_date: '2026-11-20',
      session: 'day',
      quiet: false,
      flags,
      derived: figures,
    },
  }
  expect(check(right)).toEqual({ success: true, data: right })
  const leaking = { ...right, password: 'x', derived: { ...figures, token: 'x' } }
  expect(check(leaking).data).toEqual(right)
  const wrong = { ...right, price: '46500', derived: { ...figures, effect: 'nothing', fee: undefined } }
  const paths = check(wrong).error?.issues.map(({ path }) => path.join('.'))
  expect(new Set(paths)).toEqual(new Set(['price', 'derived.effect', 'derived.fee']))
})
