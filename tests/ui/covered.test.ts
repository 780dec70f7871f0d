// What the frame says in passing keeps to privacy mode, and no text names a permission as the code does.
import { globSync, readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { PERMISSIONS } from '#contract/permissions.ts'
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

test('no interface text holds the raw name of a permission', () => {
  const raw = new RegExp(`[「（]\\s*(?:${PERMISSIONS.join('|')})\\s*[」）]`)
  const root = new URL('../../', import.meta.url)
  const found = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter((path) =>
    raw.test(readFileSync(new URL(path, root), 'utf8')),
  )
  expect(found).toEqual([])
})
