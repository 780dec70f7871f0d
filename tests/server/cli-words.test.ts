// A command that is called wrongly says how it is used, in a sentence and without a stack, and does nothing.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sized } from '#tests/support/tier.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'lingbo-words-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const CALLS: readonly (readonly [command: string, ...words: string[]])[] = [
  ['backup', '--help'],
  ['backup', join(folder, 'b'), '--forec'],
  ['restore', '--help'],
  ['verify', '--help'],
  ['announce', '--help'],
  ['announce', '-', '--title'],
  ['import-symbols', '--market'],
]
/** Each is a process of its own. */
test.each(sized(CALLS.slice(0, 2), CALLS))('%s %s', (command, ...words) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, `server/cli/${command}.ts`), ...words],
    { cwd: root, env: { ...process.env, DATA_DIR: join(folder, 'data') }, encoding: 'utf8', input: '' },
  )
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(new RegExp(`^用法：npm run ${command.replace('-s', ':s')} -- `))
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(readdirSync(folder)).toEqual([])
})
