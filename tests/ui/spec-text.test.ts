// The words that the specification writes itself: all of them in src/text/spec.ts, verbatim (ruling C24).
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ERRORS } from '#contract/errors.ts'
import { BAD_TOKEN } from '#state/session.ts'
import * as spec from '#text/spec.ts'

/** The specification's own sentences: the middle column of the proof. */
const SENTENCES = readFileSync(resolve(import.meta.dirname, '../../docs/spec-proof.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d \|/.test(line))
  .map((line) => line.slice(0, line.lastIndexOf(' | ')))
  .join('\n')

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

test('where the server or the session must say the same, they do', () => {
  expect(ERRORS[6002].text).toBe(spec.LOGIN.wrong)
  expect(ERRORS[6003].text).toBe(spec.EMAIL.wrong_password)
  expect(ERRORS[4010].text).toBe(spec.LOGIN.needed.text)
  expect(ERRORS[6010].text).toBe(spec.VERIFY_FIRST.text)
  expect(BAD_TOKEN).toBe(spec.LOGIN.bad_token)
})
