// The end of a run names every failure with the reason, as both runners give it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Outcome, ofPlaywright, type PlaywrightReport, told } from './failures.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const FIXTURE = join(ROOT, 'tests/fixtures/failing')
const scratch = mkdtempSync(join(tmpdir(), 'lingbo-report-'))
const file = join(scratch, 'outcome.json')
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function run<T>(args: string[], env: Record<string, string>): T {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITE|TEST)/.test(name)))
  spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'ignore', env: { ...own, ...env } })
  return JSON.parse(readFileSync(file, 'utf8')) as T
}

const failed: [string, RegExp][] = [
  ['some.unit.ts › of two > one fails', /hits/],
  ['some.unit.ts › made ready', /nothing is ready/],
  ['unit and server: outside any test', /nobody waited for this/],
]

test('vitest: tests, hooks and errors of nobody, by name and reason', () => {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--root', FIXTURE]
  const reporter = `--reporter=${join(ROOT, 'tests/report/vitest.ts')}`
  const outcome = run<Outcome>([...args, reporter], { LINGBO_OUTCOME: file })
  expect(outcome.passed).toBe(2)
  expect(outcome.failures.map(({ name }) => name).sort()).toEqual(failed.map(([name]) => name).sort())
  const lines = told(outcome.failures, null).join('\n')
  for (const [name, reason] of failed) {
    expect(lines).toContain(`✗ ${name}\n`)
    expect(lines).toMatch(reason)
  }
})

test('playwright: by project, file and name, without colours', () => {
  const args = ['node_modules/@playwright/test/cli.js', 'test', '-c', FIXTURE, '--reporter=json']
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: file, OUT: join(scratch, 'results'), FORCE_COLOR: '1' }
  const outcome = ofPlaywright(run<PlaywrightReport>(args, env))
  expect(outcome.passed).toBe(1)
  const [first = '', ...rest] = told(outcome.failures, null)
  expect(first).toBe('✗ [phone] some.browser.ts:6 › sees a heading')
  expect(rest.join('\n')).toContain('"a heading"')
  // and what stood there, as the test attached it
  expect(rest.slice(-2)).toEqual(['    /the-address', '    - heading "another one"'])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one
  expect(rest.join('\n')).not.toMatch(/\u001b/)
})

test('what passes once more is said to, and a hundred failures are a hundred names and no more', () => {
  const failures = Array.from({ length: 100 }, (_, at) => ({ name: `test ${at}`, message: 'a\nb' }))
  expect(told(failures, null)).toHaveLength(100)
  expect(told([], null)).toEqual([])
  const [one, two] = [failures.slice(0, 1), failures.slice(1, 2)]
  const lines = told([...one, ...two], { passed: 1, failures: one })
  expect(lines[0]).toBe('✗ test 0（再跑一次仍失敗）')
  expect(lines[3]).toBe('✗ test 1（再跑一次通過：時好時壞）')
})
