// What comments and pages cite is there: pages and their sections, rulings, threats, faults, decisions, files.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { files, ROOT } from './support/sources.ts'

interface Source {
  path: string
  /** What a person wrote for a person: comments of code, the whole of a page. */
  prose: string
}

const every = [
  ...['.github', 'contract', 'docs', 'public', 'server', 'src', 'sw', 'tests', 'trading'].flatMap((room) => {
    try {
      return readdirSync(join(ROOT, room), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      return []
    }
  }),
  ...readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name),
]
const there = new Set(every)
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** Of code only the comments. */
const commentsOf = (text: string) =>
  [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<![:\w'"`/\\])\/\/.*/g)].map(([comment]) => comment).join('\n')

/** Of tests also what they say in words: a title cites as a comment does. */
const titlesOf = (path: string, text: string) =>
  path.startsWith('tests/') && path !== 'tests/citations.test.ts'
    ? [...text.matchAll(/(['"`])(?:(?!\1).)*§\s?\d(?:(?!\1).)*\1/g)].map(([title]) => title).join('\n')
    : ''

const sources: Source[] = [
  ...files.map(({ path, text }) => ({ path, prose: `${commentsOf(text)}\n${titlesOf(path, text)}` })),
  ...every
    .filter((path) => /\.(css|mjs)$/.test(path))
    .map((path) => ({ path, prose: commentsOf(read(path)) })),
  ...every.filter((path) => path.endsWith('.md')).map((path) => ({ path, prose: read(path) })),
]

const pages = Object.fromEntries(
  every
    .filter((path) => path.startsWith('docs/pages/'))
    .map((path) => [path.slice('docs/pages/'.length, -'.md'.length), read(path)]),
)
const sectionsOf = (page: string) =>
  new Set([...(pages[page] ?? '').matchAll(/^#{2,4} (\d+(?:\.\d+)*)\.? /gm)].map(([, section]) => section))
const sections = Object.fromEntries(Object.keys(pages).map((page) => [page, sectionsOf(page)]))
/** The numbered sentences of a section. */
function rulesOf(page: string, section: string): Set<string | undefined> {
  const from = (pages[page] ?? '').split(new RegExp(`^#{2,4} ${section}\\.? `, 'm'))[1]
  return new Set([...(from?.split(/^#{2,4} /m)[0] ?? '').matchAll(/^(\d+)\. /gm)].map(([, rule]) => rule))
}
const numbersOf = (page: string, pattern: RegExp) =>
  new Set([...(pages[page] ?? '').matchAll(pattern)].map(([, number]) => number))
const rulings = numbersOf('rulings', /^(?:\| |- \*\*)([AC]\d+) /gm)
const threats = numbersOf('reliability', /^\| (T\d+) \|/gm)
const faults = numbersOf('reliability', /^\| (F\d+) \|/gm)
const decisions = new Set(
  every.flatMap((path) => /^docs\/decisions\/(\d{3})-[a-z0-9-]+\.md$/.exec(path)?.[1] ?? []),
)

const NUMBER = String.raw`\d+(?:\.\d+)*`
const LIST = '(?:, | and |–)'
/** `spec §4, §6`, `domain §§5.4, 7.3`, `domain §4.8, rules 2–3, 8` or `domain §4.8(9)`. */
const SECTIONS = new RegExp(
  String.raw`\b(spec|wire|domain|operations|product|pwa|reliability|quality|look|rulings)(?:\.md)?\x60?[,:]?\s+` +
    String.raw`(§§${NUMBER}(?:${LIST}${NUMBER})*|§\s?${NUMBER}(?:${LIST}§${NUMBER})*)` +
    String.raw`(?:, rules? (\d+(?:${LIST}\d+)*)|\((\d+)\))?`,
  'gi',
)
/** `domain §4.5, rule 7; §4.8, rule 1`: the page is said once. */
const SAID_ONCE = new RegExp(`(${SECTIONS.source}); (?=§)`, 'gi')
/** What is no page of ours says itself whose section it is. */
const FOREIGN = /(?:\bRFC \d+|證券交易稅條例) §[\d.-]*\d/g
const BARE = /§+\s?\d+(?:\.\d+)*/g
const RULING = /\brulings?\s+([AC]\d+(?:(?:, | and |–)[AC]\d+)*)/gi
const DECISION = /\bdecisions?\s+(\d{3}(?:(?:, | and )\d{3})*)/gi
const FILE =
  /(?<![\w@#/.<-])((?:contract|docs|public|server|src|sw|tests|trading)\/[\w./-]*\w\.(?:ts|tsx|md|mjs|json|css|html|png))\b/g
const LINK = /\]\(([^)#:\s]+)(?:#[^)]*)?\)/g

/** Names of pages without their folder stand for docs/pages/ and docs/. */
const isPage = (from: string, name: string) =>
  [dirname(from), '.', 'docs', 'docs/pages', 'docs/decisions'].some((at) =>
    there.has(normalize(join(at, name))),
  )

/** A path may be written from inside its room on: `events/transaction.ts`. */
const ends = (file: string) => there.has(file) || every.some((one) => one.endsWith(`/${file}`))
/** In pages also short ones, where they are marked as code: `rows.ts`. */
const MARKED = /`([\w-][\w./-]*\.(?:tsx?|mjs|css))\b/g
/** Also what of a file is meant: `listen.ts: LIMITS`, `intake.ts: Intake.#commit`. */
const NAMED = /`([\w-][\w./-]*\.tsx?): ([\w.#]+)`/g
const names = (file: string, name: string) =>
  every
    .filter((path) => path === file || path.endsWith(`/${file}`))
    .some((path) => name.split(/[.#]+/).every((part) => new RegExp(`\\b${part}\\b`).test(read(path))))

/** Everything in a text that leads nowhere. */
function lost({ path, prose }: Source): string[] {
  const wrong: string[] = []
  const say = (what: string) => wrong.push(`${path}: ${what}`)
  const whole = prose.replace(SAID_ONCE, '$1; $2 ')
  for (const [, page = '', list = '', several = '', one = ''] of whole.matchAll(SECTIONS)) {
    const numbers = [...list.matchAll(new RegExp(NUMBER, 'g'))].map(([number]) => number)
    for (const number of numbers) if (!sections[page.toLowerCase()]?.has(number)) say(`${page} §${number}`)
    for (const [rule] of `${several} ${one}`.matchAll(/\d+/g))
      if (!rulesOf(page.toLowerCase(), numbers.at(-1) ?? '').has(rule))
        say(`${page} §${numbers.at(-1)}, rule ${rule}`)
  }
  // A page may speak of its own sections; code and tests have none.
  if (!path.endsWith('.md'))
    for (const [bare] of whole.replaceAll(SECTIONS, '').replaceAll(FOREIGN, '').matchAll(BARE))
      say(`${bare} of no page`)
  for (const [, list = ''] of prose.matchAll(RULING))
    for (const [number] of list.matchAll(/[AC]\d+/g)) if (!rulings.has(number)) say(`ruling ${number}`)
  if (path.startsWith('docs/decisions/'))
    for (const [, number = ''] of prose.matchAll(/\(([AC]\d{1,2})\)/g))
      if (!rulings.has(number)) say(`ruling ${number}`)
  for (const [, list = ''] of prose.matchAll(DECISION))
    for (const [number] of list.matchAll(/\d{3}/g)) if (!decisions.has(number)) say(`decision ${number}`)
  for (const [, number = ''] of prose.matchAll(/docs\/decisions\/(\d{3})\b(?!-)/g))
    if (!decisions.has(number)) say(`docs/decisions/${number}`)
  for (const [, number = ''] of prose.matchAll(/(?<![\w+:.-])(T\d{1,2})\b(?![:-])/g))
    if (!threats.has(number)) say(`threat ${number}`)
  for (const [, number = ''] of prose.matchAll(/(?:\(|fault |reliability\.md )(F\d{1,2})\b/g))
    if (!faults.has(number)) say(`fault ${number}`)
  for (const [, file = ''] of prose.matchAll(FILE)) if (!ends(file)) say(file)
  for (const [, name = ''] of prose.matchAll(/(?<![\w/.<>…-])([\w-]+\.md)\b/g))
    if (!isPage(path, name)) say(name)
  if (!path.endsWith('.md')) return wrong
  for (const [, file = ''] of prose.matchAll(MARKED)) if (!ends(file)) say(file)
  for (const [, file = '', name = ''] of prose.matchAll(NAMED))
    if (ends(file) && !names(file, name)) say(`${file}: ${name}`)
  for (const [, link = ''] of prose.matchAll(LINK)) {
    const to = normalize(join(dirname(path), link)).replace(/\/$/, '')
    if (!there.has(to) && !every.some((one) => one.startsWith(`${to}/`))) say(`link ${link}`)
  }
  return wrong
}

describe('citations', () => {
  test('what is cited is there', () => {
    expect(sources.flatMap(lost)).toEqual([])
  })

  test('the rules that messages of the corpus name are there', () => {
    const wrong = every
      .filter((path) => /^tests\/fixtures\/webhooks\/.*corpus\.json$/.test(path))
      .flatMap((path) =>
        [...read(path).matchAll(/"why": "§(\d+\.\d+)\((\d+)\)/g)]
          .filter(([, section = '', rule]) => !rulesOf('domain', section).has(rule))
          .map(([why]) => `${path}: ${why}`),
      )
    expect(wrong).toEqual([])
  })

  test('the list of decisions has all of them, with title, status and day as they say themselves', () => {
    const rows = every
      .filter((path) => /^docs\/decisions\/\d/.test(path))
      .toSorted()
      .map((path) => {
        const [first = '', , third = ''] = read(path).split('\n')
        const title = /^# (\d{3}) · (.+)$/.exec(first)
        const status = /^\*(\d{1,2} [A-Z][a-z]+ 20\d\d) · (.+)\.\*$/.exec(third)
        if (title === null || status === null)
          return `${path} begins "# NNN · Title", then "*D Month YYYY · Status.*"`
        return `| [${title[1]}](${path.slice('docs/decisions/'.length)}) | ${title[2]} | ${status[2]} | ${status[1]} |`
      })
    const listed = read('docs/decisions/README.md')
      .split('\n')
      .filter((line) => /^\| \[/.test(line))
    expect(listed).toEqual(rows)
  })

  test('what leads nowhere is found', () => {
    const bad: Record<string, string> = {
      'spec §4, §77': 'spec §77',
      'wire.md §1 and §99': 'wire §99',
      '`domain.md` §§4.8, 4.99': 'domain §4.99',
      'domain §4.8, rules 2–3, 88': 'domain §4.8, rule 88',
      'domain §4.5, rule 1; §4.8, rule 87': 'domain §4.8, rule 87',
      'domain §4.8(89)': 'domain §4.8, rule 89',
      'rulings A1, A99': 'ruling A99',
      'decisions 001 and 999': 'decision 999',
      'docs/decisions/998': 'docs/decisions/998',
      'as threat T88 says': 'threat T88',
      'the disk is full (F88)': 'fault F88',
      'see tests/none.test.ts': 'tests/none.test.ts',
      'in `none/at-all.ts: none`': 'none/at-all.ts',
      'in `server/listen.ts: none_of_it`': 'server/listen.ts: none_of_it',
      'in `intake.ts: Intake.#none_of_it`': 'intake.ts: Intake.#none_of_it',
      'see nowhere.md': 'nowhere.md',
      '[there](nowhere/at-all)': 'link nowhere/at-all',
    }
    for (const [prose, what] of Object.entries(bad))
      expect(lost({ path: 'docs/example.md', prose })).toEqual([`docs/example.md: ${what}`])
    for (const path of ['tests/example.ts', 'src/example.css'])
      expect(lost({ path, prose: 'domain §4.5, RFC 9562 §5.7 and by §4.8' })).toEqual([
        `${path}: §4.8 of no page`,
      ])
    expect(titlesOf('tests/example.ts', "it('§4.8 a title', () => {})")).toBe("'§4.8 a title'")
    expect(commentsOf("const a = 'spec §88' // spec §1\n/* two\n lines */ b()")).toBe(
      '// spec §1\n/* two\n lines */',
    )
  })
})
