// Every sentence of the specification names the test that proves it: docs/spec-proof.md is read, and its titles are looked for.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { missing, proofRows, ROOT } from '#tests/support/proofs.ts'

/** Sentences, table rows and list items of the specification; more may come, none may go. */
const ROWS = 139
/** What a `later:` may name. */
const LATER = ['原始資料']

interface Row {
  section: string
  sentence: string
  proofs: string[]
}

const rows: Row[] = proofRows('docs/spec-proof.md', /^\| \d \|/).map(([section, sentence, proof]) => ({
  section,
  sentence,
  proofs: proof.split(/; (?=tests\/|later: )/).filter(Boolean),
}))

/** What is wrong with one proof, or null. */
function fault(proof: string): string | null {
  const later = /^later: (.+)$/.exec(proof)?.[1]
  if (later !== undefined) return LATER.includes(later) ? null : `nobody is called 「${later}」`
  return missing(proof)
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
