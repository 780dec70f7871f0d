// Texts, numbers, JSON and requests that programs stumble over: of our own making, with the traps of Chinese among them.

import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { fc } from '#tests/support/property.ts'

/** Texts: full-width, bidi, composed and decomposed, half surrogates, NUL, joined emoji, rare glyphs, code of other languages. */
export const TEXTS: readonly string[] = [
  '',
  ' ',
  '\u3000',
  '\0',
  'a\0b',
  '\u001b[31m紅\u001b[0m',
  '\ud800',
  'x\udfff',
  '\ud83d 半個',
  '\ufeff開頭有標記',
  'ＴＸＦ１！',
  '１２３４．５',
  '買進（多單）：口',
  '\u202e由右至左\u202c',
  '\u2066隔離\u2069',
  'é 與 e\u0301',
  '가 與 ᄀ\u1161',
  'Å Å Å',
  '㍿㋿①⑳',
  '👩‍👩‍👧‍👦🏳️‍🌈🇹🇼',
  '碁恒裏粧嫺銹墻',
  '𠮷𡨴𩸽𪚥',
  '\ue000私用\uf8ff',
  '堃喆瑩犇峯',
  '許功蓋（許\\功\\蓋）',
  'İıſß',
  '\u200b零\u200d寬\u2060',
  'Z̷̨̛͔͇͓͆͊͝a̸̧̛l̶̡g̵̢o̷',
  '\u2028\u2029',
  '\r\n\r\nHTTP/1.1 200 OK',
  'undefined',
  'null',
  'NaN',
  'true',
  '-1',
  '1e309',
  '0x1F',
  '9007199254740993',
  '__proto__',
  'constructor',
  'toString',
  "' or 1=1 --",
  '"; drop table users; --',
  '%',
  '_%\\',
  '*',
  '{{7*7}}',
  `${'$'}{7*7}`,
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '=1+1',
  '@SUM(A1)',
  '../../../../etc/passwd',
  '..\\..\\',
  '%00%2e%2e%2f',
  '//evil.example',
  'file:///etc/passwd',
  '`id`',
  '$(id)',
  '|id',
  '01890000-0000-7000-8000-000000000000',
  '2026-02-30',
  '2026-13-01T25:61:61Z',
  '0000-00-00',
  '+275760-09-13T00:00:00.001Z',
  'a@b',
  'a@例子.測試',
  'é@example.com',
  'ſ@example.com',
  '長'.repeat(300),
  'a'.repeat(5_000),
  '(a+)+$'.repeat(50),
  ' '.repeat(2_000),
  '\n'.repeat(500),
  '🎉'.repeat(100),
]

const NUMBERS = [0, -0, -1, 1, 0.1, 1e-7, 1e21, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 53), 1.7976931348623157e308]

export const nastyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
)

/** Any JSON value that is not what was asked for. */
export const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  fc.constantFrom(...NUMBERS),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(null, true, false),
  fc.array(nastyText, { maxLength: 3 }),
  fc.dictionary(nastyText, fc.constantFrom<unknown>(1, 'x', null, [], {}), { maxKeys: 3 }),
)

interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
}

const UUID = '01890000-0000-7000-8000-'

/** Values that fit the JSON schema, or nearly. */
function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choice = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (choice) return fc.oneof(...choice.map(fitting))
  switch (schema.type) {
    case 'string': {
      if (schema.pattern?.includes('[0-9a-f]{12}'))
        return fc.nat(0xffffff).map((n) => UUID + n.toString(16).padStart(12, '0'))
      const { minLength = 0, maxLength = 40 } = schema
      return fc.string({
        unit: 'grapheme',
        minLength: Math.min(minLength, 60),
        maxLength: Math.max(minLength, Math.min(maxLength, 60)),
      })
    }
    case 'integer':
    case 'number': {
      const { minimum = -1_000, maximum = 1e6 } = schema
      const low = Math.ceil(Math.max(minimum, -1e9))
      return fc.integer({ min: low, max: Math.max(low, Math.floor(Math.min(maximum, 1e9))) })
    }
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(fitting(schema.items ?? {}), { maxLength: 4 })
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, worn(inner)]),
        ),
        { requiredKeys: [] },
      )
    default:
      return nastyValue
  }
}

/** Mostly fitting, now and then not. */
const worn = (schema: Schema): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 5, arbitrary: fitting(schema) }, { weight: 1, arbitrary: nastyValue })

/** Inputs for the endpoint, from its own schema. */
export function inputsOf(endpoint: Endpoint): fc.Arbitrary<Record<string, unknown>> {
  const schema = z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' }) as Schema
  return fitting({ type: 'object', properties: {}, ...schema }).map(
    (value) => value as Record<string, unknown>,
  )
}

/** `input` with some of its fields, at any depth, replaced, taken away or joined by others. */
export function wornOut(input: Record<string, unknown>): fc.Arbitrary<Record<string, unknown>> {
  const paths = pathsOf(input)
  const change = fc.tuple(
    fc.constantFrom(...paths, ['extra']),
    fc.oneof({ weight: 6, arbitrary: nastyValue }, { weight: 1, arbitrary: fc.constant(undefined) }),
  )
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const copy = structuredClone(input)
    for (const [path, value] of changes) {
      let at: Record<string, unknown> = copy
      for (const step of path.slice(0, -1)) {
        if (typeof at[step] !== 'object' || at[step] === null) at[step] = {}
        at = at[step] as Record<string, unknown>
      }
      const last = path.at(-1) as string
      if (value === undefined) delete at[last]
      else at[last] = value
    }
    return copy
  })
}

function pathsOf(value: unknown, path: string[] = []): string[][] {
  // A picture's bytes are one thing: taken away or replaced as a whole.
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return []
  return Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...pathsOf(inner, [...path, key])])
}

/** Bytes that are no proper JSON object, or barely one. */
export const TORTURE: readonly (string | Uint8Array)[] = [
  ...[
    '',
    ' ',
    '{',
    '}',
    '[',
    ']',
    '{]',
    '[}',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{,}',
    '{a:1}',
  ],
  ...[
    "{'a':1}",
    '{"a":01}',
    '{"a":+1}',
    '{"a":.5}',
    '{"a":1.}',
    '{"a":1e}',
    '{"a":0x1}',
    '{"a":NaN}',
    '{"a":Infinity}',
  ],
  ...[
    '{"a":1}{"b":2}',
    '{"a":1} x',
    '//c\n{}',
    '{"a":/*c*/1}',
    '{"a":"\t"}',
    '{"a":"\\x41"}',
    '{"a":"\\u12"}',
    '{"a":"\\',
  ],
  ...[
    'nul',
    'tru',
    'null',
    'true',
    '1',
    '"x"',
    '[]',
    '[{}]',
    '\ufeff{}',
    '{"a":"\\ud800"}',
    '{"a":"\\u0000"}',
    '\0',
    '{}\0',
  ],
  ...[
    '{"__proto__":{"polluted":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    '{"a":{"__proto__":{"polluted":1}}}',
  ],
  ...[
    '{"name":"a","name":"b"}',
    '{"":1}',
    `{"a":${'9'.repeat(5_000)}}`,
    '{"a":1e400}',
    '{"a":-1e-400}',
    '{"a":1E+2}',
  ],
  `${'['.repeat(100_000)}`,
  `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
  `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`,
  `{${Array.from({ length: 20_000 }, (_none, i) => `"k${i}":1`).join(',')}}`,
  `{"name":"${'長'.repeat(80_000)}"}`,
  `{"name":"${'\\u9577'.repeat(30_000)}"}`,
  `{"name":"${'x'.repeat(300_000)}"}`,
  new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xc0, 0xaf, 0x22, 0x7d]),
  new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x7d]),
  // 許功蓋 in Big5: each ends in a backslash.
  new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xb3, 0x5c, 0xa5, 0x5c, 0xbb, 0x5c, 0x22, 0x7d]),
  new Uint8Array(1_000).fill(0x80),
]
