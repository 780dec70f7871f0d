// What no new password may be, by the long list that only the server has.
import { expect, test } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { refuseCommon } from '#server/session/passwords.ts'

const refuses = (password: string) => {
  try {
    refuseCommon('password', password)
    return false
  } catch (error) {
    expect(error instanceof ApiError && error.details.fields).toEqual({
      password: expect.stringContaining('太常見'),
    })
    return true
  }
}

test.each([
  '0987654321',
  'qwer1234',
  'Aa123456!',
  '1qaz2wsx3edc',
  'Football1',
  'trustno1',
  'zaq12wsx',
  'a1b2c3d4',
  'Pa$$w0rd',
])('%s is refused', (password) => expect(refuses(password)).toBe(true))

test.each(['harbour-Lantern-72', '凌波微步羅襪生塵', 'tide7 clock9 moss'])('%s is taken', (password) =>
  expect(refuses(password)).toBe(false),
)
