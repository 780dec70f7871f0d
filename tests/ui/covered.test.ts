// What the frame says in passing keeps to privacy mode.
import { afterEach, expect, test } from 'vitest'
import { covered } from '#screen/profile.ts'
import { preferences } from '#state/preferences.ts'

afterEach(() => {
  preferences.privacy = false
})

test('a name is covered by as many asterisks as it has characters, in privacy mode only', () => {
  expect(covered('浪花𠮷社')).toBe('浪花𠮷社')
  preferences.privacy = true
  expect(covered('浪花𠮷社')).toBe('****')
})
