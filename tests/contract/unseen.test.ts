// Every text of every call's input refuses what nobody sees (docs/decisions/accounts.md): a new field cannot forget it.
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ENDPOINTS } from '#contract/index.ts'

/** Texts that are taken as they are, by what they are. */
const AS_SENT = {
  'messages, which stay as they were sent': [
    'webhook.test › body',
    'webhook.learn › body',
    'webhook.preview › body',
    'line.updates › events.[].type',
  ],
  'only compared, never stored nor shown': [
    'session.login › password',
    'session.check-reset-token › token',
    'session.reset-password › token',
    'session.update-password › old_password',
    'session.prolong › password',
    'profile.update-email › password',
    'profile.delete › password',
    'sso.link › password',
  ],
  'judged one by one: a bad one is named in the answer': ['invitation.create › emails.[]'],
}

type Shape = { [key: string]: unknown; type: string }
const defOf = (schema: unknown) => (schema as { _zod: { def: Shape } })._zod.def

/** The texts in a schema, each with its path. */
function textsIn(schema: unknown, path: readonly string[] = []): { path: string; schema: z.ZodMiniType }[] {
  const def = defOf(schema)
  const into = (part: unknown, ...more: string[]) => (part ? textsIn(part, [...path, ...more]) : [])
  // What is made of a text is judged whole: a word for yes or no takes no other.
  if (def.type === 'string' || (def.type === 'pipe' && defOf(def['in']).type === 'string'))
    return [{ path: path.join('.'), schema: schema as z.ZodMiniType }]
  if (def.type === 'object')
    return Object.entries(def['shape'] as object).flatMap(([name, part]) => into(part, name))
  if (def.type === 'union') return (def['options'] as unknown[]).flatMap((part) => into(part))
  if (def.type === 'tuple') return (def['items'] as unknown[]).flatMap((part) => into(part, '[]'))
  return [
    ...into(def['innerType']),
    ...into(def['element'], '[]'),
    ...into(def['keyType'], '{key}'),
    ...into(def['valueType'], '{}'),
    ...into(def['in']),
    ...into(def['out']),
  ]
}

/** As long and as short as a text may be asked to be. */
const LENGTHS = [1, 8, 20, 40, 200]
const UNSEEN = ['\0', '\ud800', '\u202e', '\u2067', '\u200f', '\u061c']

/** Whether one of these stands in what the schema takes. */
const takes = (schema: z.ZodMiniType) =>
  UNSEEN.some((sign) =>
    LENGTHS.some((length) => z.safeParse(schema, `${'a'.repeat(length)}${sign}b`).success),
  )

const all = ENDPOINTS.flatMap(({ name, input }) =>
  textsIn(input).map((text) => ({ ...text, path: `${name} › ${text.path}` })),
)

test('no text of an input takes a sign that nobody sees', () => {
  expect(all.length).toBeGreaterThan(100)
  const taken = all.filter(({ schema }) => takes(schema)).map(({ path }) => path)
  expect(taken.toSorted()).toEqual(Object.values(AS_SENT).flat().toSorted())
})

/** Names that people meet, by the last part of the path; what is only compared or searched for is none. */
const NAMES = ENDPOINTS.flatMap(({ name, input }) =>
  textsIn(input)
    .filter(({ path }) => /(^|\.)(name|title|label|xq_script_name)$/.test(path))
    .filter(() => !/delete|dissolve|remove/.test(name))
    .map((found) => [`${name} › ${found.path}`, found.schema] as const),
)

test.each(NAMES)('%s is no name of signs that draw nothing', (_, schema) => {
  for (const blank of ['\u200b\u200b', '\u2800\u2800', '\u3164', '\u00ad', '\u{e0041}', '\u2060 \ufeff'])
    expect(z.safeParse(schema, blank).success, JSON.stringify(blank)).toBe(false)
  const inside = z.safeParse(schema, '林\u200b小波')
  expect(inside.success && inside.data).toBe('林小波')
  // A variation of a sign that has none draws as that sign.
  const varied = z.safeParse(schema, 'Lin\ufe0fBo\u{e0100} 1\ufe0f')
  expect(varied.success && varied.data).toBe('LinBo 1')
  const drawn = ['👨‍👩‍👧', '葛󠄀城', '❤️波', '1️⃣隊']
  for (const name of drawn) expect(z.safeParse(schema, name).data).toBe(name)
})
