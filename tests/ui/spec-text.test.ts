// The words that the specification writes itself: all of them in src/text/spec.ts, verbatim, and nowhere else (ruling C24).
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ERRORS } from '#contract/errors.ts'
import { BAD_TOKEN } from '#state/session.ts'
import * as spec from '#text/spec.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
/** The specification's own sentences: the middle column of the proof. */
const SENTENCES = read('docs/spec-proof.md')
  .split('\n')
  .filter((line) => /^\| \d \|/.test(line))
  .map((line) => line.slice(0, line.lastIndexOf(' | ')))
  .join('\n')
const code = ['src', 'server', 'contract', 'trading', 'sw'].flatMap((room) =>
  readdirSync(join(ROOT, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => path !== 'src/text/spec.ts')
    .map((path) => ({ path, text: read(path) })),
)

/** Every text with its name; what takes a value is given the specification's own sign for it. */
function texts(value: unknown, name = ''): [string, string][] {
  if (typeof value === 'string') return [[name, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => texts(inner, name ? `${name}.${key}` : key))
}
const TEXTS = texts({ ...spec })

// spec §8: Titles: API錯誤, 網路錯誤, 驗證錯誤, 認證錯誤, 授權錯誤, 未知錯誤.
test('every text that the specification writes stands in src/text/spec.ts, verbatim, and no other', () => {
  const whole = new Set(TEXTS.map(([, text]) => text))
  // what the functions put together
  const parts = ['已切換至', '身份', '管理者', '成員', '還有', '個錯誤未顯示']
  const written = SENTENCES.match(/[A-Z]*\p{Script=Han}[\p{Script=Han}，]*(?:\.\.\.)?/gu) ?? []
  expect(written.length).toBeGreaterThan(70)
  expect(written.filter((text) => !whole.has(text) && !parts.includes(text))).toEqual([])
  expect(TEXTS.filter(([, text]) => !SENTENCES.includes(text))).toEqual([])
  expect(spec.IDENTITY.to_organization('{org}', 'admin')).toBe('已切換至 {org} 組織管理者 身份')
  expect(spec.IDENTITY.to_organization('{org}', 'member')).toBe('已切換至 {org} 組織成員 身份')
  expect(SENTENCES).toContain('已切換至 {org} 組織管理者 / 組織成員 身份')
  expect(SENTENCES).toContain(spec.MORE_ERRORS('N' as unknown as number))
})

/** The server answers in these words itself, and src/state may import neither the other: the test below compares them. */
const SAME = ['contract/errors.ts', 'src/state/session.ts']

test('no other file writes such a text itself', () => {
  // names of four letters and less are everyday words (首頁, 策略列表, 登入失敗 …), and 組織管理者 may stand in a sentence of ours
  const sentences = TEXTS.filter(([, text]) => text.length > 4)
  const writes = (bare: string, text: string) =>
    text.length > 5
      ? bare.includes(text)
      : ["'", '"', '`'].some((quote) => bare.includes(quote + text + quote))
  const own = code.flatMap(({ path, text }) => {
    const bare = text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '').replace(/ \/\/ .*$/gm, '')
    return sentences.filter(([, one]) => writes(bare, one)).map(([name]) => `${path}: ${name}`)
  })
  expect(own.filter((line) => !SAME.some((path) => line.startsWith(`${path}:`)))).toEqual([])
  expect(own.length).toBeGreaterThan(0)
})

test('where the server or the session must say the same, they do', () => {
  expect(ERRORS[6002].text).toBe(spec.LOGIN.wrong)
  expect(ERRORS[6003].text).toBe(spec.EMAIL.wrong_password)
  expect(ERRORS[4010].text).toBe(spec.LOGIN.needed.text)
  expect(ERRORS[6010].text).toBe(spec.VERIFY_FIRST.text)
  expect(BAD_TOKEN).toBe(spec.LOGIN.bad_token)
})

/** Not said yet: their screens come with the issue of that name. */
const LATER: Record<string, string> = { 'NAV.notifications': '通知' }

test('every text is said somewhere, except those that are named here', () => {
  const all = code
    .filter(({ path }) => path.startsWith('src/'))
    .map(({ text }) => text.replace(/^import [^']* from '[^']*'$/gm, ''))
    .join('\n')
  const stands = (name: string) => new RegExp(`\\b${name.replaceAll('.', '\\.')}(?![\\w.])`).test(all)
  // by its own name, or with its whole group: ...LOADING.page, ERROR_TITLES[type]
  const said = (name: string) =>
    stands(name) || (name.includes('.') && stands(name.slice(0, name.lastIndexOf('.'))))
  const silent = TEXTS.map(([name]) => name).filter((name) => !said(name))
  expect(silent.filter((name) => !(name in LATER))).toEqual([])
})
