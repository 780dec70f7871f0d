// The advice on passwords: what is refused as common, and what the meter says.
import { expect, test } from 'vitest'
import { COMMON_PASSWORDS, isCommon } from '#contract/common-passwords.ts'
import { fieldMessages } from '#contract/field-messages.ts'
import { register } from '#contract/session.ts'
import { strength, withNewPassword } from '#text/password.ts'

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
  '0987654321',
  '0912345678',
  'qwer1234',
  'Aa123456!',
  '19900823',
  '0790823!',
  '790823790823',
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

test.each<[string, string, Record<string, string>, string[]]>([
  ['kestrel-41-tide', 'kestrel-41-tide', {}, []],
  ['kestrel-41-tide', '', {}, ['again 請再輸入一次密碼']],
  ['kestrel-41-tide', 'kestrel-41', {}, ['again 兩次輸入的密碼不一樣']],
  ['password', 'password', {}, ['password 這個密碼太常見']],
  ['', '', { password: '請輸入密碼' }, ['password 請輸入密碼', 'again 請再輸入一次密碼']],
])('a new password %s, then %s', (password, again, found, said) => {
  const all = withNewPassword(found, 'password', { password, again })
  expect(Object.entries(all).map((one) => one.join(' '))).toEqual(
    said.map((text) => expect.stringMatching(text)),
  )
})

test('a registration that is sent empty asks for each field, and names no form that nothing has', () => {
  const empty = { name: '', email: '', account: '', password: '' }
  expect(fieldMessages(register.input, empty)).toMatchObject({
    name: '請輸入姓名',
    email: '請輸入電子郵件',
    password: '請輸入密碼',
  })
  const wrong = { ...empty, name: '林', email: 'lin', account: 'lin', password: 'short' }
  expect(fieldMessages(register.input, wrong)).toMatchObject({
    email: '電子郵件格式不正確，例如 name@example.com',
    password: '密碼至少 8 個字元',
  })
})
