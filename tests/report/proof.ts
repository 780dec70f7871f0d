// npm run proof: writes beside every sentence of docs/spec-proof.md and docs/domain-proof.md the tests that prove it. A test says so in
// a line above it: `// spec §2: profile | login only`, or the sentence's beginning and `…`.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { files, ROOT } from '../support/sources.ts'

export const PAGES = { spec: 'docs/spec-proof.md', domain: 'docs/domain-proof.md' } as const

interface Proof {
  page: keyof typeof PAGES
  section: string
  /** A sentence, or its beginning and `…`. */
  sentence: string
  /** `tests/file › title` */
  test: string
}

const OPENING =
  String.raw`^[ \t]*(?:test|it|describe|describeEngines)` +
  String.raw`(?:\.(?:skipIf|each)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\.\w+)*\(\s*`
/** After the table of an `.each` of any depth the title comes first. */
const AFTER_TABLE = String.raw`^[ \t]*(?:\] as const|\]|\)|[\w ]+\))*\)\(\s*`
const LINE = new RegExp(
  String.raw`^[ \t]*// (?<page>spec|domain) §(?<section>[\d.]+): (?<sentence>.+)$` +
    String.raw`|(?:${OPENING}|${AFTER_TABLE})(?<quote>['"\x60])(?<title>(?:\\.|(?!\k<quote>)[\s\S])*)\k<quote>`,
  'gm',
)

export function proofsIn(path: string, text: string): Proof[] {
  const proofs: Proof[] = []
  let waiting: Omit<Proof, 'test'>[] = []
  for (const { groups = {} } of text.matchAll(LINE)) {
    const { page, section = '', sentence = '', quote = '', title = '' } = groups
    if (page !== undefined) waiting.push({ page: page as Proof['page'], section, sentence })
    else {
      // without the tags by which the browser's tests are chosen
      const said = title.replaceAll(`\\${quote}`, quote).replace(/( @\w+)+$/, '')
      const test = `${path} › ${said}`
      proofs.push(...waiting.map((one) => ({ ...one, test })))
      waiting = []
    }
  }
  return [...proofs, ...waiting.map((one) => ({ ...one, test: '' }))]
}

const escaped = (text: string) => text.replaceAll('|', '\\|')

/** The page as the tests prove it; what is wrong stands in `wrong`. What is not there yet says so by itself: `later: …`, `not: …`. */
export function written(name: keyof typeof PAGES, text: string): { text: string; wrong: string[] } {
  const proofs = files
    .filter(({ path }) => /\.(test|spec)\.tsx?$/.test(path))
    .flatMap(({ path, text }) => proofsIn(path, text).filter(({ page }) => page === name))
  const wrong = proofs.filter(({ test }) => test === '').map(({ sentence }) => `no test below: ${sentence}`)
  const used = new Set<Proof>()
  const lines = text.split('\n').map((line) => {
    const [, section = '', sentence = '', proof = ''] =
      /^\| (\d[\d.]*) \| ((?:\\\||[^|])+?) \| (.*?) ?\|$/.exec(line) ?? []
    if (section === '') return line
    const mine = proofs.filter((one) => one.section === section && says(one.sentence, sentence))
    for (const one of mine) used.add(one)
    const open = /^(?:later|not): (?:(?!; tests\/).)+/.exec(proof)?.[0]
    const tests = [...new Set(mine.map(({ test }) => escaped(test)))].toSorted()
    if (!open && tests.length === 0) wrong.push(`§${section} ${sentence}: no test says that it proves this`)
    return `| ${section} | ${sentence} | ${[...(open ? [open] : []), ...tests].join('; ')} |`
  })
  for (const one of proofs)
    if (!used.has(one)) wrong.push(`${one.test}: ${PAGES[name]} has no 「§${one.section}: ${one.sentence}」`)
  return { text: lines.join('\n'), wrong }
}
const says = (named: string, sentence: string) =>
  named.endsWith('…') ? sentence.startsWith(escaped(named.slice(0, -1))) : sentence === escaped(named)

if (process.argv[1] === import.meta.filename)
  for (const name of ['spec', 'domain'] as const) {
    const page = join(ROOT, PAGES[name])
    const { text, wrong } = written(name, readFileSync(page, 'utf8'))
    for (const one of wrong) process.stderr.write(`${one}\n`)
    if (wrong.length > 0) process.exitCode = 1
    writeFileSync(page, text)
  }
