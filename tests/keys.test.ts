// Keys of answers are spelled in src/data/keys.ts and nowhere else, and nobody else knows what stands where inside one.
import { expect, test } from 'vitest'
import { keys } from '#data/keys.ts'
import { files } from './support/sources.ts'

/** src/early.ts says its own: it may import nothing, and its types prove the spelling. */
const elsewhere = files.filter(({ path }) => /^(src\/(?!data\/keys\.ts|early\.ts)|sw\/)/.test(path))
/** What an address is takes no part in it. */
const code = (text: string) => text.replace(/(?<!:)\/\/.*|\/\*[\s\S]*?\*\//g, '')

/** What stands second in a key: its noun. */
const nouns = new Set<string>()
const look = (part: unknown): void => {
  if (typeof part === 'function') look(part('personal', 'x', {}))
  else if (!Array.isArray(part)) for (const one of Object.values(part as object)) look(one)
  else if (typeof part[1] === 'string') nouns.add(part[1])
}
look({ ...keys, noun: keys.all, person: { ...keys.person, noun: keys.person.all } })
const NOUN = `['"\`](${[...nouns].join('|')})['"\`]`

const WALLS: Record<string, { seen: RegExp[]; wrong: string[]; right: string[] }> = {
  'a key is spelled': {
    seen: [
      /\[\s*(ctx|'person'|'personal'|`org:[^`]*`)\s*,\s*['`]/g,
      /queryKey:\s*\[/g,
      /\[\s*'person'/g,
      // as text, which is how the device keeps it
      /\[\\?"(person|personal|org:)/g,
    ],
    wrong: [
      "[ctx, 'strategy', id]",
      "queryKey: ['user']",
      "const mine = ['person', 'user']",
      `.startsWith('["person","notification",')`,
      'const text = `["org:x","strategy"`',
      'const text = "[\\"personal\\",\\"dashboard\\"]"',
    ],
    right: ['keys.person.user', 'queryKey: keys.strategy.one(ctx, id)', "new Set(['personal'])"],
  },
  'a place inside a key is known': {
    seen: [
      /[kK]ey\)?\s*(\?\.)?\[\s*-?[1-9]/g,
      /[kK]ey\)?\s*\??\.(at\(\s*(?!0\))|slice\(|includes\(|indexOf\()/g,
      // taken apart: a second name, or a gap before it
      /\[\s*\w*\s*,[^\]]*\]\s*=\s*(\w+\??\.)*\w*[kK]ey\b/g,
      /queryKey:\s*\[\s*\w*\s*,/g,
      /\(\s*\[\s*\w*\s*,[^\]]*\]\s*:\s*(readonly unknown\[\]|QueryKey|Key)\s*\)/g,
    ],
    wrong: [
      'query?.queryKey[0] === ctx && query.queryKey[3] === id',
      'const noun = key.at(1)',
      'const [, noun] = query.queryKey',
      'const [whose, noun] = key',
      'predicate: ({ queryKey: [, noun] }) => isMine(noun)',
      'const isList = ([, noun, what]: readonly unknown[]) => true',
      'query.queryKey?.[1]',
    ],
    right: ['query?.queryKey[0] === ctx', 'const [first] = key', 'isUnder(queryKey, keys.group.all(ctx))'],
  },
  'a noun is named beside keys.ts': {
    seen: [
      new RegExp(`predicate\\b[^;]{0,120}?[!=]==?\\s*${NOUN}`, 'g'),
      new RegExp(`\\bnoun\\s*[!=]==?\\s*${NOUN}`, 'g'),
      /keys\.(person\.)?noun\(([^()]|\([^()]*\))*['"`]/g,
    ],
    wrong: [
      "predicate: ({ queryKey: key }) => nounOf(key) === 'strategy'",
      "const isList = noun === 'announcement' || noun === 'platform'",
      "keys.noun(ports.ctx(), 'signal')",
      "keys.person.noun('organization')",
    ],
    right: ['keys.noun(ctx, noun)', 'predicate: ({ queryKey }) => isAnnouncementList(queryKey)'],
  },
}

test('the nouns of keys are found', () => {
  expect([...nouns]).toEqual(
    expect.arrayContaining(['dashboard', 'signal', 'group', 'notification', 'market']),
  )
})

test.each(Object.entries(WALLS))('nowhere else %s', (_, { seen, wrong, right }) => {
  for (const line of wrong)
    expect(
      seen.some((one) => line.search(one) >= 0),
      line,
    ).toBe(true)
  for (const line of right)
    expect(
      seen.some((one) => line.search(one) >= 0),
      line,
    ).toBe(false)
  const found = elsewhere.flatMap(({ path, text }) =>
    seen.flatMap((one) => (code(text).match(one) ?? []).map((hit) => `${path}: ${hit.trim()}`)),
  )
  expect(found).toEqual([])
})
