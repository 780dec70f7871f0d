// Every sentence of the specification names the test that proves it: docs/spec-proof.md is read, and its titles are looked for.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
/** Sentences, table rows and list items of the specification; more may come, none may go. */
const ROWS = 139
/** What a `later:` may name. */
const LATER = ['公告', '加入申請與邀請連結', '股票與 XQ 策略']

interface Row {
  section: string
  sentence: string
  proofs: string[]
}

const rows: Row[] = readFileSync(join(ROOT, 'docs/spec-proof.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d \|/.test(line))
  .map((line) => {
    const [, section = '', sentence = '', proof = '', ...rest] = line
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|'))
    if (rest.join('') !== '') throw new Error(`more than three cells: ${line}`)
    return { section, sentence, proofs: proof.split(/; (?=tests\/|later: )/).filter(Boolean) }
  })

/** Titles of the tests and groups in a file, as they are written there; a template keeps its `%s` and `${…}`. */
function titlesOf(text: string): string[] {
  // what is written but never run proves nothing
  const plain = text
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\b(?:test|it|describe)\.(?:skip|todo|fixme)\(/g, 'never(')
  const opening =
    /\b(?:test|it|describe|describeEngines)(?:\.(?:skipIf|each)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\.\w+)*\(\s*(?=['"`])/g
  // `.each` may be given a table of any depth: the title is then the first string after the table's end
  const after_table = /^[ \t]*(?:\] as const|\]|\)|[\w ]+\))*\)\(\s*(?=['"`])/gm
  return [...plain.matchAll(opening), ...plain.matchAll(after_table)].map((found) => {
    const rest = plain.slice((found.index ?? 0) + found[0].length)
    const quote = rest[0] as string
    let end = 1
    while (end < rest.length && rest[end] !== quote) end += rest[end] === '\\' ? 2 : 1
    return rest.slice(1, end).replaceAll(`\\${quote}`, quote)
  })
}
const read = new Map<string, string[]>()
function titles(path: string): string[] {
  const known = read.get(path) ?? titlesOf(readFileSync(join(ROOT, path), 'utf8'))
  read.set(path, known)
  return known
}

/** What is wrong with one proof, or null. */
function fault(proof: string): string | null {
  const later = /^later: (.+)$/.exec(proof)?.[1]
  if (later !== undefined) return LATER.includes(later) ? null : `nobody is called 「${later}」`
  const [path = '', title = ''] = proof.split(' › ')
  if (!/^tests\/.+\.(test|spec)\.ts$/.test(path)) return `no test file: ${proof}`
  if (!existsSync(join(ROOT, path))) return `${path} is not there`
  if (title.length < 8) return `「${title}」 names nothing`
  return titles(path).some((one) => one.includes(title)) ? null : `${path} has no test 「${title}」`
}

describe('the proof of the specification', () => {
  test('every sentence has its proof', () => {
    const wrong = rows.flatMap(({ section, sentence, proofs }) =>
      proofs.length === 0
        ? [`§${section} ${sentence}: no proof`]
        : proofs
            .map(fault)
            .flatMap((one) => (one === null ? [] : [`§${section} ${sentence.slice(0, 60)}: ${one}`])),
    )
    expect(wrong).toEqual([])
  })

  test('none is missing, none stands there twice, all sections are there in order', () => {
    expect(rows.length).toBeGreaterThanOrEqual(ROWS)
    const seen = rows.map(({ section, sentence }) => `${section} ${sentence}`)
    expect(seen.filter((one, n) => seen.indexOf(one) !== n)).toEqual([])
    expect([...new Set(rows.map(({ section }) => section))].join('')).toBe('0123456789')
    expect(rows.map(({ section }) => section)).toEqual(rows.map(({ section }) => section).toSorted())
    expect(rows.filter(({ sentence }) => sentence.length < 8)).toEqual([])
  })

  test('a page that only says that there is nothing waits for its issue, and no other page does', () => {
    const empty = readdirSync(join(ROOT, 'src/features'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('Page.tsx'))
      .map((path) => readFileSync(join(ROOT, 'src/features', path), 'utf8'))
      .filter((text) => text.includes('title="尚無資料"'))
      // the first line of a page says where it stands
      .map((text) => /^\/\/ \/(\S+?):/.exec(text)?.[1] ?? text.slice(0, 60))
    const routes = rows.filter(({ section, sentence }) => section === '2' && / \| \S/.test(sentence))
    const waits = routes.filter(({ proofs }) => proofs.some((proof) => proof.startsWith('later: ')))
    const standsIn = (path: string) => (one: Row) =>
      one.sentence.split(' | ')[0]?.split(', ').includes(path) === true
    for (const path of empty) expect(waits.filter(standsIn(path)).length, path).toBe(1)
    expect(waits.filter((one) => !empty.some((path) => standsIn(path)(one)))).toEqual([])
  })

  test('a proof that is not there is found', () => {
    expect(fault('tests/spec-proof.test.ts › every sentence has its proof')).toBeNull()
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the title is looked for as it is written
    expect(fault('tests/e2e/identity.spec.ts › switching on ${path} shows nothing')).toBeNull()
    expect(fault('tests/data/identity/session.test.ts › %s means signed out')).toBeNull()
    for (const bad of [
      'tests/spec-proof.test.ts › no such sentence',
      'tests/spec-proof.test.ts › describe',
      'tests/none.test.ts › every sentence',
      'src/text/spec.ts › every sentence',
      'later: 以後再說',
      'later',
    ])
      expect(fault(bad), bad).not.toBeNull()
  })
})
