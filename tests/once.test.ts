// What is said twice, or never asked for: words, functions and exports.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { files, ROOT, target } from './support/sources.ts'

const bare = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/.*/g, '')
const build = { path: 'vite.config.ts', text: readFileSync(join(ROOT, 'vite.config.ts'), 'utf8') }
const sources = [...files, build].map(({ path, text }) => ({ path, code: bare(text) }))
/** Not the tests, nor what only shows or makes examples. */
const product = sources.filter(({ path }) => !/^tests\/|\/(demo|sample|seed)\//.test(path))

/** Names of values that a file gives to others. */
const EXPORTED = /^export (?:abstract |async )*(?:const|let|function\*?|class) (\w+)/gm

/** Asked for by tools: the router, the compiler of JSX. */
const BY_TOOLS = /^src\/routes\/|^src\/glance\/elements\.ts$/

/** Names of shapes that a file gives to others. */
const TYPES = /^export (?:type|interface) (\w+)/gm

/** Shapes that no line names but the one that makes them. */
function unnamed(all: readonly { path: string; code: string }[]): string[] {
  const times = new Map<string, number>()
  for (const { code } of all)
    for (const name of code.match(/\w+/g) ?? []) times.set(name, (times.get(name) ?? 0) + 1)
  return all
    .filter(({ path }) => !BY_TOOLS.test(path))
    .flatMap(({ path, code }) =>
      [...code.matchAll(TYPES)]
        .filter(([, name = '']) => times.get(name) === 1)
        .map(([, name]) => `${path}: ${name}`),
    )
}

/** Exports that no other file names. */
function unasked(all: readonly { path: string; code: string }[]): string[] {
  const places = new Map<string, number>()
  for (const { code } of all)
    for (const name of new Set(code.match(/\w+/g))) places.set(name, (places.get(name) ?? 0) + 1)
  return all
    .filter(({ path }) => !path.startsWith('tests/') && !BY_TOOLS.test(path))
    .flatMap(({ path, code }) =>
      [...code.matchAll(EXPORTED)]
        .filter(([, name = '']) => places.get(name) === 1)
        .map(([, name]) => `${path}: ${name}`),
    )
}

/** Exports that stand nowhere in the product but where they are made: what a test proves of them proves nothing of it. */
function unused(all: readonly { path: string; code: string }[]): string[] {
  const own = all.filter(({ path }) => !path.startsWith('tests/'))
  const times = new Map<string, number>()
  for (const { code } of own)
    for (const name of code.match(/\w+/g) ?? []) times.set(name, (times.get(name) ?? 0) + 1)
  return own
    .filter(({ path }) => !BY_TOOLS.test(path))
    .flatMap(({ path, code }) =>
      [...code.matchAll(EXPORTED)]
        .filter(([, name = '']) => times.get(name) === 1 && !(name in LATER))
        .map(([, name]) => `${path}: ${name}`),
    )
}
/** Made before what uses it, by a page of the specification. */
const LATER: Record<string, string> = {}

/** Values given out that nothing asks for but tests, by why tests come in there; and what the build asks for by itself. */
const DOORS: Record<string, readonly string[]> = {
  'vite.config.ts writes the import': ['contract/endpoint.ts: keptInput'],
  'a bound, and the test stands at it': [
    'server/db/sqlite.ts: LOG_MOST',
    'server/http/linger.ts: LINGER_MS',
    'src/data/device/records.ts: FIRST',
    'src/data/device/shelf.ts: SLOW_MS',
    'trading/silence.ts: GAPS_LEAST',
  ],
  'a list, and the test goes through all of it': [
    'contract/common-passwords.ts: COMMON_PASSWORDS',
    'contract/events.ts: EVENT_KINDS',
    'contract/webhook-bridge.ts: BRIDGE_PLATFORMS',
    'server/cli/entry-contract.ts: IN_ENTRY',
    'server/market/symbols-file.ts: shippedSymbols',
    'server/record/erase.ts: OF_STRATEGY',
    'server/record/erase.ts: OF_WEBHOOK',
    'src/data/nouns/queued.ts: BY_HAND',
  ],
  'a name outside of the code: of a file, a key of storage, a path, words to be found': [
    'contract/note-image-address.ts: NOTE_IMAGE_PATH',
    'server/backup/unfinished.ts: NOTE',
    'src/data/device/leases.ts: LEASES_KEY',
    'src/data/device/wipe.ts: LEAVING_KEY',
    'src/features/guide/topics/senders.ts: MULTICHARTS_LINE',
    'src/features/guide/topics/senders.ts: XQ_LINE',
    'src/state/session.ts: BAD_TOKEN',
  ],
  'what comes at its time by itself: the test does not wait for the hour': [
    'server/announcement/publish.ts: publishDue',
    'server/housekeeping.ts: tidy',
    'server/market/keep.ts: readMarket',
    'server/midnight.ts: untilMidnight',
    'server/notify/expiring.ts: remindOfEnds',
    'src/data/device/leases.ts: endOfDay',
    'src/data/live/stream.ts: reconnectDelay',
  ],
  'a rule with more cases than whole ways to it would be worth': [
    'contract/fields.ts: hasControl',
    'server/cli/chunks.ts: namedAreThere',
    'server/cli/entry-contract.ts: wrongInEntry',
    'server/mail/messages.ts: escapeHtml',
    'server/notify/channels/discord/channel.ts: resultOf',
    'server/notify/channels/email/channel.ts: resultOf',
    'server/notify/channels/line/channel.ts: retryKey',
    'server/notify/channels/line/ration.ts: rationOf',
    'server/notify/channels/telegram/chats.ts: plainName',
    'server/notify/channels/webhook/channel.ts: resultOf',
    'server/notify/planner.ts: isUrgent',
    'server/notify/rests.ts: restMs',
    'server/notify/settings.ts: defaultWishes',
    'server/seed/feed.ts: closedText',
    'server/seed/feed.ts: nextMove',
    'server/signal/csv.ts: lineOf',
    'src/data/identity/user-data.ts: changesUser',
    'src/data/nouns/notification-setting.ts: valueAt',
    'src/features/dashboard/day.ts: sumOf',
    'src/features/strategy/detail/chart-frame.ts: tickText',
    'src/features/strategy/form/check.ts: keyOf',
    'trading/manual.ts: mayTakeAll',
    'trading/stock-rules.ts: ruleFor',
  ],
  'a piece of the server or the build that a test puts together itself': [
    'server/cli/building.ts: compress',
    'server/http/static.ts: loadFiles',
  ],
}

/** Who asks: a name, or `*` for all of a file. */
const ASKED = /\b(?:import|export)\s+(?:type\s+)?([^'";]*?)\s+from\s+'([^']+)'|\bimport\(\s*'([^']+)'/g

/** Exports that no import outside of the tests names. */
function forTests(all: readonly { path: string; code: string }[]): string[] {
  const asked = new Set<string>()
  for (const { path, code } of all.filter((one) => !one.path.startsWith('tests/')))
    for (const [, clause = '*', from, loaded] of code.matchAll(ASKED)) {
      const to = target(path, (from ?? loaded) as string)
      if (clause.includes('*')) asked.add(`${to}: *`)
      for (const name of /\{([^}]*)\}/.exec(clause)?.[1]?.split(',') ?? [])
        asked.add(
          `${to}: ${name
            .trim()
            .replace(/^type /, '')
            .replace(/ as .*/, '')}`,
        )
    }
  return all
    .filter(({ path }) => !path.startsWith('tests/') && !BY_TOOLS.test(path))
    .flatMap(({ path, code }) =>
      [...code.matchAll(EXPORTED)]
        .map(([, name]) => `${path}: ${name}`)
        .filter((one) => !asked.has(one) && !asked.has(`${path}: *`)),
    )
}

/** What a screen draws is put together by names like these; a table of words has the names of what it is about. */
const DRAWN = new Set(['label', 'title', 'note', 'seal', 'text'])

/** The words that a table gives to its names; of every flat `{ … }` of a file. */
const tablesOf = (code: string) =>
  [...code.matchAll(/\{([^{}]*)\}/g)].map(
    ([, inside = '']) =>
      new Set(
        [...inside.matchAll(/(?:(\w+)|'([^'\n]+)'): ('[^'\n]*[\u4e00-\u9fff][^'\n]*')/g)]
          .map(([, bare = '', quoted = bare, words = '']) => [quoted, words] as const)
          .filter(([name]) => !DRAWN.has(name))
          .map(([name, words]) => `${name}: ${words}`),
      ),
  )

/** What stands deeper: `{ lot: { word: '口', size: 1 }, … }` gives its names words, too, and so do pieces of a table that is flat below. */
const nestedOf = (code: string) =>
  [...code.matchAll(/\{((?:\s*(?:\w+|'[^'\n]+'): \{[^{}]*\},?)+)\s*\}/g)].map(
    ([, inside = '']) =>
      new Set(
        [...inside.matchAll(/(?:(\w+)|'([^'\n]+)'): \{([^{}]*)\}/g)].flatMap(
          ([, bare = '', quoted = bare, below = '']) =>
            (below.match(/'[^'\n]*[\u4e00-\u9fff][^'\n]*'/g) ?? []).map((words) => `${quoted}: ${words}`),
        ),
      ),
  )

/** Tables of two files that give three or more names the same words. */
function saidTwice(all: readonly { path: string; code: string }[]): string[] {
  const tables = all.flatMap(({ path, code }) =>
    [...tablesOf(code), ...nestedOf(code)]
      .filter((words) => words.size > 2)
      .map((words) => ({ path, words })),
  )
  return tables.flatMap(({ path, words }, at) =>
    tables.slice(at + 1).flatMap((other) => {
      const both = other.path === path ? [] : [...words].filter((pair) => other.words.has(pair))
      return both.length < 3 ? [] : [`${path} and ${other.path}: ${both.join(', ')}`]
    }),
  )
}

describe('once', () => {
  test('what a file gives to others, another one asks for', () => {
    expect(unasked(sources)).toEqual([])
  })
  test('what a file gives to others, the product uses, and not only a test', () => {
    expect(unused(sources)).toEqual([])
    const there = sources.map(({ code }) => code).join('\n')
    expect(Object.keys(LATER).filter((name) => !there.includes(`function ${name}(`))).toEqual([])
  })
  test('what only tests ask for is a door for them, with its reason', () => {
    expect(forTests(sources).sort()).toEqual(Object.values(DOORS).flat().sort())
  })
  test('a shape that a file gives to others is named somewhere', () => {
    expect(unnamed(sources)).toEqual([])
  })
  test('no table of words stands in two places', () => {
    expect(saidTwice(product)).toEqual([])
  })
  test('what is said twice or asked for by nobody is found', () => {
    const one = { path: 'a.ts', code: "export const A = { one: '一', two: '二', three: '三' }" }
    const other = {
      path: 'b.ts',
      code: "import { A } from 'a'\nconst B = { three: '三', two: '二', one: '一', x: A }",
    }
    expect(saidTwice([one, other])).toHaveLength(1)
    // also where a name needs quotes, or has them in one of the two
    const quoted = { path: 'c.ts', code: "const C = { 'one': '一', two: '二', 'xq-three': '三' }" }
    const again = { path: 'd.ts', code: "const D = { one: '一', 'two': '二', 'xq-three': '三' }" }
    expect(saidTwice([quoted, again])).toHaveLength(1)
    const deep = {
      path: 'e.ts',
      code: "const E = {\n  one: { word: '一', size: 1 },\n  two: { word: '二' },\n  'xq-three': { word: '三' },\n}",
    }
    expect(saidTwice([quoted, deep])).toHaveLength(1)
    expect(saidTwice([deep, { ...deep, path: 'f.ts' }])).toHaveLength(1)
    const shapes = { path: 'g.ts', code: 'export interface A {}\nexport type B = A\nexport type C = A' }
    expect(unnamed([shapes, { path: 'h.ts', code: "import type { B } from 'g'" }])).toEqual(['g.ts: C'])
    expect(unasked([one, other])).toEqual([])
    expect(unasked([one])).toEqual(['a.ts: A'])
    const proved = { path: 'tests/a.test.ts', code: 'expect(A.one)' }
    expect(unused([one, proved])).toEqual(['a.ts: A'])
    expect(unused([one, other, proved])).toEqual([])
    const a = "'./a.ts'"
    const asking = { path: 'b.ts', code: `import { B as A } from ${a}` }
    const whole = { path: 'b.ts', code: `const a = import(${a})` }
    const tested = { path: 'tests/a.test.ts', code: `import { A } from '.${a.slice(1)}` }
    expect(forTests([one, asking, tested])).toEqual(['a.ts: A'])
    expect(forTests([one, { ...asking, code: `import { A } from ${a}` }])).toEqual([])
    expect(forTests([one, whole])).toEqual([])
  })
})
