// The advice on passwords: what is refused as common, and what the meter says.
import { expect, test } from 'vitest'
import { COMMON_PASSWORDS, isCommon } from '#contract/common-passwords.ts'
import { strength } from '#text/password.ts'

test('the list is long enough and clean', () => {
  expect(new Set(COMMON_PASSWORDS).size).toBe(COMMON_PASSWORDS.length)
  expect(COMMON_PASSWORDS.length).toBeGreaterThanOrEqual(200)
  for (const word of COMMON_PASSWORDS) expect(word).toMatch(/^[\x21-\x7e]{4,}$/)
})

test.each([
  'password',
  'Password123',
  'PASSWORD!',
  'qwerty2026',
  '12345678',
  'abababab',
  'aaaaaaaaaa',
  'lingbo2026!',
])('%s is common', (password) => expect(isCommon(password)).toBe(true))

test.each(['harbour-Lantern-72', '凌波微步羅襪生塵', 'tide7 clock9 moss'])('%s is not', (password) =>
  expect(isCommon(password)).toBe(false),
)

test('strength grows with length and variety', () => {
  expect(strength('')).toBe(0)
  expect(strength('short1')).toBe(1)
  expect(strength('password123')).toBe(1)
  expect(strength('kestrel-41')).toBe(2)
  expect(strength('harbour-Lantern-72')).toBe(3)
})
