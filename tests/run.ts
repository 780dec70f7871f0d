// npm test: types, lint, unit and server tests on both databases, the browser tests on the production build. Last line: N passed, N failed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Outcome, ofPlaywright, type PlaywrightReport, told } from './report/failures.ts'
import { findBrowser } from './support/browser.ts'
import { installPostgres } from './support/postgres.ts'

const ROOT = resolve(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'lingbo-test-'))
const node = process.execPath
let passed = 0
let failed = 0
const lines: string[] = []
/** Names and first lines of what failed: the output's end is all that is kept of it in some places. */
const reasons: string[] = []

/** Runs one step with its output on the screen; a step without a report counts as one check. */
function step(
  name: string,
  command: string,
  args: string[],
  env: Record<string, string> = {},
  report?: () => Outcome,
): Outcome {
  const began = Date.now()
  process.stdout.write(`\n── ${name}\n`)
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: report ? 'inherit' : 'pipe',
    encoding: 'utf8',
    maxBuffer: 1e9,
    env: { ...process.env, ...env },
  })
  const said = `${stderr ?? ''}${stdout ?? ''}`
  process.stdout.write(said)
  const ok = status === 0
  const outcome = report?.() ?? { passed: ok ? 1 : 0, failures: [] }
  // A runner that dies without naming a failure has failed all the same.
  if (!ok && outcome.failures.length === 0) outcome.failures.push({ name, message: said })
  passed += outcome.passed
  failed += outcome.failures.length
  const seconds = ((Date.now() - began) / 1000).toFixed(0)
  lines.push(
    `${ok ? '✓' : '✗'} ${name}: ${outcome.passed} passed, ${outcome.failures.length} failed (${seconds} s)`,
  )
  if (!report) reasons.push(...told(outcome.failures, null))
  return outcome
}

/** What failed once more, for the diagnosis: the verdict is the first run's. */
function again(args: string[], env: Record<string, string>, report: () => Outcome): Outcome | null {
  process.stdout.write('\n── what failed, once more; the verdict stays\n')
  spawnSync(node, args, { cwd: ROOT, stdio: 'inherit', timeout: 300_000, env: { ...process.env, ...env } })
  const outcome = report()
  return outcome.passed + outcome.failures.length > 0 ? outcome : null
}

function read<T>(file: string): T | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : null
}

function unitOutcome(file: string): () => Outcome {
  return () => read<Outcome>(file) ?? { passed: 0, failures: [] }
}

function browserOutcome(file: string): () => Outcome {
  return () => {
    const report = read<PlaywrightReport>(file)
    return report ? ofPlaywright(report) : { passed: 0, failures: [] }
  }
}

// Missing counterparts are installed where that is possible (Debian as root); what is then still missing is said at once.
findBrowser()
if (!installPostgres()) process.stdout.write('\n!!! 沒有 PostgreSQL：那一半的資料庫測試會略過 !!!\n')

const vitest = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=./tests/report/vitest.ts']
const playwright = [join(ROOT, 'node_modules/@playwright/test/cli.js'), 'test']

// The build writes the route tree that the types of the screens need.
const built = step('build', node, ['server/cli/build.ts']).failures.length === 0
step('types', 'tsc', ['-b'])
step('lint', 'biome', ['check', '.'])

const unit = (name: string) => {
  const file = join(scratch, `${name}.json`)
  return [{ LINGBO_OUTCOME: file }, unitOutcome(file)] as const
}
const units = step('unit and server', node, [...vitest, '--reporter=dot'], ...unit('unit'))
if (units.failures.length > 0) {
  const files = [...new Set(units.failures.map(({ name }) => name.split(':')[0]?.split(' › ')[0] as string))]
  const there = files.filter((file) => existsSync(join(ROOT, file))).slice(0, 10)
  const once = there.length > 0 ? again([...vitest, '--reporter=default', ...there], ...unit('again')) : null
  reasons.push(...told(units.failures, once))
}

if (built) {
  const browser = (name: string) => {
    const file = join(scratch, `${name}.json`)
    return [{ PLAYWRIGHT_JSON_OUTPUT_NAME: file }, browserOutcome(file)] as const
  }
  const { failures } = step('browser', node, [...playwright, '--reporter=list,json'], ...browser('e2e'))
  // Traces cost a third of the work, so only what failed is recorded (test-results/), in a run of its own.
  const traced = [...playwright, '--last-failed', '--trace=on', '--reporter=list,json']
  if (failures.length > 0) reasons.push(...told(failures, again(traced, ...browser('e2e-again'))))
}
rmSync(scratch, { recursive: true, force: true })

const why = reasons.length > 0 ? `── 未通過\n${reasons.join('\n')}\n\n` : ''
process.stdout.write(`\n${why}${lines.join('\n')}\n\n${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
