// Tables of docs that name the tests that prove a sentence: read, and the titles looked for.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '../..')

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

/** Why a test that is named is not there, or null. */
export function missing(proof: string): string | null {
  const [path = '', title = ''] = proof.split(' › ')
  if (!/^tests\/.+\.(test|spec)\.ts$/.test(path)) return `no test file: ${proof}`
  if (!existsSync(join(ROOT, path))) return `${path} is not there`
  if (title.length < 8) return `「${title}」 names nothing`
  return titles(path).some((one) => one.includes(title)) ? null : `${path} has no test 「${title}」`
}

/** The rows `| § | what | proof |` of a page, their cells trimmed. */
export function proofRows(page: string, section: RegExp): [string, string, string][] {
  return readFileSync(join(ROOT, page), 'utf8')
    .split('\n')
    .filter((line) => section.test(line))
    .map((line) => {
      const [, at = '', what = '', proof = '', ...rest] = line
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll('\\|', '|'))
      if (rest.join('') !== '') throw new Error(`more than three cells: ${line}`)
      return [at, what, proof]
    })
}
